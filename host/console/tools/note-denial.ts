/** Notes a denial in the audit log of the workspace. @module */

import type { DeniedCall } from '../../mcp/workspace-api.ts'
import { api } from '../connect/workspace.ts'

/** Most characters of an intent in the audit log of a denial. */
const MAX_INTENT_LENGTH = 2_000

/** Tells the workspace of a No, since a denied call never reaches it. A failure changes nothing here. */
export function noteDenial({ intent, ...denied }: DeniedCall): void {
  void api.peek()?.noteDenial({ ...denied, intent: intent.slice(0, MAX_INTENT_LENGTH) })
}

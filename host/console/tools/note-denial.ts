/** Notes a denial in the audit log of the workspace. @module */

import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'

/** A call that the user denied. */
export interface DeniedCall {
  readonly tool: string
  /** The sentence that the user was shown. */
  readonly intent: string
  /** The scopes that were denied; empty if the call itself was. */
  readonly scopes: readonly string[]
}

/** Most characters of an intent in the audit log of a denial. */
const MAX_INTENT_LENGTH = 2_000

/** Tells the workspace of a No, since a denied call never reaches it. A failure changes nothing here. */
export function noteDenial({ intent, ...denied }: DeniedCall): void {
  const base = ownBase.peek()
  if (base === null) return
  const body = { ...denied, intent: intent.slice(0, MAX_INTENT_LENGTH) }
  void sendAct(base, 'note_denial', { body }).catch(() => null)
}

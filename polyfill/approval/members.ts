/**
 * Extension members of listed tools: reads them from untrusted data, and adds them to a tool.
 *
 * @module
 */

import { parseIntent } from '#core/intent/template.ts'
import type { JsonRecord } from '#core/json.ts'
import { isApprovalLevel } from './approval-level.ts'
import type { Members } from './tool.ts'

/** Reads the extension members. Invalid ones count as absent, so the tool needs confirmation. */
export function readMembers({ humanInTheLoopHint: hint, intentTemplate }: JsonRecord): Members {
  return {
    ...(isApprovalLevel(hint) && { humanInTheLoopHint: hint }),
    ...(typeof intentTemplate === 'string' && isIntent(intentTemplate) && { intentTemplate }),
  }
}

function isIntent(text: string): boolean {
  try {
    return parseIntent(text) !== null
  } catch {
    return false
  }
}

/**
 * Sensitive tools: those that seem to pay, to send messages or to delete, by their name, their intent
 * and the names of their arguments. A page may declare `none` for such a tool; its calls are `notify`
 * at least.
 *
 * The rule is for hints that are too loose, in English, and no defence against a page that lies: that
 * can name its tool anything, and run its functions without a tool. `polyfill/SPEC.md` has it in
 * sentences, and `test/polyfill/approval/sensitive.test.ts` its cases.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import { strictest } from './approval-level.ts'
import { find, own, serialise } from './builtins.ts'

/** What the rule looks at. */
export interface Described {
  readonly name?: string | undefined
  readonly annotations?:
    | { readonly intentTemplate?: string | undefined; readonly readOnlyHint?: boolean | undefined }
    | null
    | undefined
  /** The input schema, or its JSON text; the fields of a form. */
  readonly schema?: unknown
}

/** What makes a tool sensitive: acts, which are captured; what acts are about; amounts in an intent. */
const WORD =
  /^(?:(pay|buy|donate|send|publish|delete|remove|erase|purge|destroy)|(?:payment|purchase|order|checkout|charge|transfer|refund|donation|message|mail|email|sms|post|reply|invite|share|deletion)s?|\{.*(?:amount|cost|price|total)(?:\.value)?[|}].*)$/i

/** A field of an intent; a word in capitals; a word. */
const TOKEN = /\{[^}]*\}|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu

/** The end of an amount's name among the members of JSON, or of JSON inside JSON. */
const AMOUNT = /(?:amount|cost|price|total)\\?":/i

/**
 * Returns the minimum level of a tool that seems to pay, to send messages or to delete; `none` for others.
 *
 * @param level What site or user ask for such tools, above `notify`.
 */
export const sensitiveLevel = (tool: Described, level?: string): ApprovalLevel =>
  isSensitive(tool) ? strictest('notify', level) : 'none'

/**
 * The text of a tool with `readOnlyHint` counts only when it begins with an act: `pay_invoice` contradicts
 * the hint, `get_payment_history` does not.
 */
function isSensitive({ name = '', annotations, schema }: Described): boolean {
  const isReading = own(annotations, 'readOnlyHint') === true
  return (
    hasWord(name, isReading) ||
    hasWord(annotations?.intentTemplate ?? '', isReading) ||
    (!isReading && !!find(AMOUNT, serialise(schema)))
  )
}

/** Reports whether a text has a word of the rule, or begins with an act if the tool only reads. */
function hasWord(text: string, isReading: boolean): boolean {
  TOKEN.lastIndex = 0
  for (;;) {
    const token = find(TOKEN, text)?.[0]
    const word = token && find(WORD, token)
    if (isReading) return !!word?.[1]
    if (!token || word) return !!word
  }
}

/**
 * A notice as lines of text, for receivers that make links of plain text: chat and e-mail.
 *
 * A name such as `https://evil.example` would be a link there, and `@everyone` a mention. Both are written as the field writes
 * addresses that must not be followed, `evil[.]example`. `test/worker/notifier/chat.test.ts` and `email.test.ts` beside it
 * have the cases.
 *
 * @module
 */

import { describeSummary } from './sentence.ts'
import type { Summary } from './summary.ts'

/** Lines without any link, and the link to the console; null where its address is not known. */
export interface Text {
  readonly lines: readonly string[]
  readonly link: string | null
}

/** Writes a notice. The first line is its title. */
export function writeText(summary: Summary): Text {
  const { title, body } = describeSummary(summary)
  const link = /^https?:\/\//.test(summary.url) ? summary.url : null
  const where = link === null && summary.from.length > 0 ? ['Open the console to decide.'] : []
  return { lines: [`Edgewise: ${title}`, body, ...where].map(withoutLinks), link }
}

/** Dots inside a word, also those that a browser reads as dots, colons before two slashes, and signs of an address. */
const withoutLinks = (line: string) =>
  line
    .replace(/(?<=[^\s.])[.\u3002\uff0e\uff61](?=[^\s.])/g, '[$&]')
    .replaceAll('://', '[://]')
    .replaceAll('@', '[at]')

/**
 * Tables in files of values that are separated by commas, semicolons or tabs (RFC 4180, and what programs write).
 * `test/worker/page-links/render.test.ts` has the cases.
 *
 * @module
 */

import { MAX_PAGE_COLUMNS } from './limits.ts'

/** Finds out what separates the values of a file by its name and its first line. */
export function separatorOf(name: string, text: string): string {
  if (/\.(?:tsv|tab)$/i.test(name)) return '\t'
  const line = text.slice(0, text.indexOf('\n') >>> 0).slice(0, 2_000)
  const counts = [',', ';', '\t'].map((sign) => [sign, line.split(sign).length] as const)
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ','
}

/** Reads the rows of a text. Values beyond the columns of a page are left out. */
export function* rowsOf(text: string, separator: string): Iterable<readonly string[]> {
  let row: string[] = []
  for (let at = 0; at < text.length;) {
    const { value, next } = readValue(text, at, separator)
    if (row.length < MAX_PAGE_COLUMNS) row.push(value)
    if (text[next] === separator) {
      at = next + 1
      // A value may be missing after the last separator.
      if (at < text.length) continue
      if (row.length < MAX_PAGE_COLUMNS) row.push('')
    } else at = next + (text.startsWith('\r\n', next) ? 2 : 1)
    yield row
    row = []
  }
}

/** Reads a value, and returns where it ends. Within quotes, two of them are one. */
function readValue(text: string, at: number, separator: string): { value: string; next: number } {
  if (text[at] !== '"') {
    const next = endOf(text, at, separator)
    return { value: text.slice(at, next), next }
  }
  const pieces: string[] = []
  let from = at + 1
  for (;;) {
    const end = text.indexOf('"', from)
    if (end === -1) return { value: pieces.join('') + text.slice(from), next: text.length }
    pieces.push(text.slice(from, end))
    from = end + 2
    if (text[end + 1] !== '"') {
      const next = endOf(text, end + 1, separator)
      return { value: pieces.join('') + text.slice(end + 1, next), next }
    }
    pieces.push('"')
  }
}

function endOf(text: string, at: number, separator: string): number {
  let end = at
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r')
    end++
  return end
}

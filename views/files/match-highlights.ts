/**
 * Positions of the search text in a matching line, found in bounded time.
 *
 * The server's regular expression engine is linear and the browser's is not. A pattern is therefore
 * matched here only if it has at most one repetition, and no alternation or group beside it;
 * otherwise the line is shown without marks.
 *
 * @module
 */

/** A range of a line, in UTF-16 code units. */
export type Span = readonly [from: number, to: number]

interface TextQuery {
  readonly text: string
  readonly pattern: boolean
}

/** Most characters of a line that are shown. */
const MAX_SHOWN = 240

/** Characters shown before the match, if the line has to be cut. */
const LEAD = 40

const MAX_MARKS = 20

/** Returns the positions of the search text in a line. */
export function findMatches(line: string, query: TextQuery): readonly Span[] {
  const finder = createFinder(query)
  if (!finder) return []
  const marks: Span[] = []
  for (const match of line.matchAll(finder)) {
    if (match[0] === '' || marks.length === MAX_MARKS) break
    marks.push([match.index, match.index + match[0].length])
  }
  return marks
}

/** Returns the part of a line that contains the match, without surrounding white space. */
export function cutToMatch(line: string, query: TextQuery): string {
  const text = line.trim()
  const [from = 0] = findMatches(text, query)[0] ?? []
  const start = from > MAX_SHOWN - LEAD ? from - LEAD : 0
  return (start > 0 ? '…' : '') + text.slice(start, start + MAX_SHOWN)
}

/** Escapes a text for use in a regular expression. */
export const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function createFinder({ text, pattern }: TextQuery): RegExp | null {
  const flags = /\p{Lu}/u.test(text) ? 'gu' : 'giu'
  if (text === '') return null
  if (!pattern) return new RegExp(escapeRegExp(text), flags)
  const repetitions = text.match(/[*+?{]/g)?.length ?? 0
  if (repetitions > 1 || (repetitions > 0 && /[(|]/.test(text))) return null
  try {
    return new RegExp(text, flags)
  } catch {
    return null
  }
}

/**
 * Marks: where in a line that was found the person's text stands, within a time that is bounded.
 *
 * The server's engine is linear and the browser's is not. So a pattern is looked for here only when
 * it has no more than one repetition, and no choice beside it; otherwise the line is shown without marks.
 *
 * @module
 */

export type Span = readonly [from: number, to: number]

interface Wanted {
  readonly text: string
  readonly pattern: boolean
}

/** Characters of a line that are shown. */
const SHOWN = 240

/** Characters that are shown before the match. */
const LEAD = 40

const MOST_MARKS = 20

export function marksOf(line: string, wanted: Wanted): readonly Span[] {
  const finder = finderOf(wanted)
  if (!finder) return []
  const marks: Span[] = []
  for (const match of line.matchAll(finder)) {
    if (match[0] === '' || marks.length === MOST_MARKS) break
    marks.push([match.index, match.index + match[0].length])
  }
  return marks
}

/** The part of a line that shows the match, without the white space in front. */
export function cutToMatch(line: string, wanted: Wanted): string {
  const text = line.trim()
  const [from = 0] = marksOf(text, wanted)[0] ?? []
  const start = from > SHOWN - LEAD ? from - LEAD : 0
  return (start > 0 ? '…' : '') + text.slice(start, start + SHOWN)
}

/** A pattern for the text as it stands. */
export const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function finderOf({ text, pattern }: Wanted): RegExp | null {
  const flags = /\p{Lu}/u.test(text) ? 'gu' : 'giu'
  if (text === '') return null
  if (!pattern) return new RegExp(literal(text), flags)
  const repetitions = text.match(/[*+?{]/g)?.length ?? 0
  if (repetitions > 1 || (repetitions > 0 && /[(|]/.test(text))) return null
  try {
    return new RegExp(text, flags)
  } catch {
    return null
  }
}

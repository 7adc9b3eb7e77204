/**
 * Lookalikes: texts that differ only where a reader cannot see it, as a no-break space, another form of the same letter,
 * characters without width, tabs, blanks at the end of a line, and quotes. `test/worker/tools/mismatch.test.ts` tests it.
 *
 * @module
 */

/** Characters without width. */
const INVISIBLE = /^[\u00ad\u200b-\u200f\u2060\ufeff]$/u

const BLANK = String.raw`[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`

/** Blanks in a row, or one character with its accents. A line break is a token of its own. */
const TOKEN = new RegExp(String.raw`${BLANK}+|\n|[^\n]\p{M}*`, 'gsu')

const IS_BLANK = new RegExp(`^${BLANK}`, 'u')

/** Quotes and dashes that are typed for each other. */
const SAME: Readonly<Record<string, string>> = {
  ...{ '\u2018': "'", '\u2019': "'", '\u201a': "'", '\u2032': "'" },
  ...{ '\u201c': '"', '\u201d': '"', '\u201e': '"', '\u2033': '"' },
  ...{ '\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2212': '-' },
}

/** A text without what a reader cannot see. Each of its code units is of one token. */
interface Folded {
  readonly text: string
  /** For each code unit, where its token begins in the original; at the end, its length. */
  readonly starts: Uint32Array
}

/** Folds what looks alike to the same text. */
export function fold(text: string): Folded {
  const starts = new Uint32Array(2 * text.length + 1)
  let folded = ''
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n' && folded.endsWith(' ')) folded = folded.slice(0, -1)
    const same = foldToken(token)
    starts.fill(index, folded.length, folded.length + same.length)
    folded += same
  }
  starts[folded.length] = text.length
  return { text: folded, starts: starts.subarray(0, folded.length + 1) }
}

function foldToken(token: string): string {
  if (IS_BLANK.test(token)) return ' '
  if (INVISIBLE.test(token)) return ''
  // Alone it ends no line here, as it did on an old Mac.
  if (token === '\r') return '\n'
  return SAME[token] ?? token.normalize('NFC').slice(0, token.length)
}

/** Where two texts that fold to the same one differ. */
export interface Difference {
  /** The line of the found text, from 1. */
  readonly line: number
  /** The character of the line, from 1. */
  readonly column: number
  /** The code points that it has there; empty if it has none. */
  readonly found: string
  readonly sent: string
}

/** Lists the first differences between a text that was found and one that was sent; `line` is that of the first. */
export function compareLookalikes(found: string, sent: string, line: number, most: number) {
  const [one, other] = [found.match(TOKEN) ?? [], sent.match(TOKEN) ?? []]
  const differences: Difference[] = []
  let [at, column] = [line, 1]
  for (let first = 0, second = 0; differences.length < most;) {
    const [here, there] = [one[first], other[second]]
    if (here === undefined && there === undefined) break
    const [isExtra, isMissing] = [isLeftOut(here, there), isLeftOut(there, here)]
    const [left, right] = [isMissing ? '' : (here ?? ''), isExtra ? '' : (there ?? '')]
    if (left !== right)
      differences.push({ line: at, column, found: pointsOf(left), sent: pointsOf(right) })
    if (!isMissing) first++
    if (!isExtra) second++
    column = left === '\n' ? 1 : column + Array.from(left).length
    if (left === '\n') at++
  }
  return differences
}

/** Whether a token has no partner: it is invisible, or a blank at the end of a line. */
function isLeftOut(token: string | undefined, partner: string | undefined): boolean {
  if (token === undefined || token === partner) return false
  if (INVISIBLE.test(token)) return true
  return IS_BLANK.test(token) && !(partner !== undefined && IS_BLANK.test(partner))
}

/** Maximum number of code points that a difference names. */
const NAMED_POINTS = 6

/** Names the code points of a token; the same one in a row is counted. */
export function pointsOf(token: string): string {
  const names: { point: string; count: number }[] = []
  for (const char of token) {
    const point = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    const last = names.at(-1)
    if (last?.point === point) last.count++
    else names.push({ point, count: 1 })
  }
  const shown = names.slice(0, NAMED_POINTS)
  return shown.map(({ point, count }) => (count > 1 ? `${count} × ${point}` : point)).join(' ')
}

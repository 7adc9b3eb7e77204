/**
 * The pieces of a text in Markdown: emphasis, code, links and images (CommonMark 0.31, section 6, and GFM).
 *
 * The text is read once, from left to right. Runs of `*`, `_` and `~` and open brackets wait on stacks, and each is taken
 * off once, so the time is linear in the length. HTML is text. `test/core/markdown/inline.test.ts` has the cases.
 *
 * @module
 */

import { closeRun, flattenRuns, openStacks, type Piece, type Run } from './emphasis.ts'
import { codeSpans, readAddress, readAutolink, readEntity, type CodeSpans } from './pieces.ts'
import { plainText, type Inline } from './tree.ts'

/** The addresses of `[label]: address`, by {@link labelKey}. */
export type Definitions = ReadonlyMap<string, string>

/** The key of a label: case and white space do not count. */
export const labelKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** An open bracket that may begin a link or an image, and where its pieces begin. */
interface Bracket {
  readonly at: number
  /** Where its text begins in the source. */
  readonly from: number
  readonly isImage: boolean
}

interface Scan {
  readonly text: string
  readonly definitions: Definitions
  readonly spans: CodeSpans
  readonly pieces: Piece[]
  readonly brackets: Bracket[]
  at: number
}

/** Characters at which something other than text may begin. */
const SPECIAL = /[\\`*_~[\]!<&\n]|https?:\/\//g

/** Parses the pieces of a text. */
export function parseInline(text: string, definitions: Definitions): readonly Inline[] {
  const scan: Scan = {
    ...{ text, definitions, spans: codeSpans(text), pieces: [], brackets: [], at: 0 },
  }
  while (scan.at < text.length) {
    SPECIAL.lastIndex = scan.at
    const found = SPECIAL.exec(text)?.index ?? text.length
    addText(scan, text.slice(scan.at, found))
    scan.at = found
    if (found < text.length) readSpecial(scan, text[found] ?? '')
  }
  return toInline(scan.pieces)
}

function addText({ pieces }: Scan, text: string): void {
  if (text !== '') pieces.push({ type: 'text', text })
}

function readSpecial(scan: Scan, char: string): void {
  switch (char) {
    case '\\':
      return readEscape(scan)
    case '`':
      return readCode(scan)
    case '[':
      return open(scan, 1, false)
    case '!':
      return scan.text[scan.at + 1] === '[' ? open(scan, 2, true) : take(scan, 1)
    case ']':
      return close(scan)
    case '\n':
      return readLineEnd(scan)
    case '<':
    case 'h':
      return readLink(scan)
    case '&':
      return readCharacter(scan)
    default:
      return readRun(scan, char)
  }
}

/** Takes characters as text. */
function take(scan: Scan, count: number): void {
  addText(scan, scan.text.slice(scan.at, scan.at + count))
  scan.at += count
}

const PUNCTUATION = /[!-/:-@[-`{-~]/

function readEscape(scan: Scan): void {
  const next = scan.text[scan.at + 1] ?? ''
  if (next === '\n') {
    scan.pieces.push({ type: 'break' })
    scan.at += 2
    return
  }
  if (!PUNCTUATION.test(next)) return take(scan, 1)
  scan.at++
  take(scan, 1)
}

function readCode(scan: Scan): void {
  const span = scan.spans.at(scan.at)
  if (!span) return take(scan, 1)
  const { ticks, end } = span
  if (end === null) return take(scan, ticks)
  const code = scan.text.slice(scan.at + ticks, end).replaceAll('\n', ' ')
  const isPadded = /^ .* $/.test(code) && code.trim() !== ''
  scan.pieces.push({ type: 'code', text: isPadded ? code.slice(1, -1) : code })
  scan.at = end + ticks
}

/** Two spaces at the end of a line break it. */
function readLineEnd(scan: Scan): void {
  const last = scan.pieces.at(-1)
  if (last?.type === 'text' && last.text.endsWith('  ')) {
    scan.pieces.splice(-1, 1, { type: 'text', text: last.text.trimEnd() }, { type: 'break' })
    scan.at++
    return
  }
  take(scan, 1)
}

function readLink(scan: Scan): void {
  const link = readAutolink(scan.text, scan.at)
  if (!link) return take(scan, scan.text[scan.at] === '<' ? 1 : 4)
  const { address, length } = link
  scan.pieces.push(
    address === null
      ? { type: 'break' }
      : { type: 'link', address, children: [{ type: 'text', text: address }] },
  )
  scan.at += length
}

function readCharacter(scan: Scan): void {
  const entity = readEntity(scan.text, scan.at)
  if (!entity) return take(scan, 1)
  addText(scan, entity.text)
  scan.at += entity.length
}

function readRun(scan: Scan, char: string): void {
  const { text, at } = scan
  let end = at
  while (text[end] === char) end++
  const [before, after] = [text[at - 1] ?? ' ', text[end] ?? ' ']
  const run: Run = { type: 'run', char, count: end - at, ...sidesOf(char, before, after) }
  scan.pieces.push(run)
  scan.at = end
}

const SPACE = /\s/
const SIGN = /[\p{P}\p{S}]/u

/** Whether a run can open and close emphasis, by the characters beside it (CommonMark, section 6.2). */
function sidesOf(char: string, before: string, after: string) {
  const isLeft =
    !SPACE.test(after) && (!SIGN.test(after) || SPACE.test(before) || SIGN.test(before))
  const isRight =
    !SPACE.test(before) && (!SIGN.test(before) || SPACE.test(after) || SIGN.test(after))
  if (char !== '_') return { opens: isLeft, closes: isRight }
  return {
    opens: isLeft && (!isRight || SIGN.test(before)),
    closes: isRight && (!isLeft || SIGN.test(after)),
  }
}

function open(scan: Scan, length: number, isImage: boolean): void {
  const at = scan.pieces.length
  take(scan, length)
  scan.brackets.push({ at, from: scan.at, isImage })
}

/** Ends the last open bracket: with an address it is a link or an image, and text otherwise. */
function close(scan: Scan): void {
  const bracket = scan.brackets.pop()
  const target = bracket && targetOf(scan, bracket)
  if (!target) return take(scan, 1)
  const inner = toInline(scan.pieces.splice(bracket.at).slice(1))
  const { address, end } = target
  scan.pieces.push(
    bracket.isImage
      ? { type: 'image', address, text: plainText(inner) }
      : { type: 'link', address, children: inner },
  )
  // A link contains no other link.
  if (!bracket.isImage) scan.brackets.length = 0
  scan.at = end
}

/** Maximum number of characters of a label. */
const MAX_LABEL = 200

function targetOf(scan: Scan, bracket: Bracket): { address: string; end: number } | null {
  const { text, at, definitions } = scan
  const direct = readAddress(text, at + 1)
  if (direct) return direct
  if (definitions.size === 0) return null
  REFERENCE.lastIndex = at + 1
  const [whole = '', named = ''] = REFERENCE.exec(text) ?? []
  if (named === '' && at - bracket.from > MAX_LABEL) return null
  const label = named === '' ? text.slice(bracket.from, at) : named
  const address = definitions.get(labelKey(label))
  return address === undefined ? null : { address, end: at + 1 + whole.length }
}

const REFERENCE = new RegExp(String.raw`\[([^[\]\n]{0,${MAX_LABEL}})\]`, 'y')

/** Joins runs to emphasis. What is left of them is text. */
function toInline(pieces: readonly Piece[]): readonly Inline[] {
  const out: Piece[] = []
  const stacks = openStacks()
  for (const piece of pieces) {
    if (piece.type === 'run') closeRun(piece, out, stacks)
    else out.push(piece)
  }
  return flattenRuns(out)
}

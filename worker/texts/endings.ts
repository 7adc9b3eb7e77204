/**
 * Line endings: a text is edited with `\n` at the end of each line, and each line keeps the ending that it has in the file.
 *
 * Nearly all texts have one kind of ending and need no list of them. `test/worker/texts/edits.test.ts` tests it.
 *
 * @module
 */

import { hasUnixLine, withUnixLines } from './text.ts'

/** The endings of all lines of a text: one kind, or for each line whether it ends in `\r\n` (1). */
type Endings = 'lf' | 'crlf' | Uint8Array

/** A text as lines, each with its own ending. */
export interface Lines {
  /** Each line ends in `\n`. A `\r` before it is part of the line. */
  readonly text: string
  readonly endings: Endings
}

/** The kind of the line endings of a text; null if it has none. */
export type EndingKind = 'lf' | 'crlf' | 'mixed'

/** Finds out which line endings a text has. */
export function endingKind(content: string): EndingKind | null {
  if (!content.includes('\r\n')) return content.includes('\n') ? 'lf' : null
  return hasUnixLine(content) ? 'mixed' : 'crlf'
}

/** Takes the line endings off a text. */
export function readLines(content: string): Lines {
  const kind = endingKind(content)
  const text = kind === null || kind === 'lf' ? content : withUnixLines(content)
  return { text, endings: kind === 'mixed' ? listEndings(content) : (kind ?? 'lf') }
}

function listEndings(content: string): Uint8Array {
  const list = new Uint8Array(countNewlines(content))
  let line = 0
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1))
    list[line++] = content[at - 1] === '\r' ? 1 : 0
  return list
}

/** Returns a text with the endings of its lines. */
export function writeLines({ text, endings }: Lines): string {
  if (endings === 'lf') return text
  if (endings === 'crlf') return text.replaceAll('\n', '\r\n')
  let line = 0
  return text.replaceAll('\n', () => (endings[line++] === 1 ? '\r\n' : '\n'))
}

/**
 * Replaces a part of a text. Lines that stay keep their endings, and new ones take that of their neighbours: how they
 * were sent only counts in a text without any.
 */
export function replacePart(lines: Lines, at: number, end: number, sent: string): Lines {
  const added = readLines(sent)
  const { text } = lines
  return {
    text: text.slice(0, at) + added.text + text.slice(end),
    endings: text.includes('\n') ? endingsAfter(lines, at, end, added.text) : added.endings,
  }
}

function endingsAfter({ text, endings }: Lines, at: number, end: number, added: string): Endings {
  if (typeof endings === 'string') return endings
  const removed = text.slice(at, end)
  const start = commonStart(removed, added)
  const first = countNewlines(text.slice(0, at + start))
  const tail = commonEnd(removed.slice(start), added.slice(start))
  const last = first + countNewlines(removed.slice(start, removed.length - tail))
  const count = countNewlines(added.slice(start, added.length - tail))
  const replaced = endings.subarray(first, last)
  const [before, after] = [endings[first - 1], endings[last]]
  const isBetween = text[at + start - 1] === '\n'
  const neighbour = replaced.at(-1) ?? (isBetween ? before : after) ?? before ?? after ?? 0
  const fresh = Uint8Array.from({ length: count }, (_, line) => replaced[line] ?? neighbour)
  const all = new Uint8Array(first + count + endings.length - last)
  all.set(endings.subarray(0, first))
  all.set(fresh, first)
  all.set(endings.subarray(last), first + count)
  return all
}

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  return length
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length++
  return length
}

/** Counts with `indexOf`, which is many times faster than a look at each character. */
export function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

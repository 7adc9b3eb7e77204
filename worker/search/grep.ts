/**
 * Grep: the lines of a text that match, with the lines round them, in the manner of ripgrep.
 *
 * A text is asked as a whole first, because most texts have no match, and cut into lines only when
 * there is something to show. Lines end at `\n`; a `\r` before it is no part of the line, and a final
 * newline begins no other line.
 *
 * @module
 */

import type { Pattern } from './pattern.ts'

export interface GrepOptions {
  /** Lines of context before and after a match. */
  readonly before: number
  readonly after: number
  /** Bytes of one line to show; 0 for all. */
  readonly maxLineBytes: number
  /** Matching lines after which no more are looked for; 0, the default, for all. */
  readonly maxMatches?: number
}

/** How many lines match. */
export function countMatches(text: string, pattern: Pattern): number {
  let count = 0
  for (const _ of matchingLines(text, pattern)) count++
  return count
}

/**
 * The matching lines with their context, in chunks of lines that follow each other: `N: text` is a
 * match and `N- text` is context. Chunks that touch are one.
 */
export function grepText(text: string, pattern: Pattern, options: GrepOptions): string[] {
  const hits = hitsOf(text, pattern, options.maxMatches || Infinity)
  if (hits.size === 0) return []

  const lines = text.split('\n')
  const last = lines.at(-1) === '' ? lines.length - 2 : lines.length - 1
  const { before, after, maxLineBytes } = options
  return windowsRound(hits, before, after, last).map(({ from, to }) => {
    const shown = lines.slice(from, to + 1).map((line, index) => {
      const hit = hits.has(from + index)
      const cut = shorten(withoutReturn(line), maxLineBytes, hit ? pattern : null)
      return `${from + index + 1}${hit ? ':' : '-'} ${cut}`
    })
    return shown.join('\n')
  })
}

/** Where the matching lines begin. */
function* matchingLines(text: string, pattern: Pattern): Generator<number> {
  for (let from = 0; from < text.length;) {
    const at = pattern.seek(text, from)
    if (at < 0) return
    const start = at === from ? from : text.lastIndexOf('\n', at - 1) + 1
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (pattern.testLine(withoutReturn(text.slice(start, end)))) yield start
    from = end + 1
  }
}

/** The matching lines by their index. */
function hitsOf(text: string, pattern: Pattern, most: number): Set<number> {
  const hits = new Set<number>()
  let index = 0
  let counted = 0
  for (const start of matchingLines(text, pattern)) {
    for (; counted < start; index++) counted = text.indexOf('\n', counted) + 1
    if (hits.add(index).size >= most) break
  }
  return hits
}

function windowsRound(hits: Iterable<number>, before: number, after: number, last: number) {
  const windows: { readonly from: number; to: number }[] = []
  for (const hit of hits) {
    const from = Math.max(0, hit - before)
    const to = Math.min(last, hit + after)
    const previous = windows.at(-1)
    if (previous && from <= previous.to + 1) previous.to = to
    else windows.push({ from, to })
  }
  return windows
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

const encoder = new TextEncoder()

/**
 * Cuts a line to a number of bytes, and says how many it hides. Where there is a pattern, the part
 * that is kept is one that shows the match; a `…` in front says that it is not the beginning.
 */
function shorten(line: string, maxBytes: number, pattern: Pattern | null): string {
  if (maxBytes === 0 || line.length * 3 <= maxBytes) return line
  const bytes = encoder.encode(line).length
  if (bytes <= maxBytes) return line
  const from = pattern ? beginningOfView(line, pattern, maxBytes) : 0
  const { read, written } = encoder.encodeInto(line.slice(from), new Uint8Array(maxBytes))
  const view = (from > 0 ? '…' : '') + line.slice(from, from + read)
  return `${view}[TRUNCATED: ${bytes - written} bytes hidden]`
}

/**
 * Tries pieces of the line that overlap by half, because the engine is fast only at yes or no. A
 * match that is longer than half a piece may be missed, and then the beginning of the line is shown.
 */
function beginningOfView(line: string, pattern: Pattern, maxBytes: number): number {
  const step = Math.max(1, Math.floor(maxBytes / 6)) // a piece of two steps fits at 3 bytes a unit
  for (let at = 0; at < line.length; at += step) {
    if (pattern.testLine(line.slice(at, at + 2 * step))) return startOfPair(line, at)
  }
  return 0
}

function startOfPair(line: string, at: number): number {
  return at > 0 && (line.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}

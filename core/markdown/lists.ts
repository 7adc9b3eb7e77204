/** The lists of Markdown, with tasks. `test/core/markdown/blocks.test.ts` has the cases. @module */

import { interrupts, MARKER, type Source, type Taken } from './starts.ts'
import type { Item } from './tree.ts'

/** What begins an item: its kind, its number, and the column of its text. */
interface Marker {
  readonly kind: string
  readonly start: number | null
  readonly column: number
}

function readMarker(line: string): Marker | null {
  const match = MARKER.exec(line)
  if (!match) return null
  const [whole, indent = '', sign = '', number, end, space = ''] = match
  // Code that is indented inside of an item keeps its spaces.
  const column = space.length > 4 || space === '' ? indent.length + sign.length + 1 : whole.length
  return {
    kind: end ?? sign,
    start: number === undefined ? null : Number(number),
    column,
  }
}

/** Reads a list: items of one kind, until a line that belongs to none of them. */
export function readList(source: Source, at: number): Taken {
  const { lines } = source
  const first = readMarker(lines[at] ?? '')
  const items: Item[] = []
  let isLoose = false
  let next = at
  for (;;) {
    const marker = readMarker(lines[next] ?? '')
    if (!marker || marker.kind !== first?.kind) break
    const end = endOfItem(lines, next, marker.column)
    items.push(readItem(source, lines.slice(next, end), marker.column))
    const gap = skipEmpty(lines, end)
    const isFollowed = readMarker(lines[gap] ?? '')?.kind === first.kind
    if (isFollowed && gap > end) isLoose = true
    next = isFollowed ? gap : end
    if (!isFollowed) break
  }
  return { block: { type: 'list', start: first?.start ?? null, isLoose, items }, next }
}

function skipEmpty(lines: readonly string[], at: number): number {
  let next = at
  while (next < lines.length && (lines[next] ?? '').trim() === '') next++
  return next
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** An item has the lines that are indented to its text, and those that go on with its last paragraph. */
function endOfItem(lines: readonly string[], at: number, column: number): number {
  let end = at + 1
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (line.trim() === '') continue
    const isInside = indentOf(line) >= column
    const goesOn = next === end && (lines[next - 1] ?? '').trim() !== '' && !interrupts(line)
    if (!isInside && !(goesOn && !MARKER.test(line))) break
    end = next + 1
  }
  return end
}

const TASK = /^\[([ xX])\] +/

function readItem({ parseInner }: Source, lines: readonly string[], column: number): Item {
  const [first = '', ...others] = lines
  const text = first.slice(column)
  const task = TASK.exec(text)
  const inner = [
    task ? text.slice(task[0].length) : text,
    ...others.map((line) => line.slice(Math.min(column, indentOf(line)))),
  ]
  return {
    isDone: task ? task[1] !== ' ' : null,
    children: parseInner(inner),
  }
}

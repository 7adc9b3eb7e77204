/**
 * What stands below a file's name: blocks of rows, and between them lines that stay and are folded.
 *
 * A gap can be opened from either end, as far as its lines have been read. Rows are cut into blocks,
 * so that a browser lays out only what is seen of ten thousand of them.
 *
 * @module
 */

import { numberLines, rowsOf, type NumberedLine, type Row } from '#core/diff/columns.ts'
import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { CONTEXT_LINES } from '#core/diff/hunks.ts'

export type Layout = 'unified' | 'split'

export interface Block {
  readonly kind: 'block'
  readonly key: string
  readonly rows: readonly Row[]
  /** The row before the first one belongs to a change. */
  readonly within: boolean
}

/** Lines between two hunks, before the first or after the last one. */
export interface Gap {
  readonly kind: 'gap'
  readonly index: number
  /** The first line that is still folded, on each side. */
  readonly oldStart: number
  readonly newStart: number
  /** Lines that are folded; null where only the file itself knows. */
  readonly count: number | null
  /** Whether there is a hunk on that side, to which lines can be added. */
  readonly above: boolean
  readonly below: boolean
}

export type Segment = Block | Gap

/** Lines of a gap that have been read, at its two ends. */
export interface Opened {
  readonly top: readonly string[]
  readonly bottom: readonly string[]
  /** Lines of the last gap, which only the file itself can tell. */
  readonly total?: number
}

export type OpenedGaps = ReadonlyMap<number, Opened>

const NOTHING_OPENED: Opened = { top: [], bottom: [] }

export type End = 'top' | 'bottom'

export interface ReadLines {
  readonly texts: readonly string[]
  /** Lines that there are from the first of these to the end of the file. */
  readonly rest: number
}

/** The same gaps with more of one opened. */
export function openedMore(
  before: OpenedGaps,
  { index, below }: Gap,
  end: End,
  { texts, rest }: ReadLines,
): OpenedGaps {
  const { top, bottom, total = top.length + rest } = before.get(index) ?? NOTHING_OPENED
  const next =
    end === 'top' ? { top: [...top, ...texts], bottom } : { top, bottom: [...texts, ...bottom] }
  return new Map(before).set(index, below ? next : { ...next, total })
}

const ROWS_IN_BLOCK = 120

export function segmentsOf(
  { hunks }: FileDiff,
  layout: Layout,
  opened: OpenedGaps,
): readonly Segment[] {
  const segments: Segment[] = []
  let oldEnd = 1
  let newEnd = 1
  for (const [index, hunk] of hunks.entries()) {
    const [oldStart, newStart] = firstLines(hunk)
    const count = oldStart - oldEnd
    segments.push(...gapSegments(index, oldEnd, newEnd, count, hunks.length, opened))
    segments.push(...hunkBlocks(hunk, index, layout))
    oldEnd = oldStart + hunk.oldLines
    newEnd = newStart + hunk.newLines
  }
  const last = hunks.at(-1)
  if (last && mayGoOn(last)) {
    const count = opened.get(hunks.length)?.total ?? null
    segments.push(...gapSegments(hunks.length, oldEnd, newEnd, count, hunks.length, opened))
  }
  return segments
}

function gapSegments(
  index: number,
  oldStart: number,
  newStart: number,
  count: number | null,
  hunks: number,
  opened: OpenedGaps,
): Segment[] {
  if (count === 0) return []
  const { top, bottom } = opened.get(index) ?? NOTHING_OPENED
  const left = count === null ? null : count - top.length - bottom.length
  const gap: Gap = {
    kind: 'gap',
    index,
    oldStart: oldStart + top.length,
    newStart: newStart + top.length,
    count: left,
    above: index > 0,
    below: index < hunks,
  }
  const last = (count ?? 0) - bottom.length
  return [
    ...blocksOf(`t${index}-${top.length}`, staying(top, oldStart, newStart)),
    ...(left === 0 ? [] : [gap]),
    ...blocksOf(`b${index}-${bottom.length}`, staying(bottom, oldStart + last, newStart + last)),
  ]
}

function staying(texts: readonly string[], oldStart: number, newStart: number): Row[] {
  return texts.map((text, index) => {
    const line: DiffLine = { kind: 'context', text }
    const both: NumberedLine = { line, oldNumber: oldStart + index, newNumber: newStart + index }
    return { left: both, right: both }
  })
}

const known: Readonly<Record<Layout, WeakMap<Hunk, Block[]>>> = {
  unified: new WeakMap(),
  split: new WeakMap(),
}

/** The same blocks each time, so that those that are drawn already can stay. */
function hunkBlocks(hunk: Hunk, index: number, layout: Layout): Block[] {
  const blocks = known[layout].get(hunk) ?? blocksOf(`h${index}`, rowsIn(hunk, layout))
  known[layout].set(hunk, blocks)
  return blocks
}

function rowsIn(hunk: Hunk, layout: Layout): Row[] {
  if (layout === 'split') return rowsOf(hunk)
  return numberLines(hunk).map((line) =>
    line.newNumber === null ? { left: line, right: null } : { left: null, right: line },
  )
}

function blocksOf(key: string, rows: readonly Row[]): Block[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_IN_BLOCK) }, (_, index) => ({
    kind: 'block',
    key: `${key}.${index}`,
    rows: rows.slice(index * ROWS_IN_BLOCK, (index + 1) * ROWS_IN_BLOCK),
    within: isChanged(rows[index * ROWS_IN_BLOCK - 1]),
  }))
}

/** Whether a row is more than a line that stays. */
export function isChanged(row: Row | undefined): boolean {
  const side = row?.left ?? row?.right
  return side !== undefined && side !== null && side.line.kind !== 'context'
}

/** Where a hunk begins on both sides, counted from 1. Of an empty side the line before is told. */
function firstLines({ oldStart, oldLines, newStart, newLines }: Hunk): [number, number] {
  return [oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart]
}

/** With less context than there could be, the file ends here. */
function mayGoOn({ lines }: Hunk): boolean {
  const trailing = lines.length - 1 - lines.findLastIndex(({ kind }) => kind !== 'context')
  return trailing >= CONTEXT_LINES && lines.at(-1)?.noNewline !== true
}

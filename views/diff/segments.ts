/**
 * Segments of a file's diff: blocks of rows, and gaps of collapsed unchanged lines.
 *
 * A gap can be opened from either end, as far as its lines have been read. Rows are split into
 * blocks, so that a browser lays out only the visible ones.
 *
 * @module
 */

import { numberLines, rowsOf, type NumberedLine, type Row } from '#core/diff/layout.ts'
import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { CONTEXT_LINES } from '#core/diff/hunks.ts'

/** Layout of a diff: one column or two. */
export type Layout = 'unified' | 'split'

/** A block of rows. */
export interface Block {
  readonly kind: 'block'
  readonly key: string
  readonly rows: readonly Row[]
  /** Whether the row before the first one is part of the same change. */
  readonly within: boolean
  /** The index of its hunk; null for unchanged lines between hunks. */
  readonly hunk: number | null
}

/** Unchanged lines between two hunks, before the first or after the last one. */
export interface Gap {
  readonly kind: 'gap'
  /** Index of the hunk after the gap. */
  readonly index: number
  /** First line that is still collapsed, in the old and in the new file. */
  readonly oldStart: number
  readonly newStart: number
  /** Number of collapsed lines; null until the file has been read. */
  readonly count: number | null
  /** Whether a hunk adjoins on that side, to which lines can be added. */
  readonly above: boolean
  readonly below: boolean
}

/** A part of a file's diff. */
export type Segment = Block | Gap

/** Lines of a gap that have been read, at its two ends. */
export interface OpenedLines {
  readonly top: readonly string[]
  readonly bottom: readonly string[]
  /** Number of lines of the last gap, known after the first read. */
  readonly total?: number
}

/** The opened gaps of a file, by index. */
export type OpenedGaps = ReadonlyMap<number, OpenedLines>

const NOTHING_OPENED: OpenedLines = { top: [], bottom: [] }

/** An end of a gap. */
export type End = 'top' | 'bottom'

/** Lines read from a file. */
export interface ReadLines {
  readonly texts: readonly string[]
  /** Number of lines from the first of these to the end of the file. */
  readonly rest: number
}

/** Returns the opened gaps with more lines of one. */
export function openLines(
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

/** Returns the segments of a file. */
export function splitSegments(
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
  if (last && mayContinue(last)) {
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
    ...splitBlocks(`t${index}-${top.length}`, unchangedRows(top, oldStart, newStart)),
    ...(left === 0 ? [] : [gap]),
    ...splitBlocks(
      `b${index}-${bottom.length}`,
      unchangedRows(bottom, oldStart + last, newStart + last),
    ),
  ]
}

function unchangedRows(texts: readonly string[], oldStart: number, newStart: number): Row[] {
  return texts.map((text, index) => {
    const line: DiffLine = { kind: 'context', text }
    const both: NumberedLine = { line, oldNumber: oldStart + index, newNumber: newStart + index }
    return { left: both, right: both }
  })
}

const blockCache: Readonly<Record<Layout, WeakMap<Hunk, Block[]>>> = {
  unified: new WeakMap(),
  split: new WeakMap(),
}

/** Returns the same block objects for each call, so that rendered blocks are kept. */
function hunkBlocks(hunk: Hunk, index: number, layout: Layout): Block[] {
  const blocks =
    blockCache[layout].get(hunk) ?? splitBlocks(`h${index}`, layoutRows(hunk, layout), index)
  blockCache[layout].set(hunk, blocks)
  return blocks
}

function layoutRows(hunk: Hunk, layout: Layout): Row[] {
  if (layout === 'split') return rowsOf(hunk)
  return numberLines(hunk).map((line) =>
    line.newNumber === null ? { left: line, right: null } : { left: null, right: line },
  )
}

function splitBlocks(key: string, rows: readonly Row[], hunk: number | null = null): Block[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_IN_BLOCK) }, (_, index) => ({
    kind: 'block',
    key: `${key}.${index}`,
    rows: rows.slice(index * ROWS_IN_BLOCK, (index + 1) * ROWS_IN_BLOCK),
    within: isChanged(rows[index * ROWS_IN_BLOCK - 1]),
    hunk,
  }))
}

/** Reports whether a row is a changed line. */
export function isChanged(row: Row | undefined): boolean {
  const side = row?.left ?? row?.right
  return side !== undefined && side !== null && side.line.kind !== 'context'
}

/**
 * Returns the first line of a hunk on both sides, from 1. For an empty side, a hunk gives the line
 * before.
 */
function firstLines({ oldStart, oldLines, newStart, newLines }: Hunk): [number, number] {
  return [oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart]
}

/**
 * Reports whether the file may continue after a hunk: less context than usual means the end of the
 * file.
 */
function mayContinue({ lines }: Hunk): boolean {
  const trailing = lines.length - 1 - lines.findLastIndex(({ kind }) => kind !== 'context')
  return trailing >= CONTEXT_LINES && lines.at(-1)?.noNewline !== true
}

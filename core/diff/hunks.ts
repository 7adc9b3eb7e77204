/**
 * Hunks: a difference as a person reads it, in groups of changed lines with some lines round them.
 *
 * This is the structure that everything shows: `unified.ts` prints it, `columns.ts` lays it out side
 * by side, `apply.ts` makes the new text of it, and it travels as JSON. Deleted lines stand before
 * inserted ones. Where a deleted line became an inserted one, both have `spans`, so the nth deleted
 * line with `spans` of a run belongs to the nth inserted line with `spans` after it.
 *
 * @module
 */

import { diffLines, type Change, type Lines, type LineScript } from './lines.ts'
import { createMarker, type Marker } from './marks.ts'
import type { Span } from './words.ts'

export interface DiffLine {
  readonly kind: 'context' | 'delete' | 'insert'
  /** Without its `\n`. A `\r` belongs to the text. */
  readonly text: string
  /** The parts that changed. Only there on a line that has a partner; empty when none did. */
  readonly spans?: readonly Span[]
  /** The last line of its text, which does not end with `\n`. */
  readonly noNewline?: true
}

export interface Hunk {
  /** Counts from 1. Of an empty side it is the line before, so 0 where there is none. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly DiffLine[]
}

export interface DiffStats {
  readonly added: number
  readonly removed: number
  readonly hunks: number
}

export interface TextDiff {
  readonly hunks: readonly Hunk[]
  readonly stats: DiffStats
}

/** Lines that are shown round each change. */
export const CONTEXT_LINES = 3

/** The difference between two texts. There are no hunks when they are equal. */
export function diffTexts(oldText: string, newText: string, context = CONTEXT_LINES): TextDiff {
  const script = diffLines(oldText, newText)
  const mark = createMarker()
  const hunks = groupChanges(script.changes, context).map((group) =>
    hunkOf(script, group, context, mark),
  )
  return { hunks, stats: statsOf(hunks) }
}

export function statsOf(hunks: readonly Hunk[]): DiffStats {
  let added = 0
  let removed = 0
  for (const { lines } of hunks) {
    for (const { kind } of lines) {
      if (kind === 'insert') added++
      if (kind === 'delete') removed++
    }
  }
  return { added, removed, hunks: hunks.length }
}

interface Group {
  readonly first: Change
  last: Change
  readonly changes: Change[]
}

/** Changes with so few lines between them that their context would touch belong together. */
function groupChanges(changes: readonly Change[], context: number): Group[] {
  const groups: Group[] = []
  for (const change of changes) {
    const group = groups.at(-1)
    if (group && change.oldStart - group.last.oldEnd <= 2 * context) {
      group.changes.push(change)
      group.last = change
    } else groups.push({ first: change, last: change, changes: [change] })
  }
  return groups
}

function hunkOf(script: LineScript, group: Group, context: number, mark: Marker): Hunk {
  const { first, last, changes } = group
  const before = Math.min(context, first.oldStart)
  const after = Math.min(context, script.old.texts.length - last.oldEnd)
  const start = first.oldStart - before
  const end = last.oldEnd + after

  const parts: DiffLine[][] = []
  let at = start
  for (const change of changes) {
    parts.push(
      linesOf(script.old, 'context', at, change.oldStart),
      ...changed(script, change, mark),
    )
    at = change.oldEnd
  }
  parts.push(linesOf(script.old, 'context', at, end))

  const [oldStart, oldLines] = side(start, end)
  const [newStart, newLines] = side(first.newStart - before, last.newEnd + after)
  return { oldStart, oldLines, newStart, newLines, lines: parts.flat() }
}

function side(low: number, high: number): [start: number, lines: number] {
  return [low < high ? low + 1 : low, high - low]
}

function changed(script: LineScript, change: Change, mark: Marker): [DiffLine[], DiffLine[]] {
  const deleted = linesOf(script.old, 'delete', change.oldStart, change.oldEnd)
  const inserted = linesOf(script.new, 'insert', change.newStart, change.newEnd)
  mark(deleted, inserted)
  return [deleted, inserted]
}

function linesOf(lines: Lines, kind: DiffLine['kind'], low: number, high: number): DiffLine[] {
  const unterminated = lines.terminated ? -1 : lines.texts.length - 1 - low
  return lines.texts
    .slice(low, high)
    .map((text, at) => (at === unterminated ? { kind, text, noNewline: true } : { kind, text }))
}

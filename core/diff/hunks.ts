/**
 * Hunks: a difference for people to read, as groups of changed lines with context lines around them.
 *
 * All views use this structure: `unified.ts` prints it, `layout.ts` arranges it side by side, and
 * it is sent as JSON. Deleted lines come before inserted ones. If a
 * deleted line became an inserted one, both have `spans`, so the nth deleted line with `spans` of a run
 * belongs to the nth inserted line with `spans` after it.
 *
 * @module
 */

import { createMarker, type Marker, type Span } from './inline.ts'
import { diffLines, type Change, type Lines, type LineScript } from './lines.ts'

/** A line of a hunk. */
export interface DiffLine {
  readonly kind: 'context' | 'delete' | 'insert'
  /** The line without its `\n`. A `\r` is part of the text. */
  readonly text: string
  /** The parts that changed. Present only on a line that has a partner; empty if nothing changed. */
  readonly spans?: readonly Span[]
  /** Set on the last line of a text that does not end with `\n`. */
  readonly noNewline?: true
}

/** A group of changed lines with their context. */
export interface Hunk {
  /** First line, counted from 1. On an empty side it is the line before, so 0 at the start. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly DiffLine[]
}

/** The size of a difference. */
export interface DiffStats {
  /** Inserted lines. */
  readonly added: number
  /** Deleted lines. */
  readonly removed: number
  readonly hunks: number
}

/** The difference between two texts. */
export interface TextDiff {
  readonly hunks: readonly Hunk[]
  readonly stats: DiffStats
}

/** Default number of context lines around each change. */
export const CONTEXT_LINES = 3

/** Compares two texts. The result has no hunks if they are equal. */
export function diffTexts(oldText: string, newText: string, context = CONTEXT_LINES): TextDiff {
  const script = diffLines(oldText, newText)
  const mark = createMarker()
  const hunks = groupChanges(script.changes, context).map((group) =>
    hunkOf(script, group, context, mark),
  )
  return { hunks, stats: statsOf(hunks) }
}

/** Counts the inserted lines, the deleted lines and the hunks. */
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

/** Groups changes whose context would touch or overlap. */
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

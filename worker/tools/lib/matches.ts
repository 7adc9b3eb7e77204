/**
 * Search results, collected within a byte limit: first with context, then without it, then without the lines of files with
 * long lines, then counts only. So a minified file never takes the place of source code.
 *
 * Content that no longer fits is dropped at once, so a search for a single letter in a large workspace needs
 * little memory. The text says how to go on where something is not shown: `test/worker/tools/search-notes.test.ts`.
 *
 * @module
 */

import { utf8Bytes } from '../../encoding/json-bytes.ts'
import { firstFitting } from './first-fitting.ts'
import { countSkipped, describeLeftOut, type LeftOut } from './left-out.ts'

interface FileMatches {
  readonly path: string
  readonly count: number
  /** Whether a matching line is long, as those of minified files. */
  readonly isLong: boolean
  full: string[] | null
  reduced: string[] | null
}

/** The structured content of a search. */
export interface SearchStructure extends Record<string, unknown> {
  files: readonly { path: string; matches?: string[]; count?: number }[]
  /** Files that are listed. */
  count: number
  total_files: number
  total_matches: number
  truncated: boolean
  /** `reduced` has no context, `summary` only counts. */
  mode: 'full' | 'reduced' | 'summary'
  /** Files in scope that were not searched, and hidden ones that may match. */
  skipped?: number
  hidden?: number
  /** What was left out, and why nothing may have been found. */
  note?: string
}

/** The collector of one search. */
export type Matches = ReturnType<typeof createMatches>

interface Collected {
  readonly maxBytes: number
  readonly summaryTop: number
  kept: FileMatches[]
  mode: SearchStructure['mode']
  /** Whether files with long lines have only a count. */
  isWithoutLong: boolean
  fullBytes: number
  reducedBytes: number
  totalFiles: number
  totalMatches: number
}

/** Returns the lines of a file's matches, with or without context. */
export type MatchLines = (mode: 'full' | 'reduced') => string[]

/** The matches of one file. */
export interface Found extends Pick<FileMatches, 'path' | 'count' | 'isLong'> {
  readonly lines: MatchLines
}

/** What the end of a search adds to its matches. */
export interface SearchEnd {
  readonly left: LeftOut
  /** Why nothing may have been found. */
  readonly notes?: readonly string[]
}

/**
 * Creates a collector. `maxBytes` 0 is no limit; `summaryTop` is the maximum number of files that a summary
 * lists, 0 for all.
 */
export function createMatches(maxBytes: number, summaryTop: number) {
  const sizes = { fullBytes: 0, reducedBytes: 0, totalFiles: 0, totalMatches: 0 }
  const collected: Collected = {
    maxBytes,
    summaryTop,
    kept: [],
    mode: 'full',
    isWithoutLong: false,
    ...sizes,
  }
  return {
    add: (found: Found) => add(collected, found),
    /** Whether nothing was added yet. */
    isEmpty: () => collected.totalFiles === 0,
    end: (end: SearchEnd) => summarizeAll(collected, end),
  }
}

function add(matches: Collected, { path, count, isLong, lines }: Found): void {
  if (count === 0) return
  matches.totalFiles++
  matches.totalMatches += count
  const isCounted = matches.mode === 'summary' || (isLong && matches.isWithoutLong)
  const full = matches.mode === 'full' ? lines('full') : null
  const reduced = isCounted ? null : lines('reduced')
  matches.kept.push({ path, count, isLong, full, reduced })
  matches.fullBytes += bytesOf(path, full)
  matches.reducedBytes += reduced ? bytesOf(path, reduced) : countBytes({ path, count })
  if (matches.mode === 'full' && isTooMuch(matches, matches.fullBytes)) dropContext(matches)
  if (matches.mode === 'reduced' && isTooMuch(matches, matches.reducedBytes)) dropLongLines(matches)
  if (matches.mode === 'reduced' && isTooMuch(matches, matches.reducedBytes)) dropLines(matches)
  const { summaryTop: limit, kept } = matches
  if (matches.mode === 'summary' && limit > 0 && kept.length > 4 * limit)
    matches.kept = listTop(matches)
}

function isTooMuch({ maxBytes }: Collected, bytes: number): boolean {
  return maxBytes > 0 && bytes > maxBytes
}

function dropContext(matches: Collected): void {
  matches.mode = 'reduced'
  for (const file of matches.kept) file.full = null
}

function dropLongLines(matches: Collected): void {
  matches.isWithoutLong = true
  for (const file of matches.kept) {
    if (!file.isLong) continue
    matches.reducedBytes += countBytes(file) - bytesOf(file.path, file.reduced)
    file.reduced = null
  }
}

function dropLines(matches: Collected): void {
  matches.mode = 'summary'
  for (const file of matches.kept) file.reduced = null
}

function listTop(matches: Collected): FileMatches[] {
  const byCount = matches.kept.toSorted(
    (a, b) =>
      Number(a.isLong) - Number(b.isLong) || b.count - a.count || (a.path < b.path ? -1 : 1),
  )
  return matches.summaryTop > 0 ? byCount.slice(0, matches.summaryTop) : byCount
}

const writeCount = ({ path, count }: SearchStructure['files'][number]) => `${path}: ${count}`

function summarizeAll(
  matches: Collected,
  { left, notes = [] }: SearchEnd,
): { text: string; structured: SearchStructure } {
  const shown = matches.mode === 'summary' ? listTop(matches) : matches.kept
  const all = shown.map(({ path, count, full, reduced }) => {
    const lines = full ?? reduced
    return lines ? { path, matches: lines } : { path, count }
  })
  const isBounded = matches.mode === 'summary' && matches.maxBytes > 0
  const files = isBounded ? firstFitting(all, writeCount) : all
  const skipped = countSkipped(left)
  const leftOut = describeLeftOut(left, all.length === 0)
  const note = [leftOut, ...notes].filter((each) => each !== null).join('; ')
  const structured = {
    files,
    count: files.length,
    total_files: matches.totalFiles,
    total_matches: matches.totalMatches,
    truncated: matches.mode !== 'full',
    mode: matches.mode,
    ...(skipped > 0 && { skipped }),
    ...(left.hidden > 0 && { hidden: left.hidden }),
    ...(note && { note }),
  }
  const text = formatMatches(structured)
  return { text: text + notesOf(structured, text), structured }
}

function formatMatches({ files, mode, note, ...totals }: SearchStructure): string {
  if (totals.total_files === 0) return note ? 'No matches in what was searched' : 'No matches'
  if (mode !== 'summary')
    return files
      .map(({ path, matches, count }) =>
        matches ? `${path}\n${matches.join('\n--\n')}` : `${path}: ${count} long lines`,
      )
      .join('\n\n')
  const lines = files.map(writeCount)
  return (
    `${totals.total_matches} matching lines in ${totals.total_files} files, too many to show. Files with the most matches:\n` +
    `${lines.join('\n')}\n(narrow it with root, glob or a longer pattern)`
  )
}

/** Matches a line that `grep.ts` has cut. A file may have the same text, and then the note is of no use. */
const CUT = /\[TRUNCATED: \d+ bytes hidden(?:, from column \d+)?\]$/m

/** Writes how to go on, for each thing that is not shown. */
function notesOf({ mode, note }: SearchStructure, text: string): string {
  const notes = [
    mode === 'reduced' &&
      'context was left out to stay within the limit: narrow it with root or glob, or use read_file with start_line',
    CUT.test(text) && 'for more of a cut line, use read_file with its start_line and column',
    note ?? false,
  ]
  return notes.flatMap((each) => (each === false ? [] : `\n(${each})`)).join('')
}

/** The bytes of the matches of a file in the structured content, which is longer than the text. */
function bytesOf(path: string, chunks: readonly string[] | null): number {
  return chunks === null ? 0 : utf8Bytes(JSON.stringify({ path, matches: chunks })) + 1
}

/** The bytes of a file of which only the number of matches is shown. */
function countBytes({ path, count }: Pick<FileMatches, 'path' | 'count'>): number {
  return utf8Bytes(JSON.stringify({ path, count })) + 1
}

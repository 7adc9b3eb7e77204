/**
 * Search results, collected within a byte limit: first with context, then without it, then counts only.
 *
 * Content that no longer fits is dropped at once, so a search for a single letter in a large workspace needs
 * little memory. The text says how to go on where something is not shown: `test/worker/tools/search-notes.test.ts`.
 *
 * @module
 */

import { utf8Bytes } from '../../encoding/json-bytes.ts'
import { firstFitting } from './first-fitting.ts'

interface FileMatches {
  readonly path: string
  readonly count: number
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
}

/** The collector of one search. */
export type Matches = ReturnType<typeof createMatches>

interface Collected {
  readonly maxBytes: number
  readonly summaryTop: number
  kept: FileMatches[]
  mode: SearchStructure['mode']
  fullBytes: number
  reducedBytes: number
  totalFiles: number
  totalMatches: number
}

/** Returns the lines of a file's matches, with or without context. */
export type MatchLines = (mode: 'full' | 'reduced') => string[]

/**
 * Creates a collector. `maxBytes` 0 is no limit; `summaryTop` is the maximum number of files that a summary
 * lists, 0 for all.
 */
export function createMatches(maxBytes: number, summaryTop: number) {
  const sizes = { fullBytes: 0, reducedBytes: 0, totalFiles: 0, totalMatches: 0 }
  const collected: Collected = { maxBytes, summaryTop, kept: [], mode: 'full', ...sizes }
  return {
    add: (path: string, count: number, lines: MatchLines) => add(collected, path, count, lines),
    end: (skipped: number, largest: number) => summarizeAll(collected, skipped, largest),
  }
}

function add(matches: Collected, path: string, count: number, lines: MatchLines): void {
  if (count === 0) return
  matches.totalFiles++
  matches.totalMatches += count
  const full = matches.mode === 'full' ? lines('full') : null
  const reduced = matches.mode === 'summary' ? null : lines('reduced')
  matches.kept.push({ path, count, full, reduced })
  matches.fullBytes += bytesOf(path, full)
  matches.reducedBytes += bytesOf(path, reduced)
  if (matches.mode === 'full' && isTooMuch(matches, matches.fullBytes)) dropContext(matches)
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

function dropLines(matches: Collected): void {
  matches.mode = 'summary'
  for (const file of matches.kept) file.reduced = null
}

function listTop(matches: Collected): FileMatches[] {
  const byCount = [...matches.kept].sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
  return matches.summaryTop > 0 ? byCount.slice(0, matches.summaryTop) : byCount
}

const writeCount = ({ path, count }: SearchStructure['files'][number]) => `${path}: ${count}`

function summarizeAll(
  matches: Collected,
  skipped: number,
  largest: number,
): { text: string; structured: SearchStructure } {
  const shown = matches.mode === 'summary' ? listTop(matches) : matches.kept
  const all = shown.map(({ path, count, full, reduced }) => {
    const lines = full ?? reduced
    return lines ? { path, matches: lines } : { path, count }
  })
  const isBounded = matches.mode === 'summary' && matches.maxBytes > 0
  const files = isBounded ? firstFitting(all, writeCount) : all
  const structured = {
    files,
    count: files.length,
    total_files: matches.totalFiles,
    total_matches: matches.totalMatches,
    truncated: matches.mode !== 'full',
    mode: matches.mode,
    ...(skipped > 0 && { skipped }),
  }
  const text = formatMatches(structured)
  return { text: text + notesOf(structured, text, { skipped, largest }), structured }
}

function formatMatches({ files, mode, total_files, total_matches }: SearchStructure): string {
  if (total_files === 0) return 'No matches'
  if (mode !== 'summary')
    return files.map(({ path, matches = [] }) => `${path}\n${matches.join('\n--\n')}`).join('\n\n')
  const lines = files.map(writeCount)
  return (
    `${total_matches} matching lines in ${total_files} files, too many to show. Files with the most matches:\n` +
    `${lines.join('\n')}\n(narrow it with root, glob or a longer pattern)`
  )
}

/** Matches a line that `grep.ts` has cut. A file may have the same text, and then the note is of no use. */
const CUT = /\[TRUNCATED: \d+ bytes hidden\]$/m

/** Writes how to go on, for each thing that is not shown. */
function notesOf(
  { mode }: SearchStructure,
  text: string,
  { skipped, largest }: { readonly skipped: number; readonly largest: number },
): string {
  const notes = [
    mode === 'reduced' &&
      'context was left out to stay within the limit: narrow it with root or glob, or use read_file with start_line',
    CUT.test(text) && 'read the rest of a cut line with read_file, encoding base64',
    skipped > 0 &&
      `${skipped} files were not searched, because they are larger than ${largest} bytes or there were too many: use root or glob, or read_file with start_line`,
  ]
  return notes.flatMap((note) => (note === false ? [] : `\n(${note})`)).join('')
}

/** The bytes of the matches of a file in the structured content, which is longer than the text. */
function bytesOf(path: string, chunks: readonly string[] | null): number {
  return chunks === null ? 0 : utf8Bytes(JSON.stringify({ path, matches: chunks })) + 1
}

/**
 * Search results, collected within a byte limit: first with context, then without it, then counts only.
 *
 * Content that no longer fits is dropped at once, so a search for a single letter in a large workspace needs
 * little memory.
 *
 * @module
 */

interface FileMatches {
  readonly path: string
  readonly count: number
  full: string[] | null
  reduced: string[] | null
}

/** The structured content of a search. */
export interface SearchStructure extends Record<string, unknown> {
  files: { path: string; matches?: string[]; count?: number }[]
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

/**
 * Creates a collector. `maxBytes` 0 is no limit; `summaryTop` is the most files that a summary lists, 0 for
 * all.
 */
export function createMatches(maxBytes: number, summaryTop: number) {
  let kept: FileMatches[] = []
  let mode: 'full' | 'reduced' | 'summary' = 'full'
  let fullBytes = 0
  let reducedBytes = 0
  let totalFiles = 0
  let totalMatches = 0

  const tooMuch = (bytes: number) => maxBytes > 0 && bytes > maxBytes

  function add(path: string, count: number, lines: (mode: 'full' | 'reduced') => string[]): void {
    if (count === 0) return
    totalFiles++
    totalMatches += count
    const full = mode === 'full' ? lines('full') : null
    const reduced = mode === 'summary' ? null : lines('reduced')
    kept.push({ path, count, full, reduced })
    fullBytes += bytesOf(path, full)
    reducedBytes += bytesOf(path, reduced)
    if (mode === 'full' && tooMuch(fullBytes)) reduce()
    if (mode === 'reduced' && tooMuch(reducedBytes)) summarize()
    if (mode === 'summary' && summaryTop > 0 && kept.length > 4 * summaryTop) kept = top()
  }

  function reduce(): void {
    mode = 'reduced'
    for (const file of kept) file.full = null
  }

  function summarize(): void {
    mode = 'summary'
    for (const file of kept) file.reduced = null
  }

  function top(): FileMatches[] {
    const byCount = [...kept].sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
    return summaryTop > 0 ? byCount.slice(0, summaryTop) : byCount
  }

  function end(skipped: number, largest: number): { text: string; structured: SearchStructure } {
    const shown = mode === 'summary' ? top() : kept
    const files = shown.map(({ path, count, full, reduced }) => {
      const matches = full ?? reduced
      return matches ? { path, matches } : { path, count }
    })
    const structured = {
      files,
      count: files.length,
      total_files: totalFiles,
      total_matches: totalMatches,
      truncated: mode !== 'full',
      mode,
      ...(skipped > 0 && { skipped }),
    }
    const unread =
      skipped > 0
        ? `\n(${skipped} files were not searched: larger than ${largest} bytes, or too many)`
        : ''
    return { text: said(structured) + unread, structured }
  }

  return { add, end }
}

function said({ files, mode, total_files, total_matches }: SearchStructure): string {
  if (total_files === 0) return 'No matches'
  if (mode !== 'summary') {
    const sections = files.map(({ path, matches = [] }) => `${path}\n${matches.join('\n--\n')}`)
    const note = mode === 'reduced' ? '\n\n(context was left out to stay within the limit)' : ''
    return sections.join('\n\n') + note
  }
  const lines = files.map(({ path, count }) => `${path}: ${count}`)
  return (
    `${total_matches} matching lines in ${total_files} files, too many to show. Files with most:\n` +
    `${lines.join('\n')}\n(narrow it with root, glob or a longer pattern)`
  )
}

const encoder = new TextEncoder()

function bytesOf(path: string, chunks: readonly string[] | null): number {
  return (chunks ?? []).reduce((sum, chunk) => sum + encoder.encode(chunk).length + 4, path.length)
}

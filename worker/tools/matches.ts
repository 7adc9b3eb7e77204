/**
 * Matches as they are gathered: everything while it fits, then without context, then counts alone.
 *
 * What does not fit any more is not kept either, so a search for a single letter in a large
 * workspace costs time and no memory.
 *
 * @module
 */

interface FileMatches {
  readonly path: string
  readonly count: number
  full: string[] | null
  reduced: string[] | null
}

export interface SearchStructure extends Record<string, unknown> {
  files: { path: string; matches?: string[]; count?: number }[]
  count: number
  total_files: number
  total_matches: number
  truncated: boolean
  mode: 'full' | 'reduced' | 'summary'
}

export type Matches = ReturnType<typeof createMatches>

/** `maxBytes` 0 means that everything fits. */
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

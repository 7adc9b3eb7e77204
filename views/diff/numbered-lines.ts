/**
 * Reads the unchanged lines of a file through the tool `read_file`, from the file as it is now, if it is still the one
 * that was compared: otherwise the numbers of the lines would be wrong. `test/views/review/review.test.ts` opens some.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import type { LineReader } from './gap.tsx'

interface Source {
  /** Calls `read_file`, and returns the structured content of its result; null if it failed. */
  readonly readFile: (args: {
    readonly path: string
    readonly start_line: number
    readonly limit: number
  }) => Promise<unknown>
  /** Whether the file is as it was before the change. */
  readonly isOld: boolean
  /** Whether the file of this version is the one that was compared. */
  readonly isSame: (version: unknown) => boolean
}

/** Creates the reader. It throws errors with messages for the user. */
export function createFileReader({ readFile, isOld, isSame }: Source): LineReader {
  return async (file, gap, from, count) => {
    const path = (isOld ? file.from : file.to) ?? ''
    const start = (isOld ? gap.oldStart : gap.newStart) + from
    const result = await readFile({ path, start_line: start, limit: count })
    const { content, total, version } = recordOf(result)
    if (typeof content !== 'string' || typeof total !== 'number')
      throw new Error('Cannot read the file')
    if (!isSame(version)) throw new Error('The file has changed since')
    return { texts: parseNumberedLines(content, start), rest: Math.max(0, total - start + 1) }
  }
}

/** Parses `12: text` lines, as far as the numbers are consecutive. */
function parseNumberedLines(content: string, start: number): string[] {
  const lines = content === '' ? [] : content.split('\n')
  const prefix = (index: number) => `${start + index}: `
  const end = lines.findIndex((line, index) => !line.startsWith(prefix(index)))
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line, index) => line.slice(prefix(index).length))
}

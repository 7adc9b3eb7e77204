/**
 * Reads unchanged lines from the current file, if it is still the version of the change.
 *
 * For a preview that is the version before it, for an applied change the version after it. If the
 * file has changed since, the line numbers would be wrong, so nothing is shown.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import type { Bridge } from '../bridge.ts'
import type { LineReader } from '../diff/gap.tsx'
import type { ShownChange } from './store.ts'

/** Creates the reader of unchanged lines. It throws errors with messages for the user. */
export function createLineReader(
  bridge: Bridge,
  { status, last, change }: ShownChange,
): LineReader {
  const isOld = status !== 'applied'
  const isSame = (version: unknown) =>
    last ? version === last.version : typeof version === 'number' && version <= change.basis

  return async (file, gap, from, count) => {
    const path = (isOld ? file.from : file.to) ?? ''
    const start = (isOld ? gap.oldStart : gap.newStart) + from
    const args = { path, start_line: start, limit: count }
    const result = await bridge.callTool('read_file', args)
    const { content, total, version } = recordOf(result.structuredContent)
    if (result.isError || typeof content !== 'string' || typeof total !== 'number')
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

/**
 * Reads the files that a change touched, with line counts. A change never differs, so results are
 * cached.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { Connection } from '../../mcp/connection.ts'
import { buildReviewUri, type Change } from './changes.ts'

/** A file that a change touched. */
export interface TouchedFile {
  readonly path: string
  /** The path before the change; null for a new file. */
  readonly from: string | null
  readonly added: number
  readonly removed: number
  /** Whether the change deleted the file. */
  readonly isGone: boolean
}

const MAX_CACHED = 300
const cache = new Map<string, readonly TouchedFile[]>()

/**
 * Reads the files that a change touched.
 *
 * @throws {ConnectionError} If the change's resource cannot be read.
 * @throws {SyntaxError} If it is not JSON.
 */
export async function readTouchedFiles(
  connection: Connection,
  change: Pick<Change, 'id' | 'tool'>,
  signal: AbortSignal,
): Promise<readonly TouchedFile[]> {
  const before = cache.get(change.id)
  if (before) return before
  const [contents] = await connection.readResource(`${buildReviewUri(change)}.json`, { signal })
  const facts: unknown = JSON.parse(contents?.text ?? 'null')
  const files = isRecord(facts) ? facts['files'] : null
  const list = Array.isArray(files) ? files.flatMap(readFile) : []
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(change.id, list)
  return list
}

function readFile(value: unknown): TouchedFile[] {
  if (!isRecord(value)) return []
  const { from, to, hunks } = value
  const path = typeof to === 'string' ? to : from
  if (typeof path !== 'string') return []
  const lines = Array.isArray(hunks) ? hunks.flatMap(readLines) : []
  const count = (kind: string) =>
    lines.filter((line) => isRecord(line) && line['kind'] === kind).length
  const before = typeof from === 'string' ? from : null
  const isGone = typeof to !== 'string'
  return [{ path, from: before, added: count('insert'), removed: count('delete'), isGone }]
}

function readLines(hunk: unknown): readonly unknown[] {
  const lines = isRecord(hunk) ? hunk['lines'] : null
  return Array.isArray(lines) ? lines : []
}

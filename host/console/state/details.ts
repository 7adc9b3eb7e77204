/**
 * Reads the files that a change touched, with line counts. A change never differs, so results are
 * cached.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { Connection } from '../../connection/types.ts'
import { reviewOf, type Change } from './changes.ts'

/** A file that a change touched. */
export interface Touched {
  readonly path: string
  /** The path before the change; null for a new file. */
  readonly from: string | null
  readonly added: number
  readonly removed: number
  /** Whether the change deleted the file. */
  readonly isGone: boolean
}

const MOST = 300
const known = new Map<string, readonly Touched[]>()

/**
 * Reads the files that a change touched.
 *
 * @throws {ConnectionError} If the change's resource cannot be read.
 * @throws {SyntaxError} If it is not JSON.
 */
export async function touchedBy(
  connection: Connection,
  change: Pick<Change, 'id' | 'tool'>,
  signal: AbortSignal,
): Promise<readonly Touched[]> {
  const before = known.get(change.id)
  if (before) return before
  const [contents] = await connection.readResource(`${reviewOf(change)}.json`, { signal })
  const facts: unknown = JSON.parse(contents?.text ?? 'null')
  const files = isRecord(facts) ? facts['files'] : null
  const list = Array.isArray(files) ? files.flatMap(readFile) : []
  if (known.size >= MOST) known.clear()
  known.set(change.id, list)
  return list
}

function readFile(value: unknown): Touched[] {
  if (!isRecord(value)) return []
  const { from, to, hunks } = value
  const path = typeof to === 'string' ? to : from
  if (typeof path !== 'string') return []
  const lines = Array.isArray(hunks) ? hunks.flatMap(linesOf) : []
  const count = (kind: string) =>
    lines.filter((line) => isRecord(line) && line['kind'] === kind).length
  const before = typeof from === 'string' ? from : null
  const isGone = typeof to !== 'string'
  return [{ path, from: before, added: count('insert'), removed: count('delete'), isGone }]
}

/** Returns the lines of a hunk, not validated. */
export function linesOf(hunk: unknown): readonly unknown[] {
  const lines = isRecord(hunk) ? hunk['lines'] : null
  return Array.isArray(lines) ? lines : []
}

/**
 * What a change touched, from its own resource: paths and line counts. It never differs for the same
 * change, so it is asked for once.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { Connection } from '../../connection/types.ts'
import { reviewOf, type Change } from './changes.ts'

export interface Touched {
  readonly path: string
  /** Where it was before. */
  readonly from: string | null
  readonly added: number
  readonly removed: number
  readonly isGone: boolean
}

const MOST = 300
const known = new Map<string, readonly Touched[]>()

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

/** The lines of a hunk as it came. */
export function linesOf(hunk: unknown): readonly unknown[] {
  const lines = isRecord(hunk) ? hunk['lines'] : null
  return Array.isArray(lines) ? lines : []
}

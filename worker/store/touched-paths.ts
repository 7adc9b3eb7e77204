/**
 * The paths that a change touched. Its row lists them, and the folders that it moved or removed with everything below,
 * whose paths are found in `versions`. The paths of a large change are in `touched_paths` instead.
 *
 * So no version needs an index by its number. `test/worker/store/touched-paths.test.ts` compares the paths with those of
 * the versions, and `test/platform/access/costs.test.ts` the rows that are read of what is hidden.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import { batchesOf } from './batches.ts'
import type { Relations } from './layer.ts'
import { compareKeys, findRange, isWhole, rangesBelow, type PathRanges } from './path-ranges.ts'

/** Maximum number of characters of the list in the row of a change, which is read for other facts as well. */
const MAX_IN_ROW = 1_000

/** What a change touched. */
export interface Touched {
  /** The paths, without those below a tree. */
  readonly paths: readonly StorePath[]
  /** Folders of which everything below was touched as well; none lies in another. */
  readonly trees: readonly StorePath[]
}

/** Returns what a change touched that has written some paths, and has moved or removed trees. */
export function touchedBy(written: Iterable<StorePath>, trees: ReadonlySet<StorePath>): Touched {
  const isBelow = (path: StorePath) => ancestorsOf(path).some((above) => trees.has(above))
  const isAlone = (path: StorePath) => trees.size === 0 || !isBelow(path)
  const [paths, alone] = [new Set([...written, ...trees]), [...trees].filter(isAlone)]
  return { paths: [...paths].filter(isAlone), trees: alone }
}

/** Returns paths as the row of a change has them; null where they are too many, and are written to their table. */
export function formatTouched(
  sql: SqlStorage,
  version: number,
  paths: readonly StorePath[],
): string | null {
  const text = JSON.stringify(paths)
  if (text.length <= MAX_IN_ROW) return text
  for (const some of batchesOf(paths))
    sql.exec(
      'INSERT INTO touched_paths (version, path) SELECT ?, value FROM json_each(?)',
      version,
      JSON.stringify(some),
    )
  return null
}

/** What the row of a change tells of the paths that it touched. */
export interface TouchedRow extends Record<string, SqlStorageValue> {
  version: number
  touched: string | null
  trees: string | null
}

/** Where the states of paths are. */
interface States extends Pick<Relations, 'versions'> {
  readonly sql: SqlStorage
}

/**
 * Reads paths in some ranges that a change touched and history still has, in order. It reads no row of another path: what
 * this costs must not tell what else the change touched.
 */
export function readTouched(
  states: States,
  row: TouchedRow,
  ranges: PathRanges,
  limit = Number.MAX_SAFE_INTEGER,
): StorePath[] {
  // Of a part of all paths, both places are read, because it must not tell whether the list was too long.
  const isApart = row.touched === null || !isWhole(ranges)
  const apart = isApart ? readApart(states, row, ranges, limit) : []
  const listed = apart.length < limit ? readListed(states, row, ranges, limit) : []
  const trees = row.trees === null ? [] : (JSON.parse(row.trees) as StorePath[])
  const inTrees = trees.flatMap((tree) => rangesBelow(tree, ranges))
  const below = apart.length + listed.length < limit ? readTrees(states, row, inTrees, limit) : []
  return [...apart, ...listed, ...below].toSorted(compareKeys).slice(0, limit)
}

function readListed(
  states: States,
  row: TouchedRow,
  ranges: PathRanges,
  limit: number,
): StorePath[] {
  const listed = (JSON.parse(row.touched ?? '[]') as StorePath[]).filter(
    (path) => findRange(ranges, path) >= 0,
  )
  const first = keptOf(states, row, listed.slice(0, limit))
  return first.length >= limit || listed.length <= limit ? first : keptOf(states, row, listed)
}

/** Returns those of some paths of which history still has the state after the change. */
function keptOf(
  { sql, versions }: States,
  { version }: TouchedRow,
  paths: readonly StorePath[],
): StorePath[] {
  if (paths.length === 0) return []
  const query = `SELECT value AS path FROM json_each(?2) p
    WHERE EXISTS (SELECT 1 FROM ${versions} v WHERE v.path = p.value AND v.version = ?1)`
  return pathsOf(sql.exec<PathRow>(query, version, JSON.stringify(paths)))
}

function readApart(
  { sql, versions }: States,
  { version }: TouchedRow,
  ranges: PathRanges,
  limit: number,
): StorePath[] {
  const query = `SELECT path FROM touched_paths p WHERE version = ?1 AND path >= ?2 AND path < ?3
    AND EXISTS (SELECT 1 FROM ${versions} v WHERE v.path = p.path AND v.version = ?1) LIMIT ?4`
  return ranges.flatMap(({ low, high }) =>
    pathsOf(sql.exec<PathRow>(query, version, low, high, limit)),
  )
}

function readTrees(
  { sql, versions }: States,
  { version }: TouchedRow,
  ranges: PathRanges,
  limit: number,
): StorePath[] {
  const query = `SELECT path FROM ${versions} WHERE path >= ? AND path < ? AND +version = ? LIMIT ?`
  return ranges.flatMap(({ low, high }) =>
    pathsOf(sql.exec<PathRow>(query, low, high, version, limit)),
  )
}

interface PathRow extends Record<string, SqlStorageValue> {
  path: StorePath
}

const pathsOf = (rows: Iterable<PathRow>): StorePath[] => Array.from(rows, ({ path }) => path)

/** Which paths are selected. Each text is SQL, in which `c` is the row of a change of the workspace. */
export interface TouchedQuery {
  readonly where: string
  /** The first path, and the one before which they end; by default all. */
  readonly low?: string
  readonly high?: string
}

/** SQL: selects columns of the versions `v` that changes of the workspace have written and history still has. */
export function selectTouched(
  columns: string,
  { where, low = "'/'", high = "'0'" }: TouchedQuery,
  { changes, versions, own } = { changes: 'changes', versions: 'versions', own: '' },
): string {
  const named = `v.path = t.value AND v.version = c.version`
  // The plus keeps SQLite from an index of its own making, for which it would read all versions.
  const below = `v.path >= max(t.value || '/', ${low}) AND v.path < min(t.value || '0', ${high}) AND +v.version = c.version`
  return [
    ['json_each(c.touched) t', named, `t.value >= ${low} AND t.value < ${high}`],
    [
      'touched_paths p',
      'v.path = p.path AND v.version = c.version',
      `p.version = c.version AND p.path >= ${low} AND p.path < ${high}`,
    ],
    ['json_each(c.trees) t', below, 'true'],
  ]
    .map(
      ([source, states, condition]) =>
        `SELECT ${columns} FROM ${changes} c CROSS JOIN ${source} CROSS JOIN ${versions} v ON ${own}${states}
         WHERE ${where} AND ${condition}`,
    )
    .join(' UNION ALL ')
}

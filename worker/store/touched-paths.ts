/**
 * The paths that a change touched. Its row lists them; those of a large change have rows of their own, in `touched_paths`.
 *
 * So a small write has no index of its versions to pay for. `test/worker/store/touched-paths.test.ts` compares the paths
 * with those of the versions, and `test/platform/access/costs.test.ts` the rows that are read of what is hidden.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { batchesOf } from './batches.ts'
import { compareKeys, findRange, isWhole, type PathRanges } from './path-ranges.ts'

/** Maximum number of characters of the list in the row of a change, which is read for other facts as well. */
const MAX_IN_ROW = 1_000

/** The `draft` of the paths of a change of the workspace. */
export const NO_DRAFT = 0

/** Where the paths of a change are written. A draft and a plan of it have changes of the same versions. */
interface TouchedPlace {
  readonly draft: number
  readonly version: number
  /** Whether some have rows of their own already. */
  readonly isApart: boolean
}

/** Writes paths that a change touched. Returns how many it touched, and their list for its row; null if they are apart. */
export function writeTouched(
  sql: SqlStorage,
  { draft, version, isApart }: TouchedPlace,
  paths: readonly StorePath[],
): { readonly count: number; readonly listed: string | null } {
  const listed = JSON.stringify(paths)
  if (!isApart && listed.length <= MAX_IN_ROW) return { count: paths.length, listed }
  for (const some of batchesOf(paths))
    sql.exec(
      `INSERT OR IGNORE INTO touched_paths (draft, version, path)
       SELECT ?, ?, value FROM json_each(?)`,
      draft,
      version,
      JSON.stringify(some),
    )
  const query = 'SELECT count(*) AS count FROM touched_paths WHERE draft = ? AND version = ?'
  const count = isApart
    ? sql.exec<{ count: number }>(query, draft, version).one().count
    : paths.length
  return { count, listed: null }
}

/** What the row of a change tells of the paths that it touched. */
export interface TouchedRow extends Record<string, SqlStorageValue> {
  version: number
  touched: string | null
}

/** Where the states of paths are. */
interface States {
  readonly sql: SqlStorage
  /** SQL: the versions of the layer. */
  readonly versions: string
  /** The draft of the layer; null for the workspace. */
  readonly draft: number | null
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
  return [...apart, ...listed].toSorted(compareKeys).slice(0, limit)
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
  { sql, versions, draft }: States,
  { version }: TouchedRow,
  ranges: PathRanges,
  limit: number,
): StorePath[] {
  const query = `SELECT path FROM touched_paths p
    WHERE draft IN (${draftsOf(draft)}) AND version = ?1 AND path >= ?2 AND path < ?3
      AND EXISTS (SELECT 1 FROM ${versions} v WHERE v.path = p.path AND v.version = ?1) LIMIT ?4`
  return ranges.flatMap(({ low, high }) =>
    pathsOf(sql.exec<PathRow>(query, version, low, high, limit)),
  )
}

const draftsOf = (draft: number | null) => (draft === null ? NO_DRAFT : `${NO_DRAFT}, ${draft}`)

interface PathRow extends Record<string, SqlStorageValue> {
  path: StorePath
}

const pathsOf = (rows: Iterable<PathRow>): StorePath[] => Array.from(rows, ({ path }) => path)

/** Which paths are selected. Each text is SQL, in which `c` is the row of a change. */
export interface TouchedQuery {
  readonly where: string
  /** The first path, and the one before which they end; by default all. */
  readonly low?: string
  readonly high?: string
}

/**
 * SQL: selects columns of the versions `v` that changes have written and history still has: those of the workspace, or of
 * a draft alone.
 */
export function selectTouched(
  columns: string,
  { where, low = "'/'", high = "'0'" }: TouchedQuery,
  draft: number | null = null,
): string {
  const [prefix, own] =
    draft === null ? ['', ''] : ['draft_', `c.draft = ${draft} AND v.draft = ${draft} AND `]
  const places = [
    ['json_each(c.touched) t', 't.value'],
    [`touched_paths t ON t.draft = ${draft ?? NO_DRAFT} AND t.version = c.version`, 't.path'],
  ]
  return places
    .map(
      ([source, path]) =>
        `SELECT ${columns} FROM ${prefix}changes c CROSS JOIN ${source}
         CROSS JOIN ${prefix}versions v ON v.path = ${path} AND v.version = c.version
         WHERE ${own}${where} AND ${path} >= ${low} AND ${path} < ${high}`,
    )
    .join(' UNION ALL ')
}

/**
 * The paths that a change touched. Its row lists them, and the folders that it moved or removed with everything below,
 * whose paths are found in `versions`. A long list is in chunks instead, by the first path of each.
 *
 * So no version needs an index by its number. `test/worker/store/touched-paths.test.ts` compares the paths with those of
 * the versions.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import { compareKeys } from './path-ranges.ts'

/** Maximum number of characters of a list in the row of a change, which is read for other facts as well. */
const MAX_IN_ROW = 1_000

/** Maximum number of paths of a chunk. */
const CHUNK = 100

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

/** Writes a list of paths that is too long for the row of its change. Returns the other lists as JSON. */
export function formatTouched(
  sql: SqlStorage,
  version: number,
  paths: readonly StorePath[],
): string | null {
  const text = JSON.stringify(paths)
  if (text.length <= MAX_IN_ROW) return text
  const sorted = paths.toSorted(compareKeys)
  for (let at = 0; at < sorted.length; at += CHUNK) {
    const chunk = sorted.slice(at, at + CHUNK)
    sql.exec(
      'INSERT INTO touched_paths (version, low, paths) VALUES (?, ?, ?)',
      version,
      chunk[0],
      JSON.stringify(chunk),
    )
  }
  return null
}

/** Which paths are selected. Each text is SQL, in which `c` is the row of a change. */
export interface TouchedQuery {
  /** The draft whose changes there may be besides those of the workspace. */
  readonly of: number | null
  /** The changes, with the alias `c`; by default `c` is a row of an outer query. */
  readonly from?: string
  readonly where?: string
  /** The first path, and the one before which they end; by default all. */
  readonly low?: string
  readonly high?: string
}

/** SQL: selects columns of the versions `v` that changes have written and history still has. */
export function selectTouched(columns: string, query: TouchedQuery): string {
  const { of, from, where = 'true', low = "'/'", high = "'0'" } = query
  const changes = from === undefined ? '' : `${from} CROSS JOIN `
  const versions = [
    'versions v ON',
    ...(of === null ? [] : [`draft_versions v ON v.draft = ${of} AND`]),
  ]
  const named = 'v.path = t.value AND v.version = c.version'
  // The plus keeps SQLite from an index of its own making, for which it would read all versions.
  const below = `v.path >= max(t.value || '/', ${low}) AND v.path < min(t.value || '0', ${high}) AND +v.version = c.version`
  const listed = `t.value >= ${low} AND t.value < ${high}`
  // A chunk that begins before the range may end in it.
  const first = `ifnull((SELECT max(low) FROM touched_paths WHERE version = c.version AND low <= ${low}), '')`
  const sources = [
    ['json_each(c.touched) t', named, listed],
    [
      'touched_paths p CROSS JOIN json_each(p.paths) t',
      named,
      `c.touched IS NULL AND p.version = c.version AND p.low >= ${first} AND p.low < ${high} AND ${listed}`,
    ],
    ['json_each(c.trees) t', below, 'true'],
  ]
  const select = (table: string) =>
    sources
      .map(
        ([source, states, condition]) =>
          `SELECT ${columns} FROM ${changes}${source} CROSS JOIN ${table} ${states} WHERE ${where} AND ${condition}`,
      )
      .join(' UNION ALL ')
  // A Durable Object accepts at most five terms at once.
  return versions.map((table) => `SELECT * FROM (${select(table)})`).join(' UNION ALL ')
}

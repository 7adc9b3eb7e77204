/**
 * Merges the segments of the index of names. FTS5 writes a segment in each transaction and merges only some of them, and
 * a query looks up each of its trigrams in every segment: 13 trigrams of a name took 171 microseconds in the 15 segments
 * that a million files leave, and 20 in one.
 *
 * `test/worker/search/segments.test.ts` tests it.
 *
 * @module
 */

/** How segments are merged. */
export interface MergeLimits {
  /** Number of segments that are left alone, so that a small change does not write the whole index again. */
  readonly segments: number
  /** Pages that one step writes: 64 take about 15 ms. */
  readonly pages: number
}

/** Merges some pages, if the index of names has too many segments. Returns whether there is more to merge. */
export function mergeSegments(sql: SqlStorage, { segments, pages }: MergeLimits): boolean {
  if (!hasMore(sql, segments)) return false
  const before = countChanges(sql)
  // A negative number merges all segments, in as many steps as it takes: https://sqlite.org/fts5.html#the_merge_command
  sql.exec("INSERT INTO names (names, rank) VALUES ('merge', ?)", -pages)
  // A step that merges nothing is one change, the command itself.
  return countChanges(sql) - before > 1 && hasMore(sql, segments)
}

/** Steps from one segment to the next, because each of them has many rows. */
const SEGMENTS = `WITH RECURSIVE segments (id) AS (
    SELECT min(segid) FROM names_idx
    UNION ALL SELECT (SELECT min(segid) FROM names_idx WHERE segid > id) FROM segments WHERE id IS NOT NULL
  )`

function hasMore(sql: SqlStorage, segments: number): boolean {
  const query = `${SEGMENTS} SELECT id FROM segments WHERE id IS NOT NULL LIMIT ${segments + 1}`
  return sql.exec(query).toArray().length > segments
}

const countChanges = (sql: SqlStorage): number =>
  sql.exec<{ count: number }>('SELECT total_changes() AS count').one().count

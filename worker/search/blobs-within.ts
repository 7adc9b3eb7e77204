/**
 * The blobs of the files in some ranges that may match a search, found without reading a row of any other: what a search
 * costs must not tell its caller of hidden files. So the files in the ranges are read first, and the index is only asked
 * for their blobs. `test/platform/access/costs.test.ts` counts the rows.
 *
 * @module
 */

import type { Layer } from '../store/layer.ts'
import type { PathRanges } from '../store/path-ranges.ts'
import { INDEX, INDEXED_TO } from '../database/schema.ts'
import type { Tables } from '../database/table-groups.ts'
import { createBlobSet, type FoundBlobs } from './blob-set.ts'

/** Maximum number of files that are read before the index is asked; more would take longer than a search may. */
export const MAX_FILES_WITHIN = 20_000

/** Maximum number of spans of ids that are looked up; more would take longer than reading the files. */
const MAX_SPANS = 1_000

/** Whether a blob waits for its turn in the index, or is not in it: then it may match. */
const IS_UNINDEXED = `b.indexed = ${INDEX.large} OR (b.indexed = ${INDEX.inTurn} AND b.id > ${INDEXED_TO})
  OR b.id IN (SELECT blob FROM index_again)`

/** A number is bound as a real one, and FTS5 would not take that as a limit of what it reads. */
const MATCH = `SELECT rowid FROM trigrams WHERE trigrams MATCH ?
  AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`

/**
 * Finds the blobs in some ranges that may match an FTS5 query; null if the ranges have more than `most` files, which the
 * caller may know.
 */
export function findBlobsWithin(
  { sql, layer }: { readonly sql: Tables; readonly layer: Layer },
  ranges: PathRanges,
  query: string,
  most = MAX_FILES_WITHIN,
): (FoundBlobs & { readonly total: number }) | null {
  const [ids, unindexed]: [number[], number[]] = [[], []]
  const select = `SELECT b.id, ${IS_UNINDEXED} FROM ${layer.read.files} f JOIN blobs b ON b.id = f.blob
    WHERE f.path >= ? AND f.path < ? LIMIT ?`
  for (const { low, high } of ranges) {
    const rows = sql.exec(select, low, high, most + 1 - ids.length).raw<[number, number]>()
    for (const [id, isUnindexed] of rows) {
      ids.push(id)
      if (isUnindexed === 1) unindexed.push(id)
    }
    if (ids.length > most) return null
  }
  const sorted = Float64Array.from(ids).sort()
  const spans = spansOf(sorted)
  const blobs = createBlobSet(sorted.at(-1) ?? 0, ids.length)
  for (const id of spans.length > MAX_SPANS ? ids : unindexed) blobs.add(id)
  for (const [first, last] of spans.length > MAX_SPANS ? [] : spans)
    for (const [id] of sql.exec(MATCH, query, first, last).raw<[number]>()) blobs.add(id)
  return { ...blobs.found(), total: ids.length }
}

/** Returns the first and the last of each span of ids that follow each other, as blobs do that were written together. */
function spansOf(sorted: Iterable<number>): readonly (readonly [first: number, last: number])[] {
  const spans: [number, number][] = []
  for (const id of sorted) {
    const last = spans.at(-1)
    if (last && id <= last[1] + 1) last[1] = id
    else spans.push([id, id])
  }
  return spans
}

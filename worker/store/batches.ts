/**
 * Batches of rows that a statement reads from one JSON text. `test/worker/store/written-rows.test.ts` tests them.
 *
 * @module
 */

/** SQLite in a Durable Object refuses a text of more than 2 MB; a path takes up to 1 KiB, and twice that in JSON. */
const MAX_ROWS = 500

/** Yields rows in batches, so that the JSON text of a batch is not too large. */
export function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += MAX_ROWS) yield rows.slice(at, at + MAX_ROWS)
}

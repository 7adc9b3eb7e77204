/**
 * When the index is filled. An alarm writes more rows than a small change, and a search reads a few short texts about as
 * fast as the index, so they wait until there are enough for a batch.
 *
 * `test/worker/search/index-due.test.ts` tests it.
 *
 * @module
 */

import { INDEX, INDEXED_TO } from '../database/schema.ts'
import type { AppliedSteps, Store } from '../store/store.ts'
import { isTextEncoding } from '../texts/encoding.ts'
import { hasNames } from './name-index.ts'

/** With so many contents, or so many bytes of text, the index is filled: every search reads what waits. */
export const DUE = { contents: 32, bytes: 128 * 1024 }

/** What waits for the index, as far as it is counted. */
interface Waiting {
  contents: number
  bytes: number
}

/** Decides when the alarm has to fill the index. */
export function createIndexDue(sql: SqlStorage, store: Pick<Store, 'totals'>) {
  /** Null until it is counted: what waited before the object was opened, and after each batch. */
  let waiting: Waiting | null = null
  return {
    /** Counts changes that were applied. Returns whether the index has to be filled. */
    addsEnough(applied: readonly AppliedSteps[]): boolean {
      const steps = applied.flatMap((change) => change.steps)
      if (waiting === null) waiting = countWaiting(sql)
      else
        for (const step of steps) {
          if (step.type !== 'put') continue
          waiting.contents++
          if (isTextEncoding(step.content.encoding)) waiting.bytes += step.content.size
          // A document takes longer to be read than a search may.
          else if (step.content.encoding === 'document') waiting.bytes += DUE.bytes
        }
      if (waiting.contents >= DUE.contents || waiting.bytes >= DUE.bytes) return true
      // One step can change many names, and without them the search for names has to read all.
      return hasNames(store.totals) && steps.some(({ type }) => type !== 'put')
    },
    /** Forgets the count, after a batch was indexed. */
    filled(): void {
      waiting = null
    },
  }
}

function countWaiting(sql: SqlStorage): Waiting {
  return sql
    .exec<{ contents: number; bytes: number }>(
      `SELECT count(*) AS contents, ifnull(sum(bytes), 0) AS bytes FROM (
         SELECT iif(indexed = ${INDEX.inTurn}, size, 0) AS bytes FROM blobs WHERE id > ${INDEXED_TO}
         UNION ALL SELECT b.size FROM index_again a JOIN blobs b ON b.id = a.blob
         LIMIT ${DUE.contents})`,
    )
    .one()
}

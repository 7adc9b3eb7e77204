/** The content that waits to be indexed is counted exactly, or never as less than it is. */

import { countUnindexed } from '#worker/search/index-queue.ts'
import { createR2Objects } from '#worker/store/objects.ts'
import { INDEX } from '#worker/store/schema.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'

/** Counts what waits among so many blobs, of which some are then removed. */
const countOf = (blobs: number, removed = 'FALSE') =>
  runInDurableObject(newStub(), (_, { storage, id }) => {
    createSqliteStore(storage, createR2Objects(env.FILES, id.toString()))
    storage.sql.exec(
      `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       INSERT INTO blobs (hash, size, text, indexed, bytes)
       SELECT randomblob(32), 1, 1, ${INDEX.inTurn}, X'00' FROM n`,
      blobs,
    )
    storage.sql.exec(`DELETE FROM blobs WHERE ${removed}`)
    return countUnindexed(storage.sql)
  })

it.each([1, 4_999, 5_000, 5_001, 12_000])(
  '%i blobs without gaps are counted exactly',
  async (blobs) => {
    expect(await countOf(blobs)).toBe(blobs)
  },
)

it('gaps are counted beyond the first 5,000', async () => {
  expect(await countOf(6_000, 'id % 2 = 0')).toBe(3_000)
  // The last of the first 5,000 has the id 9,999.
  expect(await countOf(12_000, 'id % 2 = 0')).toBe(5_000 + (11_999 - 9_999))
})

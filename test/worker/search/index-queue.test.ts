/** The content that waits to be indexed is counted exactly, or never as less than it is, and comes in small batches. */

import { parsePath } from '#core/path.ts'
import { countUnindexed, nextBatch } from '#worker/search/index-queue.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { INDEX } from '#worker/database/schema.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

/** Counts what waits among so many blobs, of which some are then removed. */
const countOf = (blobs: number, removed = 'FALSE') =>
  runInDurableObject(newStub(), (_, { storage, id }) => {
    createSqliteStore(storage, createR2Objects(env.FILES, id.toString()))
    storage.sql.exec(
      `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       INSERT INTO blobs (hash, size, text, indexed, path, bytes)
       SELECT randomblob(32), 1, 1, ${INDEX.inTurn}, '/' || at, X'00' FROM n`,
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

it.each([
  ['small files', 100, 300, 200],
  ['files of 50 KiB', 50 * 1024, 10, 3],
  ['files of 1 MiB', 1024 * 1024, 2, 1],
])('a batch of %s is short, because requests wait for it', (_name, size, files, expected) =>
  runInDurableObject(newStub(), async (_, { storage, id }) => {
    const store = createSqliteStore(storage, createR2Objects(env.FILES, id.toString()))
    for (let at = 0; at < files; at++) {
      const content = await store.hold(new TextEncoder().encode(`${at} `.padEnd(size, 'x')))
      expect(act(store, { type: 'put', path: parsePath(`/${at}`), content }).ok).toBe(true)
    }
    expect(nextBatch(storage.sql).blobs).toHaveLength(expected)
  }),
)

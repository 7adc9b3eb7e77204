/** Changes of whole folders whose versions history has dropped: a list of changes does not look for each of them. */

import { parsePath } from '#core/path.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { counting } from '../../support/worker/count-rows.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

const [ONE, OTHER] = [parsePath('/one'), parsePath('/other')]
const FILES = 50
const VERSIONS = 4

function applyTo(store: Store, steps: readonly Step[]): void {
  const limits = { ...STORE_LIMITS, versions: VERSIONS }
  const applied = store.apply({ basis: store.totals.version, steps, note: NOTE, limits })
  if (!applied.ok) throw new Error(JSON.stringify(applied.error))
}

/** A workspace whose only folder was moved many times, and what counts the rows that it reads. */
async function movedFolder(storage: DurableObjectStorage, moves: number) {
  const counted = counting(storage)
  const store = createSqliteStore(counted.storage, createSqliteObjects(storage.sql))
  const content = await store.hold(new TextEncoder().encode('text'))
  const files = Array.from({ length: FILES }, (_, at) => parsePath(`/one/${at}`))
  applyTo(
    store,
    files.map((path) => ({ type: 'put', path, content })),
  )
  for (let move = 0; move < moves; move++) {
    const [from, to] = move % 2 === 0 ? [ONE, OTHER] : [OTHER, ONE]
    applyTo(store, [{ type: 'move', from, to }])
  }
  counted.rows()
  return { store, rows: counted.rows }
}

it.each([
  ['of a list', (store: Store) => store.listChanges({ limit: 1_000, path: ONE }).length, VERSIONS],
  [
    'of the paths that changed',
    (store: Store) => [...store.changedPaths({ folder: ONE, after: 0, until: 1_000 })].length,
    FILES + 1,
  ],
] as const)('read few more rows %s', async (_name, read, found) => {
  const [few, many] = await Promise.all(
    [20, 120].map((moves) =>
      runInDurableObject(newStub(), async (_, { storage }) => {
        const { store, rows } = await movedFolder(storage, moves)
        expect(read(store)).toBe(found)
        return rows().read
      }),
    ),
  )
  // Each change has a row, and no more is read for it.
  expect((many ?? Infinity) - (few ?? 0)).toBeLessThan(100 * 10)
})

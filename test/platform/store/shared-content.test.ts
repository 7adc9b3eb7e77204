/** Files of equal content: dropping many of them reads rows in proportion to their number, and not to its square. */

import { parsePath } from '#core/path.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import type { Change, Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { counting } from '../../support/worker/count-rows.ts'
import { expectRules } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

async function putAll(store: Store, paths: readonly string[], text = 'same'): Promise<Step[]> {
  const content = await store.hold(new TextEncoder().encode(text))
  return paths.map((path) => ({ type: 'put', path: parsePath(path), content }))
}

const many = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${folder}/${at}`)

function applyTo(store: Store, steps: readonly Step[], versions = STORE_LIMITS.versions): Change {
  const limits = { ...STORE_LIMITS, versions }
  const applied = store.apply({ basis: store.totals.version, steps, note: NOTE, limits })
  if (!applied.ok) throw new Error(JSON.stringify(applied.error))
  return applied.value
}

/** Each returns what drops the files, so that only that is counted. */
const DROPS: Readonly<
  Record<string, (store: SqliteStore, count: number) => Promise<() => unknown>>
> = {
  'a change of a draft that has another': async (store, count) => {
    const draft = store.draft(1)
    applyTo(draft, await putAll(draft, many('/a', count)))
    const steps = await putAll(draft, many('/b', count))
    const as = applyTo(draft, steps)
    return () =>
      store.rewriteDraft(1, (layer) =>
        expect(layer.apply({ basis: as.version, steps, note: NOTE, as }).ok).toBe(true),
      )
  },
  'files that their change removes again': async (store, count) => {
    // The path that named the content first names it no more.
    applyTo(store, await putAll(store, ['/first', '/last']), 1)
    applyTo(store, await putAll(store, ['/first'], 'other'), 1)
    const steps = await putAll(store, many('/a', count))
    return () => applyTo(store, [...steps, { type: 'remove', path: parsePath('/a') }])
  },
  'files that only a draft has besides': async (store, count) => {
    applyTo(store.draft(1), await putAll(store, many('/a', count)))
    applyTo(store, await putAll(store, many('/b', count)), 1)
    const steps = await putAll(store, many('/b', count), 'other')
    return () => applyTo(store, steps, 1)
  },
}

it.each(Object.entries(DROPS))('are dropped in linear time: %s', async (_name, prepare) => {
  const [few, twice] = await Promise.all(
    [100, 200].map((count) =>
      runInDurableObject(newStub(), async (_, object) => {
        const { storage, rows } = counting(object.storage)
        const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
        const drop = await prepare(store, count)
        rows()
        drop()
        const { read } = rows()
        expectRules(object)
        return read
      }),
    ),
  )
  expect((twice ?? Infinity) / (few ?? 1)).toBeLessThan(2.5)
})

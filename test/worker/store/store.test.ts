import { parsePath } from '#core/path.ts'
import { MAX_HISTORY_VERSIONS, SWEEP_GRACE_MS } from '#worker/limits.ts'
import {
  createR2Objects,
  createSqliteObjects,
  type Objects,
} from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Store } from '#worker/store/store.ts'
import { tablesOf } from '#worker/database/table-groups.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  act,
  describeStore,
  large,
  put,
  TESTER,
  textOf,
  type Backend,
} from '../../support/worker/store-contract.ts'

type MakeObjects = (state: DurableObjectState) => Objects

const r2: MakeObjects = (state) => createR2Objects(env.FILES, state.id.toString())
const sqlite: MakeObjects = (state) => createSqliteObjects(state.storage.sql)

/** A workspace's storage with a separate store on it. */
async function open(objects: MakeObjects): Promise<Backend & { stub: DurableObjectStub }> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  return {
    stub,
    use: (work) =>
      runInDurableObject(stub, (_, state) =>
        work(createSqliteStore(state.storage, objects(state))),
      ),
    evict: () => evictDurableObject(stub),
  }
}

describeStore('SQLite and R2', () => open(r2))
describeStore('SQLite alone', () => open(sqlite))

describe.each([
  ['R2', r2],
  ['SQLite chunks', sqlite],
])('large objects in %s', (_, objects) => {
  it('are never visible after a crash between the object and the row', async () => {
    const { stub, evict } = await open(objects)
    await runInDurableObject(stub, async (_instance, state) => {
      const store = createSqliteStore(state.storage, objects(state))
      await store.hold(large(1))
    })
    await evict()
    await runInDurableObject(stub, async (_instance, state) => {
      const store = createSqliteStore(state.storage, objects(state))
      expect([...store.walk(parsePath('/'))]).toEqual([])
      expect(await countObjects(state, objects)).toBe(1)
      expect(await store.sweep(Date.now())).not.toBeNull()
      expect(await countObjects(state, objects)).toBe(1)
      expect(await store.sweep(Date.now() + SWEEP_GRACE_MS + 1)).toBeNull()
      expect(await countObjects(state, objects)).toBe(0)
    })
  })

  it('leave no reference if writing one fails half way', async () => {
    const { use, stub } = await open(objects)
    await use(async (store) => {
      const content = large(2)
      const broken = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(content.slice(0, 1000))
          controller.error(new Error('the client went away'))
        },
      })
      await expect(store.holdStream(broken, content.length)).rejects.toThrow()
      expect(store.totals.version).toBe(0)
    })
    await runInDurableObject(stub, async (_instance, state) => {
      await createSqliteStore(state.storage, objects(state)).sweep(Date.now() + SWEEP_GRACE_MS + 1)
      expect(await countObjects(state, objects)).toBe(0)
    })
  })

  it('survive the sweep while a version references them, and are deleted afterwards', async () => {
    const { stub } = await open(objects)
    await runInDurableObject(stub, async (_instance, state) => {
      const store = createSqliteStore(state.storage, objects(state))
      await put(store, '/a', large(3))
      for (let at = 0; at < MAX_HISTORY_VERSIONS - 1; at++) await put(store, '/a', `small ${at}`)
      const later = Date.now() + 2 * SWEEP_GRACE_MS + 2
      await store.sweep(later)
      expect(await countObjects(state, objects)).toBe(1)
      await put(store, '/a', 'one more')
      await store.sweep(later)
      expect(await countObjects(state, objects)).toBe(0)
    })
  })

  it('are stored once for any number of paths', async () => {
    const { stub } = await open(objects)
    await runInDurableObject(stub, async (_instance, state) => {
      const store = createSqliteStore(state.storage, objects(state))
      await put(store, '/a', large(4))
      await put(store, '/b', large(4))
      act(store, { type: 'move', from: parsePath('/a'), to: parsePath('/c') })
      expect(await countObjects(state, objects)).toBe(1)
    })
  })

  it('can be referenced again if they were dropped while a caller held them', async () => {
    const { use } = await open(objects)
    await use(async (store) => {
      await put(store, '/a', large(5))
      const held = await store.hold(large(5))
      for (let at = 0; at < MAX_HISTORY_VERSIONS; at++) await put(store, '/a', `small ${at}`)
      expect(act(store, { type: 'put', path: parsePath('/b'), content: held })).toMatchObject({
        ok: true,
      })
      expect((await textOf(store, '/b'))?.length).toBe(large(5).length)
    })
  })
})

it('32 concurrent writers of one file: one wins each round, no write is lost, and history has all', async () => {
  const { use } = await open(r2)
  await use(async (store) => {
    await put(store, '/counter', '0')
    const rounds = 10
    for (let round = 1; round <= rounds; round++) {
      const basis = store.totals.version
      const writers = Array.from({ length: 32 }, (_, writer) =>
        attempt(store, basis, `${round} by ${writer}`),
      )
      const won = (await Promise.all(writers)).filter((result) => result.ok)
      expect(won).toHaveLength(1)
    }
    const states = store.history(parsePath('/counter'), 100)
    expect(states.map((state) => state.version)).toEqual(
      Array.from({ length: rounds + 1 }, (_, index) => rounds + 1 - index),
    )
  })
})

async function attempt(store: Store, basis: number, text: string) {
  const content = await store.hold(new TextEncoder().encode(text))
  await scheduler.wait(Math.random() * 3)
  const note = { tool: 'test', intent: 'Count', actor: TESTER, decision: [] }
  return store.apply({
    basis,
    steps: [{ type: 'put', path: parsePath('/counter'), content }],
    note,
  })
}

/** The keys of all existing objects, referenced or not. */
async function countObjects(state: DurableObjectState, objects: MakeObjects): Promise<number> {
  if (objects === sqlite) {
    return tablesOf(state.storage.sql, 'chunks')
      .exec<{ count: number }>('SELECT count(DISTINCT key) AS count FROM chunks')
      .one().count
  }
  return (await env.FILES.list({ prefix: state.id.toString() })).objects.length
}

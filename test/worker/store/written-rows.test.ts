/** Changes of many steps, whose rows are written together. */

import { MAX_PATH_BYTES, parsePath } from '#core/path.ts'
import { MAX_COPY_ENTRIES, MAX_HISTORY_VERSIONS } from '#worker/limits.ts'
import type { Step } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { expectRules, faultsOf } from '../../support/worker/invariants.ts'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act, paths, put } from '../../support/worker/store-contract.ts'
import {
  after,
  change,
  expectSame,
  move,
  type Model,
  type Move,
} from '../../support/worker/store-model.ts'

/** Leaves out the moves that cannot be made after those before them. */
function possible(model: Model, moves: readonly Move[]): Move[] {
  let now = model
  return moves.filter((each) => {
    const next = after(now, each)
    if (typeof next === 'string') return false
    now = next
    return true
  })
}

it('behaves like a map, in a workspace and in a draft', { timeout: 600_000 }, async () => {
  const changes = fc.array(fc.array(move, { minLength: 5, maxLength: 40 }), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(changes, changes, async (below, above) => {
      await runInDurableObject(newStub(), async (_, state) => {
        const store = storeOf(state)
        let model: Model = new Map()
        for (const layer of [store, store.draft(1)])
          for (const moves of layer === store ? below : above) {
            const some = possible(model, moves)
            if (some.length > 0) model = await change(layer, model, some)
            await expectSame(layer, model)
            expectRules(state)
          }
        expect(await faultsOf(state)).toEqual({})
      })
    }),
    { ...runs(40, 300), endOnFailure: false },
  )
})

it('writes more rows than one statement takes, over files and new ones', async () => {
  await runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    await put(store, '/d7/file-7', 'before')
    const model: Model = new Map([
      ['/d7', null],
      ['/d7/file-7', 'before'],
    ])
    const files = Array.from({ length: 1_200 }, (_, file): Move => {
      return { type: 'put', path: `/d${file % 50}/file-${file}`, text: `text ${file % 9}` }
    })
    await expectSame(store, await change(store, model, files))
    expect(store.totals).toMatchObject({ version: 2, files: 1_200, folders: 50 })
    expect(store.history(parsePath('/d7/file-7'), 5)).toHaveLength(2)
    expect(await faultsOf(state)).toEqual({})
  })
})

/** A copy may have as many. */
const FILES = MAX_COPY_ENTRIES / 2

it.each(['workspace', 'draft'])(
  'writes more long paths than one text may hold: %s',
  async (layer) => {
    await runInDurableObject(newStub(), async (_, state) => {
      const workspace = storeOf(state)
      const store = layer === 'draft' ? workspace.draft(1) : workspace
      const content = await store.hold(new Uint8Array(1))
      // A quote takes twice its length in JSON.
      const path = (file: number) => parsePath(`/${'"'.repeat(MAX_PATH_BYTES - 6)}${10_000 + file}`)
      const steps = Array.from({ length: FILES }, (_each, file): Step => {
        return { type: 'put', path: path(file), content }
      })
      expect(act(store, ...steps)).toMatchObject({ ok: true })
      expect(store.totals).toMatchObject({ files: FILES, bytes: FILES })
      expect(store.history(path(FILES - 1), 5)).toHaveLength(1)
    })
  },
)

it('drops old versions of every file of a large change', async () => {
  await runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    const count = (path: string) =>
      state.storage.sql
        .exec<{ count: number }>('SELECT count(*) AS count FROM versions WHERE path = ?', path)
        .one().count
    let model: Model = new Map()
    for (let turn = 0; turn < MAX_HISTORY_VERSIONS + 3; turn++) {
      const names = turn % 2 === 0 ? ['a', 'b', 'c', 'd', 'e', 'f'] : ['a', 'b', 'c', 'd', 'e']
      model = await change(
        store,
        model,
        names.map((name) => ({ type: 'put', path: `/${name}`, text: `${name} ${turn}` })),
      )
    }
    expect(count('/a')).toBe(MAX_HISTORY_VERSIONS)
    expect(count('/f')).toBeLessThan(MAX_HISTORY_VERSIONS)
    expect(await faultsOf(state)).toEqual({})
  })
})

it.each([
  ['/folder', 'is_folder'],
  ['/folder/file/below', 'not_a_folder'],
])('refuses %s, and leaves nothing', async (path, reason) => {
  await runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    const model = await change(store, new Map(), [{ type: 'put', path: '/folder/file', text: 'x' }])
    const names = ['/1', '/2', '/3', '/4', '/5', path]
    const moves = names.map((each): Move => ({ type: 'put', path: each, text: 'y' }))
    expect(after(model, { type: 'put', path, text: 'y' })).toBe(reason)
    await expectSame(store, await change(store, model, moves))
    expect(await faultsOf(state)).toEqual({})
  })
})

it('refuses a file in place of the root', async () => {
  await runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    const content = await store.hold(new Uint8Array(1))
    const names = ['/1', '/2', '/3', '/4', '/5', '/']
    const steps = names.map((path) => ({ type: 'put', path: parsePath(path), content }) as const)
    expect(act(store, ...steps)).toMatchObject({ ok: false, error: { reason: 'is_folder' } })
    expect(paths(store)).toEqual([])
  })
})

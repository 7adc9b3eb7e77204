/** The store against a model: random changes, evictions and sweeps, with the invariants after each. */

import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { createSearch } from '#worker/search/search.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { runs } from '../../support/core/runs.ts'
import { expectRules, faultsOf } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import {
  change,
  expectSame,
  livesOf,
  move,
  type Model,
  type Move,
} from '../../support/worker/store-model.ts'

type Command = readonly Move[] | 'evict' | 'sweep' | 'index'

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.array(move, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('evict', 'sweep', 'index') },
)

it('behaves like a map', { timeout: 600_000 }, async () => {
  const programs = fc.array(command, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const stub = newStub()
      let model: Model = new Map()
      for (const life of livesOf(program)) {
        model = await runInDurableObject(stub, (_, state) => live(state, life, model))
        await evictDurableObject(stub)
      }
    }),
    { ...runs(50), endOnFailure: false },
  )
})

async function live(
  state: DurableObjectState,
  commands: readonly Command[],
  before: Model,
): Promise<Model> {
  const store = createSqliteStore(state.storage, createR2Objects(env.FILES, state.id.toString()))
  const search = createSearch(state.storage, store)
  let model = before
  await expectSame(store, model)
  for (const each of commands) {
    if (each === 'sweep') await store.sweep(Date.now() + SWEEP_GRACE_MS + 1)
    else if (each === 'index') await search.fill()
    else if (each !== 'evict') model = await change(store, model, each)
    expectRules(state)
  }
  expect(await faultsOf(state)).toEqual({})
  await expectSame(store, model)
  return model
}

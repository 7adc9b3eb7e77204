/** A draft and the workspace below it, against two maps: random changes of both, evictions and sweeps. */

import { ancestorsOf, parsePath } from '#core/path.ts'
import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { createSearch, type Search } from '#worker/search/search.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { runs } from '../../support/core/runs.ts'
import { expectRules, faultsOf } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import {
  below,
  change,
  expectSame,
  move,
  type Model,
  type Move,
} from '../../support/worker/store-model.ts'

type Command = { readonly on: 'draft' | 'workspace'; readonly move: Move } | 'sweep' | 'index'

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 15,
    arbitrary: fc.record({ on: fc.constantFrom('draft', 'workspace'), move }),
  },
  { weight: 1, arbitrary: fc.constantFrom('sweep', 'index') },
)

/** The two views, and the paths at which the draft has its own state. */
interface Layers {
  readonly workspace: Model
  readonly draft: Model
  /** Whether what the workspace has below the path is hidden. */
  readonly own: ReadonlyMap<string, boolean>
}

const above = (path: string) => ancestorsOf(parsePath(path)).filter((each) => each !== '/')

/** The layers after a move in the draft that changed its view to `draft`. */
function afterDraft({ workspace, draft: before, own }: Layers, step: Move, draft: Model): Layers {
  const next = new Map(own)
  const target = step.type === 'move' ? step.to : step.path
  // A deletion needs no folder: where the workspace deletes it as well, it is gone in the draft.
  if (step.type !== 'remove')
    for (const path of above(target)) next.set(path, next.get(path) ?? false)
  const touched =
    step.type === 'move'
      ? [...below(before, step.from), ...below(draft, target)]
      : below(before, target)
  for (const path of [...touched, target])
    next.set(path, (next.get(path) ?? false) || draft.get(path) !== null)
  return { workspace, draft, own: next }
}

/** The layers after a change of the workspace, whose states are visible where the draft has none and hides nothing. */
function afterWorkspace({ draft: before, own }: Layers, workspace: Model): Layers {
  const draft: Model = new Map()
  for (const [path, text] of before) if (own.has(path)) draft.set(path, text)
  for (const [path, text] of workspace)
    if (!own.has(path) && !above(path).some((each) => own.get(each))) draft.set(path, text)
  return { workspace, draft, own }
}

it('shows the same as a model of two maps', { timeout: 600_000 }, async () => {
  const lives = fc.array(fc.array(command, { maxLength: 20 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(lives, async (program) => {
      const stub = newStub()
      let layers: Layers = { workspace: new Map(), draft: new Map(), own: new Map() }
      for (const life of program) {
        layers = await runInDurableObject(stub, (_, state) => live(state, life, layers))
        await evictDurableObject(stub)
      }
    }),
    { ...runs(40), endOnFailure: false },
  )
})

async function live(
  state: DurableObjectState,
  commands: readonly Command[],
  before: Layers,
): Promise<Layers> {
  const store = createSqliteStore(state.storage, createR2Objects(env.FILES, state.id.toString()))
  const search = createSearch(state.storage, store)
  let layers = before
  for (const command of commands) {
    if (command === 'index') await search.fill()
    else layers = await take(store, command, layers)
    expectFound(search, layers.workspace)
    expectFound(search.draft(1), layers.draft)
    await expectSame(store, layers.workspace)
    await expectSame(store.draft(1), layers.draft)
    expectRules(state)
  }
  expect(await faultsOf(state)).toEqual({})
  return layers
}

/** Expects that a search finds all files, and with a query at least those that match. */
function expectFound(search: Search, model: Model): void {
  const found = (query: string | null) =>
    [...search.candidates(parsePath('/'), query).files].map(({ path }) => path as string)
  const having = (text: string) => [...model].filter(([, each]) => each?.includes(text))
  expect(found(null).toSorted()).toEqual(
    having('')
      .map(([path]) => path)
      .toSorted(),
  )
  expect(found('"one"')).toEqual(expect.arrayContaining(having('one').map(([path]) => path)))
}

async function take(
  store: SqliteStore,
  command: Exclude<Command, 'index'>,
  layers: Layers,
): Promise<Layers> {
  if (command === 'sweep') {
    await store.sweep(Date.now() + SWEEP_GRACE_MS + 1)
    return layers
  }
  const { on, move } = command
  if (on === 'workspace')
    return afterWorkspace(layers, await change(store, layers.workspace, [move]))
  const draft = await change(store.draft(1), layers.draft, [move])
  const isSame = move.type === 'folder' && layers.draft.has(move.path)
  return draft === layers.draft || isSame ? layers : afterDraft(layers, move, draft)
}

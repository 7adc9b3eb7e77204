/** The store against a map: random changes, evictions and sweeps, and what has to hold after each. */

import { parsePath } from '#core/path.ts'
import { INLINE_BYTES, SWEEP_GRACE_MS } from '#worker/limits.ts'
import { createSearch } from '#worker/search/search.ts'
import { createR2Objects } from '#worker/store/objects.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from '../core/random.ts'
import { expect, it } from 'vitest'
import { faultsOf } from './invariants.ts'
import { newStub } from './life.ts'
import { act, textOf } from './store-contract.ts'

/** What a path is: a file's text, or null for a folder. */
type Model = Map<string, string | null>

type Move =
  | { readonly type: 'put'; readonly path: string; readonly text: string }
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'remove'; readonly path: string }
  | { readonly type: 'move'; readonly from: string; readonly to: string }

type Command = readonly Move[] | 'evict' | 'sweep' | 'index'

// Few names, so that files and folders are in each other's way all the time.
const path = fc
  .array(fc.constantFrom('a', 'b', 'a-', 'ü', '𝒳'), { minLength: 1, maxLength: 3 })
  .map((names) => `/${names.join('/')}`)

const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('', 'one', 'two', 'three') },
  { weight: 1, arbitrary: fc.constantFrom('x', 'y').map((char) => char.repeat(INLINE_BYTES + 1)) },
)

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('put'), path, text }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('folder'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove'), path }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ type: fc.constant('move'), from: path, to: path })
      .filter(({ from, to }) => !to.startsWith(`${from}/`)), // the tool refuses this
  },
)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.array(move, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('evict', 'sweep', 'index') },
)

/** The map after one step, or why the step cannot be made. */
function after(model: Model, step: Move): Model | string {
  const next = new Map(model)
  switch (step.type) {
    case 'put':
      if (next.get(step.path) === null) return 'is_folder'
      return makeFolders(next, step.path) ?? next.set(step.path, step.text)
    case 'folder':
      if (typeof next.get(step.path) === 'string') return 'not_a_folder'
      return makeFolders(next, step.path) ?? next.set(step.path, null)
    case 'remove':
      if (!next.has(step.path)) return 'not_found'
      for (const each of below(next, step.path)) next.delete(each)
      return next
    case 'move': {
      if (!next.has(step.from)) return 'not_found'
      if (next.has(step.to)) return 'exists'
      const fault = makeFolders(next, step.to)
      if (fault !== null) return fault
      for (const each of below(next, step.from)) {
        next.set(step.to + each.slice(step.from.length), next.get(each) ?? null)
        next.delete(each)
      }
      return next
    }
  }
}

function makeFolders(model: Model, path: string): string | null {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const above = path.slice(0, at)
    if (typeof model.get(above) === 'string') return 'not_a_folder'
    model.set(above, null)
  }
  return null
}

const below = (model: Model, path: string) =>
  [...model.keys()].filter((each) => each === path || each.startsWith(`${path}/`))

async function stepFor(store: Store, step: Move): Promise<Step> {
  switch (step.type) {
    case 'put': {
      const content = await store.hold(new TextEncoder().encode(step.text))
      return { type: 'put', path: parsePath(step.path), content }
    }
    case 'folder':
    case 'remove':
      return { type: step.type, path: parsePath(step.path) }
    case 'move':
      return { type: 'move', from: parsePath(step.from), to: parsePath(step.to) }
  }
}

async function change(store: Store, model: Model, moves: readonly Move[]): Promise<Model> {
  let expected: Model | string = model
  for (const step of moves) {
    expected = after(expected, step)
    if (typeof expected === 'string') break
  }
  const version = store.totals.version
  const applied = act(store, ...(await Promise.all(moves.map((each) => stepFor(store, each)))))
  if (typeof expected === 'string') {
    expect(applied).toMatchObject({ ok: false, error: { reason: expected } })
    return model
  }
  expect(applied).toMatchObject({ ok: true, value: { version: version + 1 } })
  return expected
}

async function expectSame(store: Store, model: Model): Promise<void> {
  const found: Model = new Map()
  for (const { path } of store.walk(parsePath('/'))) found.set(path, await textOf(store, path))
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(model))
  const texts = [...model.values()].filter((each) => each !== null)
  expect(store.totals).toMatchObject({
    files: texts.length,
    bytes: texts.reduce((sum, each) => sum + each.length, 0),
  })
}

it('does what a map would do', { timeout: 90_000 }, async () => {
  const parameters = { numRuns: 100, interruptAfterTimeLimit: 60_000, endOnFailure: false }
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
    parameters,
  )
})

/** The commands between one eviction and the next. */
function livesOf(program: readonly Command[]): Command[][] {
  const lives: Command[][] = [[]]
  for (const each of program) {
    if (each === 'evict') lives.push([])
    else lives.at(-1)?.push(each)
  }
  return lives
}

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
    expect(await faultsOf(state)).toEqual({})
  }
  await expectSame(store, model)
  return model
}

/**
 * Checkpoints against a model: a map of the workspace at every version. Whatever is written, dropped, deleted or
 * evicted, a checkpoint has the states of its version, and no other state is ever wrong.
 */

import { parsePath } from '#core/path.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Store } from '#worker/store/store.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { expectIs } from '../../support/core/expect-is.ts'
import { runs } from '../../support/core/runs.ts'
import { expectRules, faultsOf } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'
import {
  change,
  formatState,
  livesOf,
  move,
  type Model,
  type Move,
} from '../../support/worker/store-model.ts'

type Command = readonly Move[] | 'mark' | 'unmark' | 'release' | 'evict'

/** Changes of one file, so that gaps in its history follow each other. */
const rewrite: fc.Arbitrary<Command> = fc
  .record({ text: fc.constantFrom('one', 'two', 'three'), executable: fc.boolean() })
  .map((state) => [{ type: 'put', path: '/same', ...state }])

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: rewrite },
  { weight: 6, arbitrary: fc.array(move, { minLength: 1, maxLength: 3 }) },
  { weight: 3, arbitrary: fc.constant('mark' as const) },
  { weight: 3, arbitrary: fc.constantFrom('unmark', 'release', 'evict') },
)

it.each([1, 2, 4])('keeps checkpoints with %d versions', { timeout: 600_000 }, async (versions) => {
  const programs = fc.array(command, { minLength: 10, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const stub = newStub()
      const states: Model[] = [new Map()]
      for (const life of livesOf(program)) {
        await runInDurableObject(stub, (_, state) => live(state, { life, states, versions }))
        await evictDurableObject(stub)
      }
    }),
    { ...runs(30, 150), endOnFailure: false },
  )
})

interface Life {
  readonly life: readonly Command[]
  /** The workspace at every version. */
  readonly states: Model[]
  readonly versions: number
}

async function live(state: DurableObjectState, { life, states, versions }: Life): Promise<void> {
  const objects = createR2Objects(env.FILES, state.id.toString())
  const store = createSqliteStore(state.storage, objects)
  const limited = withLimit(store, versions)
  const texts = new Map<number, string | null>()
  for (const each of life) {
    const before = states.at(-1) ?? new Map()
    if (each === 'mark') store.checkpoints.create(`at ${store.totals.version}`, TESTER)
    else if (each === 'unmark') unmark(store)
    else if (each === 'release') while (store.checkpoints.release());
    else if (each !== 'evict') {
      const after = await change(limited, before, each)
      if (store.totals.version === states.length) states.push(after)
    }
    expectRules(state)
    const isDropped = each === 'unmark' || each === 'release'
    await expectStates(
      { store, states, texts },
      isDropped ? null : differing(before, states.at(-1)),
    )
    expectSpans(store, states)
  }
  await expectStates({ store, states, texts }, null)
  expect(await faultsOf(state)).toEqual({})
  if (store.checkpoints.list().length === 0) expectReleased(state, store)
}

const withLimit = (store: Store, versions: number): Store =>
  Object.assign(Object.create(store), {
    apply: (proposal: Parameters<Store['apply']>[0]) =>
      store.apply({ ...proposal, limits: { ...STORE_LIMITS, versions } }),
  })

/** Deletes a checkpoint in the middle. */
function unmark({ checkpoints }: Store): void {
  const all = checkpoints.list()
  const one = all[Math.floor(all.length / 2)]
  if (one) expect(checkpoints.delete(one.id)?.version).toBe(one.version)
}

/** The paths with another state. */
const differing = (then: Model = new Map(), now: Model = new Map()) =>
  [...new Set([...then.keys(), ...now.keys()])].filter((path) => then.get(path) !== now.get(path))

interface Compared {
  readonly store: Store
  readonly states: readonly Model[]
  /** The texts that were read, by blob. */
  readonly texts: Map<number, string | null>
}

/**
 * Expects right states at each checkpoint and now, and no wrong state at any other version. A change drops states only
 * of the paths that it changes: these are read at every version, or all paths without them.
 */
async function expectStates(compared: Compared, changed: readonly string[] | null): Promise<void> {
  const { store, states } = compared
  const known = new Set([
    store.totals.version,
    ...store.checkpoints.list().map((one) => one.version),
  ])
  const paths = new Set(states.flatMap((model) => [...model.keys()]))
  for (const path of paths) {
    const versions = changed?.includes(path) === false ? known : states.keys()
    for (const version of versions) await expectState(compared, path, version, known.has(version))
  }
}

async function expectState(
  { store, states, texts }: Compared,
  path: string,
  version: number,
  isKnown: boolean,
): Promise<void> {
  const found = store.stateAt(parsePath(path), version)
  if (found === 'forgotten') return expectIs(isKnown, false, `${path} at ${version}`)
  if (found?.type === 'file' && !texts.has(found.blob))
    texts.set(found.blob, await store.blobText(found.blob))
  const text = found?.type === 'file' ? (texts.get(found.blob) ?? null) : null
  const state = found?.type === 'file' && text !== null ? formatState(text, found.executable) : text
  expectIs(found ? state : undefined, states[version]?.get(path), `${path} at ${version}`)
}

/** Expects that the paths that changed after a checkpoint include all that differ. */
function expectSpans(store: Store, states: readonly Model[]): void {
  const now = states.at(-1)
  for (const { version } of store.checkpoints.list()) {
    const then = states[version]
    const span = { folder: parsePath('/'), after: version, until: store.totals.version }
    const changed = new Set<string>(store.changedPaths(span))
    for (const path of differing(then, now)) expectIs(changed.has(path), true, path)
  }
}

/** Without checkpoints, nothing stays held. */
function expectReleased({ storage: { sql } }: DurableObjectState, store: Store): void {
  while (store.checkpoints.release());
  expect(sql.exec('SELECT count(*) AS held FROM versions WHERE held = 1').one()).toEqual({
    held: 0,
  })
}

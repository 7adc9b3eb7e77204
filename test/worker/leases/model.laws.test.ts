/**
 * Leases against a plain model: holders take, renew and release, sessions end, time passes and is set back, and the object
 * is evicted. What is in force is what the model says, no two leases of different holders overlap, and no share is
 * exceeded.
 */

import { isWithin, parsePath, type StorePath } from '#core/path.ts'
import type { LeaseKind } from '#worker/access/lease.ts'
import { MAX_LEASES } from '#worker/leases/limits.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { pass } from '../../support/worker/connections.ts'
import { wish, withLeases, type TestLeases } from '../../support/worker/leases.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const KEYS = ['a', 'b', 'c'] as const

type Command =
  | {
      readonly type: 'take'
      readonly key: string
      readonly kind: LeaseKind
      readonly paths: readonly string[]
      readonly isDeep: boolean
      readonly seconds: number
    }
  | { readonly type: 'renew' | 'release'; readonly pick: number; readonly seconds: number }
  | { readonly type: 'end'; readonly key: string }
  | { readonly type: 'pass'; readonly seconds: number }
  | { readonly type: 'evict' | 'expire' }

const path = fc.constantFrom('/', '/f', '/f/d', '/f/d/x', '/f/y', '/g', '/fd', '/h')
const key = fc.constantFrom(...KEYS)
const seconds = fc.constantFrom(60, 600, 1_800)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        type: fc.constant('take' as const),
        key,
        kind: fc.constantFrom<LeaseKind>('lease', 'lease', 'lock'),
        paths: fc.uniqueArray(path, { minLength: 1, maxLength: 3 }),
        isDeep: fc.boolean(),
        seconds,
      })
      // A request of WebDAV locks one path.
      .map((one) => (one.kind === 'lock' ? { ...one, paths: one.paths.slice(0, 1) } : one)),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('renew' as const, 'release' as const),
      pick: fc.nat(8),
      seconds,
    }),
  },
  fc.record({ type: fc.constant('end' as const), key }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 59, 60, 600, 1_800, -1, -600),
    }),
  },
  fc.record({ type: fc.constantFrom('evict' as const, 'expire' as const) }),
)

/** A lease as the model keeps it. */
interface Kept {
  readonly key: string
  readonly kind: LeaseKind
  readonly path: StorePath
  isDeep: boolean
  readonly taken: number
  until: number
}

interface Model {
  kept: Kept[]
  readonly over: Set<string>
}

const isOn = ({ over }: Model, one: Kept) =>
  Date.now() < one.until && Date.now() >= one.taken && !over.has(one.key)

const overlap = (a: Pick<Kept, 'path' | 'isDeep'>, b: Pick<Kept, 'path' | 'isDeep'>) =>
  a.path === b.path ||
  (a.isDeep && isWithin(b.path, a.path)) ||
  (b.isDeep && isWithin(a.path, b.path))

const exclude = (a: Pick<Kept, 'key' | 'kind'>, b: Pick<Kept, 'key' | 'kind'>) =>
  a.key !== b.key || (a.kind === 'lock' && b.kind === 'lock')

const inForce = (model: Model) => model.kept.filter((one) => isOn(model, one))

function takeInModel(model: Model, given: Extract<Command, { type: 'take' }>): boolean {
  // Taking drops what is over, for good.
  model.kept = inForce(model)
  const now = Date.now()
  const wanted = given.paths.map((text) => ({ ...given, path: parsePath(text) }))
  const blocked = wanted.some((one) =>
    model.kept.some((other) => exclude(one, other) && overlap(one, other)),
  )
  if (blocked || model.over.has(given.key)) return !blocked
  const until = now + given.seconds * 1000
  for (const { key: by, kind, path: at, isDeep } of wanted) {
    const own = model.kept.find((one) => one.key === by && one.kind === kind && one.path === at)
    if (own) Object.assign(own, { isDeep, until })
    else model.kept.push({ key: by, kind, path: at, isDeep, taken: now, until })
  }
  return true
}

type State = TestLeases & { leases: TestLeases['leases'] }

function run(state: State, model: Model, given: Command): void {
  switch (given.type) {
    case 'take': {
      const { key: by, kind, paths, isDeep, seconds: time } = given
      if (model.over.has(by)) return
      const taken = state.leases.take(wish(by, paths, { kind, isDeep, seconds: time }))
      expect(taken.ok).toBe(takeInModel(model, given))
      return
    }
    case 'renew':
    case 'release': {
      const all = state.leases.list()
      const one = all[given.pick % Math.max(all.length, 1)]
      if (!one) return
      const own = model.kept.find(
        (kept) => kept.key === one.holder.key && kept.kind === one.kind && kept.path === one.path,
      )
      if (!own) throw new Error('The model lacks a lease')
      if (given.type === 'release') {
        expect(state.leases.release(one.id)).toBe(true)
        model.kept = model.kept.filter((kept) => kept !== own)
      } else {
        state.leases.renew(one.id, given.seconds)
        own.until = Date.now() + given.seconds * 1000
      }
      return
    }
    case 'end':
      state.ended.add(given.key)
      model.over.add(given.key)
      if (given.key !== 'a') state.leases.endSession(given.key)
      return
    case 'pass':
      return pass(given.seconds)
    case 'evict':
      state.leases = state.reopen()
      return
    case 'expire':
      state.leases.expire(Date.now())
      model.kept = inForce(model)
  }
}

const factsOf = (one: Pick<Kept, 'kind' | 'path' | 'isDeep' | 'taken' | 'until' | 'key'>) =>
  JSON.stringify([one.key, one.kind, one.path, one.isDeep, one.taken, one.until])

function check({ leases }: State, model: Model): void {
  const list = leases.list().map((one) => ({ ...one, key: one.holder.key }))
  expect(list.map(factsOf).toSorted()).toEqual(inForce(model).map(factsOf).toSorted())
  for (const one of list)
    for (const other of list)
      if (one !== other && exclude(one, other)) expect(overlap(one, other)).toBe(false)
  for (const each of KEYS)
    expect(list.filter((one) => one.key === each).length).toBeLessThanOrEqual(MAX_LEASES)
  for (const text of ['/', '/f', '/f/d', '/f/d/x', '/g/new']) {
    const at = parsePath(text)
    const covering = leases.covering({ path: at, reach: 'entry' }).map(({ id }) => id)
    const expected = list.filter((one) => overlap(one, { path: at, isDeep: false }))
    expect(covering).toEqual(expected.map(({ id }) => id))
  }
}

it('what is in force is what the model says', { timeout: 60_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), (commands) =>
      withLeases((given) => {
        const state: State = { ...given }
        const model: Model = { kept: [], over: new Set() }
        for (const one of commands) {
          run(state, model, one)
          check(state, model)
        }
      }),
    ),
    runs(40),
  ),
)

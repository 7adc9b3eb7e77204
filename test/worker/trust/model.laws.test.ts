/**
 * Trust against a plain model: the owner gives and ends it, time passes and is set back, sessions end, drafts move, rules
 * change, the object is evicted, and several sessions write, move and delete with several tools and policies. Whatever is
 * applied without a decision was not under the `review` of the owner, or inside trust that was in force with all its
 * conditions. What is inside waits only with a draft.
 */

import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { APPROVAL_LEVELS } from '#core/approval.ts'
import type { Risk } from '#core/owner/answers/drafts.ts'
import { isWithin, nameOf, parsePath, type StorePath } from '#core/path.ts'
import { resolveAccess } from '#worker/access/access.ts'
import { callerWithoutSession } from '#worker/access/caller.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import type { Session } from '#worker/access/session.ts'
import { createOpener } from '#worker/access/workspace.ts'
import { createSearch } from '#worker/search/search.ts'
import { createSessions, type Sessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import type { Step } from '#worker/store/store.ts'
import { createTrusts } from '#worker/trust/trusts.ts'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, it, vi } from 'vitest'
import { given } from '../../support/core/policy-laws.ts'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { createTestDrafts } from '../../support/worker/opener.ts'

const SLOTS = ['one', 'two', 'child', 'link'] as const
type Slot = (typeof SLOTS)[number]

const KINDS: readonly Risk[] = ['deletion', 'secret', 'executable', 'app', 'hidden']

interface Given {
  readonly slot: Slot
  readonly folder: StorePath
  readonly tools: readonly string[]
  readonly kinds: readonly Risk[]
  readonly seconds: number
}

type Change = {
  readonly slot: Slot
  readonly tool: string
  readonly policy: ApprovalLevel | null
} & (
  | { readonly act: 'put'; readonly path: StorePath; readonly text: string }
  | { readonly act: 'remove'; readonly path: StorePath }
  | { readonly act: 'move'; readonly path: StorePath; readonly to: StorePath }
)

type Command =
  | ({ readonly type: 'give' } & Given)
  | ({ readonly type: 'change' } & Change)
  | { readonly type: 'end'; readonly pick: number }
  | { readonly type: 'pass'; readonly seconds: number }
  | { readonly type: 'over' | 'moved'; readonly slot: Slot }
  | { readonly type: 'rules'; readonly all: ApprovalLevel; readonly folder: ApprovalLevel }
  | { readonly type: 'evict' | 'expire' }

const level = fc.constantFrom<ApprovalLevel>('review', 'review', 'review', ...APPROVAL_LEVELS)
const slot = fc.constantFrom<Slot>('one', 'one', ...SLOTS)
const tool = fc.constantFrom('write_file', 'move_file')
const names = [
  '/f/a',
  '/f/d/b',
  '/f/d/.env',
  '/f/run.sh',
  '/f/d',
  '/f',
  '/g/a',
  '/g',
  '/f/AGENTS.md',
]
const path = fc.constantFrom(...names.map((name) => parsePath(name)))
const who = { slot, tool, policy: fc.option(level, { freq: 5 }) }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('give' as const),
      slot,
      folder: fc.constantFrom(...['/', '/f', '/f/d', '/g'].map((name) => parsePath(name))),
      tools: fc.subarray(['write_file', 'move_file'], { minLength: 1 }),
      kinds: fc.subarray([...KINDS]),
      seconds: fc.constantFrom(60, 3_600, 86_400),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.oneof(
      fc.record({
        ...{ type: fc.constant('change' as const), act: fc.constant('put' as const), path, ...who },
        text: fc.constantFrom('x', 'y', 'a\u202eb'),
      }),
      fc.record({
        type: fc.constant('change' as const),
        act: fc.constant('remove' as const),
        path,
        ...who,
      }),
      fc.record({
        ...{
          type: fc.constant('change' as const),
          act: fc.constant('move' as const),
          path,
          to: path,
        },
        ...who,
      }),
    ),
  },
  fc.record({ type: fc.constant('end' as const), pick: fc.nat(5) }),
  fc.record({
    type: fc.constant('pass' as const),
    seconds: fc.constantFrom(30, 60, 1_800, 3_600, 90_000, -1, -3_600),
  }),
  fc.record({ type: fc.constantFrom('over' as const, 'moved' as const), slot }),
  fc.record({ type: fc.constant('rules' as const), all: level, folder: level }),
  fc.record({ type: fc.constantFrom('evict' as const, 'expire' as const) }),
)

/** Trust in the model. */
interface Held extends Given {
  readonly id: string
  readonly session: string
  readonly until: number
  seen: number
}

/** After all sequences: a session without an end would be over once it is idle. */
const LATE = Date.UTC(2100, 0)

const isConnection = (one: Slot) => one !== 'link'

/** Begins the session of a slot. */
function begin(sessions: Sessions, one: Slot, parent: string | null): Session {
  const made = { parent, principal: 'agent', label: one, config: null, policy: null, scopes: null }
  const initialize = isConnection(one) ? {} : null
  return sessions.make({ ...made, inherited: null, budget: one, initialize, expires: LATE }, null)
}

/** The state of one sequence: the product, and the model beside it. */
async function openState(storage: DurableObjectStorage) {
  const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
  const sessions = createSessions(storage.sql)
  const passkeys = { all: () => [], isMissing: () => false }
  const open = () =>
    createTrusts({
      ...{ storage, audit: store.audit, sessions, passkeys, workspace: 'w', wakeAt: () => {} },
    })
  const search = createSearch(storage, store)
  const drafts = createTestDrafts({ sql: storage.sql, store, search })
  const state = { store, sessions, search, drafts, trusts: open(), reopen: open }
  const parent = begin(sessions, 'link', null).id
  const alive = new Map(SLOTS.map((one) => [one, begin(sessions, one, parent)]))
  for (const name of ['/f/d/b', '/g/a'])
    store.apply({
      ...{ basis: store.totals.version, note: NOTE },
      steps: [{ type: 'put', path: parsePath(name), content: await store.hold(bytesOf('x')) }],
    })
  return { ...state, parent, alive, held: new Set<Held>(), rules: rulesOf('review', 'review') }
}

type State = Awaited<ReturnType<typeof openState>>

const bytesOf = (text: string) => new TextEncoder().encode(text)
const ACTOR = { principal: 'owner', session: null, label: null }
const NOTE = { tool: 'test', intent: 'Test', actor: ACTOR, decision: [] }

const rulesOf = (all: ApprovalLevel, folder: ApprovalLevel) => ({
  all,
  folder,
  config: given(
    readConfig(
      { approval: all, roots: [{ path: '/' }, { path: '/f', approval: folder }] },
      DEFAULT_CONFIG,
    ),
  ),
})

const rank = (one: ApprovalLevel) => APPROVAL_LEVELS.indexOf(one)

/** The level of the owner's rules, as the documentation says it. */
function levelOf({ rules: { all, folder } }: State, paths: readonly StorePath[]): ApprovalLevel {
  const isNear = paths.some((one) => isWithin(one, F) || isWithin(F, one))
  return isNear && rank(folder) > rank(all) ? folder : all
}

const F = parsePath('/f')

/** The risky kinds of a name. */
const kindsOfName = (one: StorePath): Risk[] => [
  ...(nameOf(one) === '.env' ? (['secret'] as const) : []),
  ...(nameOf(one) === 'AGENTS.md' ? (['app'] as const) : []),
  ...(nameOf(one) === 'run.sh' ? (['executable'] as const) : []),
]

function kindsOf(store: SqliteStore, change: Change): Risk[] {
  if (change.act === 'put')
    return [...kindsOfName(change.path), ...(change.text.length > 1 ? (['hidden'] as const) : [])]
  const below = [...store.walk(change.path)].map((entry) => entry.path)
  const tree = [change.path, ...below].flatMap(kindsOfName)
  if (change.act === 'move') return [...tree, ...kindsOfName(change.to)]
  return ['deletion', ...tree.filter((kind) => kind !== 'executable')]
}

/** Drops from the model what is over, as any look at it does. */
function look({ held, sessions }: State): void {
  const now = Date.now()
  for (const one of held) {
    const isOver = now < one.seen || now >= one.until || sessions.lastSeen(one.session) === null
    if (isOver) held.delete(one)
    else one.seen = now
  }
}

/** Runs a change of a session. Returns whether it was applied; null if it was refused. */
async function run(state: State, change: Change): Promise<boolean | null> {
  const { store, sessions, alive, rules, trusts, drafts, search } = state
  const session = alive.get(change.slot)
  if (!session) throw new Error('Expected a session')
  const isCurrent = () => true
  const openFor = createOpener({ store, search, drafts, trusts, changed: () => {}, isCurrent })
  const { working } = callerWithoutSession('agent', rules.config)
  const policy = change.policy === null ? undefined : { approval: change.policy }
  const access = resolveAccess(working, { ...NO_METADATA, policy })
  if (!access.ok) return null
  const caller = { principal: 'agent', session, budget: change.slot, token: null }
  const workspace = openFor(access.value, caller)
  const steps = [await stepOf(store, change)]
  const note = { ...NOTE, tool: change.tool }
  const done = workspace.apply({ basis: workspace.version(), steps, note })
  expect(sessions.find(session.id)).not.toBeNull()
  return done.ok ? done.value.draft === null : null
}

async function stepOf(store: SqliteStore, change: Change): Promise<Step> {
  if (change.act === 'remove') return { type: 'remove', path: change.path }
  if (change.act === 'move') return { type: 'move', from: change.path, to: change.to }
  return { type: 'put', path: change.path, content: await store.hold(bytesOf(change.text)) }
}

/** Whether trust of the model lets a change pass, by the conditions that its documentation names. */
function isTrusted(state: State, change: Change, kinds: readonly Risk[]): boolean {
  const id = state.alive.get(change.slot)?.id
  const paths = change.act === 'move' ? [change.path, change.to] : [change.path]
  return [...state.held].some(
    (one) =>
      one.session === id &&
      one.tools.includes(change.tool) &&
      paths.every((path) => isWithin(path, one.folder)) &&
      kinds.every((kind) => one.kinds.includes(kind)),
  )
}

/** Runs a change, and holds what became of it to the law. */
async function change(state: State, one: Change): Promise<void> {
  const { store, drafts, alive } = state
  const paths = one.act === 'move' ? [one.path, one.to] : [one.path]
  const level = levelOf(state, paths)
  const kinds = kindsOf(store, one)
  const draft = drafts.of(draftKeyOf(state, one.slot))
  const isConcerned = draft !== null && drafts.concerns(draft, paths)
  const isApplied = await run(state, one)
  if (isApplied === null) {
    // It may have looked at trust before it was refused.
    state.trusts.expire(Date.now())
    return look(state)
  }
  const isAsked = one.policy === 'review' || one.policy === 'confirm'
  // Only a change that the rules hold looks at trust.
  const looks = level === 'review' && !isAsked && !isConcerned
  if (level === 'review' && !(isConcerned || one.policy === 'confirm')) look(state)
  const isFree = !isAsked && rank(level) < rank('review')
  const passes = isFree || (looks && isTrusted(state, one, kinds))
  expect(isApplied, JSON.stringify({ one, level, kinds, held: [...state.held] })).toBe(
    passes && !isConcerned,
  )
  expect(alive.get(one.slot)).toBeDefined()
}

const draftKeyOf = ({ alive }: State, one: Slot): string => {
  const id = alive.get(one)?.id ?? ''
  return isConnection(one) ? id : JSON.stringify([id, 'agent', null])
}

function give(state: State, { slot: one, folder, tools, kinds, seconds }: Given): void {
  const { trusts, alive } = state
  const session = alive.get(one)?.id ?? ''
  const until = Date.now() + seconds * 1000
  const details = { session, folder, tools: tools.toSorted(), kinds, until }
  look(state)
  const shown = trusts.show(details)
  if (!shown.ok) return expect([one, shown.error]).toEqual(['link', 'no_connection'])
  const made = trusts.give(details, { actor: ACTOR, digest: shown.value.digest, passkey: null })
  if (!made.ok) return expect(made.error).toBe('full')
  const { id, given: seen } = made.value
  state.held.add({ id, session, slot: one, folder, tools, kinds, seconds, until, seen })
}

async function obey(state: State, one: Command): Promise<void> {
  const { sessions, alive, held, trusts } = state
  switch (one.type) {
    case 'give':
      return give(state, one)
    case 'change':
      return change(state, one)
    case 'pass':
      return void vi.setSystemTime(Date.now() + one.seconds * 1000)
    case 'rules':
      return void (state.rules = rulesOf(one.all, one.folder))
    case 'evict':
      return void (state.trusts = state.reopen())
    case 'expire':
      trusts.expire(Date.now())
      return look(state)
    case 'end': {
      const chosen = [...held][one.pick]
      look(state)
      if (chosen) expect(trusts.end(chosen.id, ACTOR)).toBe(held.delete(chosen))
      return
    }
    case 'moved':
    case 'over': {
      const id = alive.get(one.slot)?.id ?? ''
      for (const of of held) if (of.session === id) held.delete(of)
      if (one.type === 'moved') return trusts.endMoved(id)
      if (one.slot === 'link') return
      sessions.end(id)
      alive.set(one.slot, begin(sessions, one.slot, state.parent))
    }
  }
}

afterEach(() => void vi.useRealTimers())

it('nothing passes but inside trust that is in force', { timeout: 3_600_000 }, async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), (commands) =>
      runInDurableObject(newStub(), async (_, { storage }) => {
        const state = await openState(storage)
        for (const one of commands) await obey(state, one)
        look(state)
        expect(
          state.trusts
            .list()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual([...state.held].map(({ id }) => id).toSorted())
      }),
    ),
    runs(100, 10_000),
  )
})

/**
 * Drafts against a plain model: random proposals of two agents, decisions on all or some of them, changes of the
 * workspace underneath, evictions and expiry. The workspace has only what the owner wrote or approved, an approval
 * applies what was shown, and each agent sees what its calls did.
 */

import type { ChangedFile } from '#worker/drafts/changed-files.ts'
import { parsePath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import { call } from '#worker/call/call.ts'
import type { Draft } from '#worker/access/draft.ts'
import { draftOwnerOf } from '#worker/access/draft-owner.ts'
import type { ProposedChange } from '#worker/drafts/review.ts'
import type { Store } from '#worker/store/store.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { modeChange, toolCall, type ToolCall } from '../../support/worker/draft-model.ts'
import { digestOfChoice, digestOfGroups } from '../../support/worker/draft-tools.ts'
import { draftFaultsOf, faultsOf } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { parseState, stateIn, type Model } from '../../support/worker/store-model.ts'
import { openToolContext, type TestContext } from '../../support/worker/tool-context.ts'

type Agent = 'one' | 'two'

type Command =
  | { readonly type: 'propose'; readonly agent: Agent; readonly call: ToolCall }
  | {
      readonly type: 'decide'
      readonly agent: Agent
      readonly picks: Picks
      readonly yes: boolean
      /** Whether on what was looked at before. */
      readonly isStale: boolean
    }
  | { readonly type: 'own'; readonly call: ToolCall }
  | { readonly type: 'look'; readonly agent: Agent }
  | { readonly type: 'evict' | 'expire' }

/** Which groups are chosen, by bits, and whether only the beginning of the first one; null for everything. */
type Picks = { readonly bits: number; readonly isPart: boolean } | null

const agent = fc.constantFrom<Agent>('one', 'one', 'one', 'two')
const picks = fc.option(fc.record({ bits: fc.integer({ min: 1, max: 63 }), isPart: fc.boolean() }))

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant('propose'), agent, call: toolCall }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('decide'),
      agent,
      picks,
      yes: fc.boolean(),
      isStale: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('own'), call: toolCall }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('own'), call: modeChange }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('look'), agent }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('evict', 'expire') }) },
)

interface Context extends TestContext {
  readonly sql: SqlStorage
}

/** What an agent has proposed and what is not decided yet. */
interface Waiting {
  readonly id: string
  readonly call: ToolCall
}

interface State {
  workspace: Model
  readonly waiting: Record<Agent, Waiting[]>
  /** What was looked at, and the workspace then. */
  readonly seen: Partial<Record<Agent, Look & { readonly workspace: Model }>>
}

type Look = Awaited<ReturnType<typeof look>>

const modelOf = async (store: Store): Promise<Model> => {
  const model: Model = new Map()
  for (const { path } of store.walk(parsePath('/'))) model.set(path, await stateIn(store, path))
  return model
}

const byPath = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : a > b ? 1 : 0

const filesOf = (model: Model) =>
  Object.fromEntries([...model].filter(([, text]) => text !== null).toSorted(byPath))
const same = (model: Model) => Object.fromEntries([...model].toSorted(byPath))

const callerOf = ({ caller }: Context, agent: Agent) => ({
  ...caller,
  principal: agent,
  budget: agent,
})

const draftOf = (context: Context, agent: Agent): Draft | null =>
  context.drafts.of(draftOwnerOf(callerOf(context, agent)).key)

function viewOf(context: Context, agent: Agent): Store {
  const draft = draftOf(context, agent)
  return draft ? context.store.draft(draft.id) : context.store
}

async function propose(
  context: Context,
  state: State,
  { agent, call: { name, args, act }, call: tool }: Extract<Command, { type: 'propose' }>,
): Promise<void> {
  const expected = act(await modelOf(viewOf(context, agent)))
  const request = { name, args, meta: {}, caller: callerOf(context, agent) }
  const outcome = await call(request, context.services)
  if (!outcome.ok) throw new Error(outcome.error.message)
  expect(outcome.value.isError ?? false, JSON.stringify([args, outcome.value])).toBe(
    expected === null,
  )
  if (expected === null) return
  expect(same(await modelOf(viewOf(context, agent)))).toEqual(same(expected))
  const draft = draftOf(context, agent)
  const id = draft
    ? await context.drafts.review(draft, ({ changes }) => changes.at(-1)?.id)
    : undefined
  if (id !== undefined) state.waiting[agent].push({ id, call: tool })
}

/** Everything about a draft that a person sees, with the content that the files would have. */
const look = (context: Context, draft: Draft) =>
  context.drafts.review(draft, async ({ changes, files, revision }) => {
    const store = storeOfReview(context, draft, changes)
    const after = new Map<string, string | null>()
    const listed = await files()
    for (const { path } of listed) after.set(path, await stateIn(store, path))
    const left = await modelOf(store)
    return { changes, files: listed, after, left, revision }
  })

/** The layer of the review, which has a negative number unless it is the draft itself. */
function storeOfReview(
  { store, sql }: Context,
  draft: Draft,
  changes: readonly ProposedChange[],
): Store {
  const { layer } = sql
    .exec<{ layer: number | null }>('SELECT min(draft) AS layer FROM draft_changes WHERE draft < 0')
    .one()
  if (layer !== null) return store.draft(layer)
  return changes.every(({ conflict }) => conflict !== null) ? store : store.draft(draft.id)
}

/** Makes calls one after the other. A folder that is there already may be created again. */
function run(model: Model, calls: readonly Waiting[], fits: (id: string) => boolean): Model {
  let at = model
  for (const { id, call } of calls) {
    const next = call.act(at)
    const isFolder = call.name === 'create_folder' && at.get(String(call.args['path'])) === null
    if (!isFolder) expect([call.args, fits(id)]).toEqual([call.args, next !== null])
    at = next ?? at
  }
  return at
}

async function check(context: Context, state: State, agent: Agent): Promise<void> {
  const draft = draftOf(context, agent)
  const waiting = state.waiting[agent]
  expect(draft?.changes ?? 0).toBe(waiting.length)
  if (!draft) return
  const seen = await look(context, draft)
  state.seen[agent] = { ...seen, workspace: state.workspace }
  const { changes, left, files, after } = seen
  expect(changes.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id))
  // The files that are named are all that differ.
  const named = filesOf(state.workspace)
  for (const path of files.flatMap(pathsOf)) {
    const text = after.get(path) ?? null
    if (text === null) delete named[path]
    else named[path] = text
  }
  expect(Object.fromEntries(Object.entries(named).toSorted(byPath))).toEqual(filesOf(left))
  // What a copy takes is what it was when it was copied.
  if (waiting.some(({ call }) => call.name === 'copy_file')) return
  const fits = new Map(changes.map(({ id, conflict }) => [id, conflict === null]))
  const expected = run(state.workspace, waiting, (id) => fits.get(id) ?? false)
  expect(same(left)).toEqual(same(expected))
}

async function decide(
  context: Context,
  state: State,
  { agent, picks, yes, isStale }: Extract<Command, { type: 'decide' }>,
): Promise<void> {
  const draft = draftOf(context, agent)
  if (!draft) return
  const before = isStale ? state.seen[agent] : undefined
  const { changes, files, after, revision } = before ?? (await look(context, draft))
  const groups = [...new Set(changes.map(({ group }) => group))].filter(
    (_, index) => picks === null || (picks.bits >> index) & 1,
  )
  if (groups.length === 0) return
  const whole = changes.filter(({ group }) => groups.includes(group))
  // To be approved without the later changes of a group, and to be turned down without the earlier ones.
  const half = Math.ceil(whole.length / 2)
  const isPart = picks?.isPart === true && groups.length === 1 && !before
  const part = yes ? whole.slice(0, half) : whole.slice(-half)
  const chosen = isPart ? part : whole
  const choice = picks === null ? {} : isPart ? { changes: chosen.map(({ id }) => id) } : { groups }
  const digest = isPart
    ? await digestOfChoice(context, draft, choice)
    : picks && digestOfGroups(changes, groups)
  const request = { revision, note: 'note', by: 'owner', ...choice, ...(digest && { digest }) }
  const { version } = context.store.totals
  const done = yes
    ? await context.drafts.approve(draft.name, request)
    : await context.drafts.turnDown(draft.name, request)
  const ids = new Set(chosen.map(({ id }) => id))
  const fits = chosen.every(({ conflict }) => conflict === null)
  const isOvertaken = before !== undefined && before.workspace !== state.workspace
  if (isOvertaken && !done.ok && done.error.reason === 'draft_changed') return
  delete state.seen[agent]
  expect(done.ok, JSON.stringify([done, chosen])).toBe(!yes || fits)
  if (!done.ok) return expect(done.error.reason).toBe('draft_conflict')
  expect(done).toEqual(ok({ ...done.value, decided: ids.size }))
  const waiting = state.waiting[agent]
  const decided = waiting.filter(({ id }) => ids.has(id))
  state.waiting[agent] = waiting.filter(({ id }) => !ids.has(id))
  if (!yes) return
  // A state between two changes of a group was never shown.
  expect(writtenTwice(context, version)).toEqual([])
  const found = await modelOf(context.store)
  if (!isPart) {
    const expected = filesOf(state.workspace)
    for (const [path, group] of files.flatMap((file) =>
      pathsOf(file).map((at) => [at, file.group] as const),
    )) {
      if (!groups.includes(group)) continue
      const text = after.get(path) ?? null
      if (text === null) delete expected[path]
      else expected[path] = text
    }
    expect(filesOf(found)).toEqual(Object.fromEntries(Object.entries(expected).toSorted(byPath)))
  }
  if (!waiting.some(({ call }) => call.name === 'copy_file'))
    expect(same(found)).toEqual(same(run(state.workspace, decided, () => true)))
  state.workspace = found
}

/** The paths of which history has more than one state after a version. */
const writtenTwice = ({ sql }: Context, version: number) =>
  sql
    .exec('SELECT path FROM versions WHERE version > ? GROUP BY path HAVING count(*) > 1', version)
    .toArray()

/** The places of a row of the list: those of a move are both. */
const pathsOf = ({ path, from }: ChangedFile) => (from === undefined ? [path] : [from, path])

/** The owner changes files, without any rule. */
async function own(context: Context, state: State, { name, args, act }: ToolCall) {
  const expected = act(state.workspace)
  if (expected === null) return
  const { store } = context
  for (const path of [...state.workspace.keys()].toSorted().toReversed())
    if (!expected.has(path)) {
      const steps = [{ type: 'remove', path: parsePath(path) }] as const
      applyOwn(store, steps)
    }
  for (const [path, file] of [...expected].toSorted(byPath)) {
    if (state.workspace.get(path) === file && state.workspace.has(path)) continue
    const { text, executable } = parseState(file ?? '')
    const step =
      file === null
        ? ({ type: 'folder', path: parsePath(path) } as const)
        : ({
            type: 'put',
            path: parsePath(path),
            content: await store.hold(new TextEncoder().encode(text)),
            executable,
          } as const)
    applyOwn(store, [step])
  }
  expect(same(await modelOf(store)), JSON.stringify([name, args])).toEqual(same(expected))
  state.workspace = expected
}

function applyOwn(store: Store, steps: Parameters<Store['apply']>[0]['steps']): void {
  const actor = { principal: 'owner', session: null, label: null }
  const note = { tool: 'PUT', intent: 'Change', actor, decision: [] }
  const applied = store.apply({ basis: store.totals.version, steps, note })
  if (!applied.ok) throw new Error(applied.error.reason)
}

async function take(context: Context, state: State, command: Command): Promise<void> {
  if (command.type === 'propose') return propose(context, state, command)
  if (command.type === 'decide') return decide(context, state, command)
  if (command.type === 'own') return own(context, state, command.call)
  if (command.type === 'look') return check(context, state, command.agent)
  if (command.type !== 'expire') return
  context.drafts.expire(Date.now() + 2_000, 1_000)
  for (const agent of ['one', 'two'] as const) {
    state.waiting[agent] = []
    delete state.seen[agent]
  }
}

it('has only what the owner wrote or approved', { timeout: 3_000_000 }, async () => {
  const program = fc.array(command, { minLength: 3, maxLength: 30, size: 'max' })
  await fc.assert(
    fc.asyncProperty(program, async (commands) => {
      const stub = newStub()
      const state: State = { workspace: new Map(), waiting: { one: [], two: [] }, seen: {} }
      const rest = [...commands]
      while (rest.length > 0) {
        const end = rest.findIndex(({ type }) => type === 'evict')
        const life = rest.splice(0, end === -1 ? rest.length : end + 1)
        await runInDurableObject(stub, async (_, object) => {
          const { sql } = object.storage
          const context = { ...openToolContext(object.storage, { approval: 'review' }), sql }
          for (const each of life) {
            await take(context, state, each)
            expect(same(await modelOf(context.store))).toEqual(same(state.workspace))
          }
          await check(context, state, 'one')
          await check(context, state, 'two')
          expect(context.store.audit.check()).toMatchObject({ broken: null })
          expect(await faultsOf(object)).toEqual({})
          expect(draftFaultsOf(object)).toEqual({})
        })
        if (rest.length > 0) await evictDurableObject(stub)
      }
    }),
    runs(150, 5_000),
  )
})

/**
 * Drafts against a plain model: random proposals of connections of two links, decisions on all or some of them, changes
 * of the workspace underneath, evictions and expiry; connections end, fall silent, come again and take drafts over. The
 * workspace has only what the owner wrote, approved, or let pass by trust; an approval applies what was shown or what the
 * owner made of it; each connection sees what its calls and those of the draft that it took over did, and learns of each
 * decision, each move and each comment once. Comments follow what they are on, and decide nothing.
 */

import type { ChangedFile } from '#worker/drafts/changed-files.ts'
import { diffTexts } from '#core/diff/hunks.ts'
import { applyLineEdits, editOfHunk } from '#core/diff/line-edits.ts'
import { parsePath, type StorePath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import { call } from '#worker/call/call.ts'
import type { CommentAnchor } from '#worker/access/comment.ts'
import type { Draft } from '#worker/access/draft.ts'
import { createComments, type Comments } from '#worker/comments/comments.ts'
import type { ProposedChange } from '#worker/drafts/review.ts'
import { createSessions, type Sessions } from '#worker/sessions/sessions.ts'
import type { SqliteStore } from '#worker/store/open/sqlite.ts'
import type { Store } from '#worker/store/store.ts'
import { createTrusts, type Trusts } from '#worker/trust/trusts.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, it, vi } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import {
  checkThreads,
  comment,
  learn,
  moveComments,
  noComments,
  reply,
  settle,
  type CommentModel,
} from '../../support/worker/comment-model.ts'
import {
  beginConnection,
  callerOf,
  findGivers,
  makeLinks,
  moveDraft,
  ownerOf,
  type Connection,
  type Slot,
} from '../../support/worker/connection-model.ts'
import { modeChange, toolCall, type ToolCall } from '../../support/worker/draft-model.ts'
import { amendTo, digestOfChoice, digestOfGroups } from '../../support/worker/draft-tools.ts'
import { draftFaultsOf, faultsOf } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { formatState, parseState, stateIn, type Model } from '../../support/worker/store-model.ts'
import { openToolContext, type TestContext } from '../../support/worker/tool-context.ts'
import {
  expectTrusted,
  give,
  writtenBy,
  type Given,
  type Held,
} from '../../support/worker/trust-in-drafts.ts'

type Command =
  | { readonly type: 'propose'; readonly agent: Slot; readonly call: ToolCall }
  | {
      readonly type: 'decide'
      readonly agent: Slot
      readonly picks: Picks
      readonly yes: boolean
      /** Whether on what was looked at before. */
      readonly isStale: boolean
      readonly amend: Amend
    }
  | { readonly type: 'trust'; readonly agent: Slot; readonly given: Given }
  | { readonly type: 'comment'; readonly agent: Slot; readonly file: number | null }
  | { readonly type: 'reply'; readonly agent: Slot; readonly isAgent: boolean }
  | { readonly type: 'own'; readonly call: ToolCall }
  | { readonly type: 'look'; readonly agent: Slot }
  | { readonly type: 'end' | 'reconnect' | 'stream' | 'again'; readonly agent: Slot }
  | { readonly type: 'pass'; readonly seconds: number }
  | { readonly type: 'evict' | 'expire' | 'end_trust' }

/** Which groups are chosen, by bits, and whether only the beginning of the first one; null for everything. */
type Picks = { readonly bits: number; readonly isPart: boolean } | null

/** Which file is amended, and to which text, or the bits of the hunks that are left out; null for none. */
type Amend = { readonly file: number; readonly to: string | number } | null

const amend = fc.option(
  fc.record({
    file: fc.nat({ max: 5 }),
    to: fc.oneof(fc.constantFrom('', 'one', 'two\n', 'one\r\ntwo'), fc.integer({ min: 1, max: 3 })),
  }),
)

const CHANGING = [
  ...['write_file', 'edit_file', 'move_file', 'copy_file', 'delete_file', 'create_folder'],
]

const agent = fc.constantFrom<Slot>('one', 'one', 'one', 'same', 'narrower', 'other')
const trusted: fc.Arbitrary<Given> = fc.record({
  folder: fc.constantFrom('/', '/', '/a', '/b'),
  tools: fc.constantFrom(['write_file', 'edit_file'], CHANGING, CHANGING),
  isRisky: fc.boolean(),
  seconds: fc.constantFrom(60, 600),
})
const picks = fc.option(fc.record({ bits: fc.integer({ min: 1, max: 63 }), isPart: fc.boolean() }))

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant('propose'), agent, call: toolCall }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('decide'),
      agent,
      picks,
      yes: fc.boolean(),
      isStale: fc.boolean(),
      amend,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('own'), call: toolCall }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('own'), call: modeChange }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('look'), agent }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constantFrom('end', 'reconnect', 'stream', 'again'), agent }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('pass'),
      seconds: fc.constantFrom(1, 59, 119, 120, 180),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('trust'), agent, given: trusted }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('comment'),
      agent,
      file: fc.option(fc.nat({ max: 5 }), { freq: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('reply'), agent, isAgent: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('evict', 'expire', 'end_trust') }) },
)

interface Context extends TestContext {
  readonly sql: SqlStorage
  readonly sessions: Sessions
  readonly trusts: Trusts
  readonly comments: Comments
}

/** What an agent has proposed and what is not decided yet. */
interface Waiting {
  readonly draft: string
  readonly id: string
  readonly call: ToolCall
}

type Agent = Connection<Waiting>

interface State {
  workspace: Model
  /** All connections that there were, in their order. */
  readonly agents: Agent[]
  /** What was looked at, and the workspace then, by the draft. */
  readonly seen: Map<string, Look & { readonly workspace: Model }>
  /** The trust that is in force, or over by its time alone. */
  trusted: readonly Held[]
  /** The paths of which the owner left a whole line out. */
  readonly leftOut: Set<string>
  readonly commented: CommentModel
}

const commentsOf = ({ comments }: Context, { commented: model }: State) => ({ model, comments })

const pathsOfWaiting = (waiting: readonly Waiting[]) =>
  waiting.flatMap(({ call: one }) => writtenBy(one))

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

const draftOf = ({ drafts }: Context, { session }: Agent): Draft | null => drafts.of(session.id)

/** The connection of a slot that is there now; a new one if it has ended. */
function agentIn({ sessions }: Context, { agents }: State, slot: Slot): Agent {
  const last = agents.findLast((one) => one.slot === slot)
  if (last && !last.isOver) return last
  const begun = beginConnection<Waiting>(sessions, slot)
  agents.push(begun)
  return begun
}

/** A connection sends a request: it takes over what it may, and learns what there is. */
function speak(context: Context, state: State, agent: Agent): void {
  const { drafts, caller } = context
  const { givers, isSure } = findGivers(agent, state.agents)
  drafts.arrive(ownerOf(caller, agent))
  agent.last = Date.now()
  agent.isVague = false
  const draft = draftOf(context, agent)
  const isMoved = agent.waiting.length === 0 && draft !== null
  expect(isMoved || !isSure).toBe(true)
  if (isMoved) {
    const giver = givers.find(({ waiting }) => waiting[0]?.draft === draft.name)
    if (!giver) throw new Error('A draft was taken over that may not be')
    moveDraft(giver, agent, draft.name)
    moveComments(state.commented, draft.name, giver.session.id, agent.session.id)
    // Trust never moves.
    state.trusted = state.trusted.filter(({ session }) => session !== giver.session.id)
  }
  learn(commentsOf(context, state), agent.session.id)
  const news = drafts.takeNews(agent.session.id).map(({ draft: name, outcome }) => [name, outcome])
  expect(news.toSorted(byText)).toEqual(
    agent.news.map(({ draft: name, outcome }) => [name, outcome]).toSorted(byText),
  )
  agent.news = []
}

const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b))

function viewOf(context: Context, agent: Agent): Store {
  const draft = draftOf(context, agent)
  return draft ? context.store.draft(draft.id) : context.store
}

async function propose(
  context: Context,
  state: State,
  agent: Agent,
  { name, args, act }: ToolCall,
): Promise<void> {
  speak(context, state, agent)
  const expected = act(await modelOf(viewOf(context, agent)))
  const request = { name, args, meta: {}, caller: callerOf(context.caller, agent) }
  const outcome = await call(request, context.services)
  if (!outcome.ok) throw new Error(outcome.error.message)
  expect(outcome.value.isError ?? false, JSON.stringify([args, outcome.value])).toBe(
    expected === null,
  )
  if (expected === null) return
  expect(same(await modelOf(viewOf(context, agent)))).toEqual(same(expected))
  const draft = draftOf(context, agent)
  if ((draft?.changes ?? 0) === agent.waiting.length)
    return pass(context, state, agent, { name, args, act })
  const id = draft
    ? await context.drafts.review(draft, ({ changes }) => changes.at(-1)?.id)
    : undefined
  if (!draft || id === undefined) return
  agent.touched = draft.touched
  agent.waiting = [...agent.waiting, { id, call: { name, args, act }, draft: draft.name }]
}

/** Holds a change that was applied without a decision to trust. */
async function pass(
  { store }: Context,
  state: State,
  { session, waiting }: Agent,
  one: ToolCall,
): Promise<void> {
  expectTrusted(state.trusted, {
    ...{ session: session.id, call: one, leftOut: state.leftOut },
    waiting: pathsOfWaiting(waiting),
  })
  // A copy may have taken what its draft has.
  const workspace = await modelOf(store)
  if (one.name !== 'copy_file')
    expect(same(workspace)).toEqual(same(one.act(state.workspace) ?? workspace))
  state.workspace = workspace
}

/** Everything about a draft that a person sees, with the content that the files would have. */
const look = (context: Context, draft: Draft) =>
  context.drafts.review(draft, async ({ changes, files, revision }) => {
    const store = storeOfReview(context, draft, changes)
    const after = new Map<string, string | null>()
    const listed = await files()
    for (const { path } of listed) after.set(path, await stateIn(store, path))
    const left = await modelOf(store)
    const anchors = listed.flatMap(({ path }) => anchorOn(store, path))
    return { changes, files: listed, after, left, revision, anchors }
  })

/** The first line of a file, as a comment names it; none of what is no file. */
function anchorOn(store: Store, path: StorePath): CommentAnchor[] {
  const entry = store.stat(path)
  if (entry?.type !== 'file') return []
  const { blob } = entry
  const lines = { first: 1, last: 1 }
  return [{ path, side: 'after', blob, lines, quote: 'line', isCut: false }]
}

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
  const { waiting } = agent
  expect(draft?.changes ?? 0).toBe(waiting.length)
  if (!draft) return
  const seen = await look(context, draft)
  state.seen.set(draft.name, { ...seen, workspace: state.workspace })
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
  agent: Agent | undefined,
  { picks, yes, isStale, amend: wanted }: Extract<Command, { type: 'decide' }>,
): Promise<void> {
  const draft = agent && draftOf(context, agent)
  if (!draft) return
  const before = isStale ? state.seen.get(draft.name) : undefined
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
  const amended =
    yes && !isPart
      ? amendOne(
          files.filter(({ group }) => groups.includes(group)),
          { before: before?.workspace ?? state.workspace, after },
          wanted,
        )
      : null
  const request = {
    ...{ revision, note: 'note', by: 'owner', ...choice, ...(digest && { digest }) },
    ...(amended && { amended: [amended.amendment] }),
  }
  const { version } = context.store.totals
  const done = yes
    ? await context.drafts.approve(draft.name, request)
    : await context.drafts.turnDown(draft.name, request)
  const ids = new Set(chosen.map(({ id }) => id))
  const fits = chosen.every(({ conflict }) => conflict === null)
  const isOvertaken = before !== undefined && before.workspace !== state.workspace
  if (isOvertaken && !done.ok && done.error.reason === 'draft_changed') return
  state.seen.delete(draft.name)
  expect(done.ok, JSON.stringify([done, chosen])).toBe(!yes || fits)
  if (!done.ok) return expect(done.error.reason).toBe('draft_conflict')
  expect(done).toEqual(ok({ ...done.value, decided: ids.size }))
  const { waiting } = agent
  const decided = waiting.filter(({ id }) => ids.has(id))
  agent.waiting = waiting.filter(({ id }) => !ids.has(id))
  agent.news = [...agent.news, { draft: draft.name, outcome: yes ? 'approved' : 'turned_down' }]
  settle(
    { ...commentsOf(context, state), store: context.store },
    {
      ...{ draft: draft.name, isApproved: yes },
      decided: pathsOfWaiting(decided),
      waiting: pathsOfWaiting(agent.waiting),
    },
  )
  if (!yes) return
  if (amended?.hasLeftOut) state.leftOut.add(amended.path)
  // A state between two changes of a group was never shown.
  expect(writtenTwice(context, version)).toEqual([])
  const found = await modelOf(context.store)
  if (!isPart) {
    const expected = filesOf(state.workspace)
    for (const [path, group] of files.flatMap((file) =>
      pathsOf(file).map((at) => [at, file.group] as const),
    )) {
      if (!groups.includes(group)) continue
      const text = amended?.path === path ? amended.state : (after.get(path) ?? null)
      if (text === null) delete expected[path]
      else expected[path] = text
    }
    expect(filesOf(found)).toEqual(Object.fromEntries(Object.entries(expected).toSorted(byPath)))
  }
  if (!waiting.some(({ call }) => call.name === 'copy_file'))
    expect(same(found)).toEqual(
      same(
        new Map([
          ...run(state.workspace, decided, () => true),
          ...(amended ? [[amended.path, amended.state] as const] : []),
        ]),
      ),
    )
  state.workspace = found
}

/** Amends one of the listed files: to a text, or by leaving hunks out. Null if there is none, or nothing changes. */
function amendOne(
  files: readonly ChangedFile[],
  { before, after }: { readonly before: Model; readonly after: Model },
  wanted: Amend,
) {
  const texts = files.filter(({ path }) => typeof after.get(path) === 'string')
  const path = wanted && texts[wanted.file % texts.length]?.path
  if (!path) return null
  const { text: proposed, executable } = parseState(after.get(path) ?? '')
  const old = parseState(before.get(path) ?? '').text
  const text = typeof wanted.to === 'string' ? wanted.to : withoutHunks(old, proposed, wanted.to)
  if (text === proposed) return null
  const amendment = amendTo(path, proposed, text)
  const state = formatState(text, executable)
  return { path, state, amendment, hasLeftOut: lacksLine(text, proposed) }
}

/** Whether a text has none of the lines of another one that has some. */
function lacksLine(text: string, proposed: string): boolean {
  const lines = (one: string) => one.split('\n').map((line) => line.trim())
  const left = new Set(lines(text))
  return lines(proposed).some((line) => line !== '' && !left.has(line))
}

function withoutHunks(old: string, proposed: string, bits: number): string {
  const hunks = diffTexts(old, proposed, 0).hunks.filter((_, index) => (bits >> index) & 1)
  const amended = applyLineEdits(proposed, hunks.map(editOfHunk))
  if (!amended.ok) throw new Error(amended.error.reason)
  return amended.value
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
  vi.setSystemTime(Date.now() + 1)
  switch (command.type) {
    case 'propose':
      return propose(context, state, agentIn(context, state, command.agent), command.call)
    case 'decide':
      return decide(context, state, havingDraft(state, command.agent), command)
    case 'own':
      return own(context, state, command.call)
    case 'look':
      return check(context, state, agentIn(context, state, command.agent))
    case 'trust': {
      const { session } = agentIn(context, state, command.agent)
      const held = give(context.trusts, session.id, command.given)
      if (held) state.trusted = [...state.trusted, held]
      return
    }
    case 'end_trust': {
      const [first, ...rest] = state.trusted
      if (first) context.trusts.end(first.id, { principal: 'owner', session: null, label: null })
      state.trusted = rest
      return
    }
    case 'comment': {
      const draft = draftIn(context, state, command.agent)
      if (!draft) return
      const { anchors } = await look(context, draft)
      const { file } = command
      const anchor = file === null ? null : (anchors[file % anchors.length] ?? null)
      return comment(commentsOf(context, state), draft, anchor)
    }
    case 'reply': {
      const draft = draftIn(context, state, command.agent)
      if (draft) reply(commentsOf(context, state), draft, command.isAgent)
      return
    }
    case 'pass':
      return void vi.setSystemTime(Date.now() + command.seconds * 1000)
    case 'expire':
      return expireAll(context, state)
    case 'evict':
      return
    case 'end':
    case 'reconnect':
    case 'stream':
    case 'again':
      return connect(context, state, command)
  }
}

/** The last connection of a slot that has a draft, or the last of all. */
const havingDraft = ({ agents }: State, slot: Slot) =>
  agents.findLast((one) => one.slot === slot && one.waiting.length > 0) ?? agents.at(-1)

function draftIn(context: Context, state: State, slot: Slot): Draft | null {
  const found = havingDraft(state, slot)
  return found ? draftOf(context, found) : null
}

function connect(
  context: Context,
  state: State,
  { type, agent: slot }: Extract<Command, { type: 'end' | 'reconnect' | 'stream' | 'again' }>,
): void {
  const agent = agentIn(context, state, slot)
  if (type === 'again') {
    // An earlier connection of the slot, which the later ones have left behind.
    const earlier = state.agents.find((one) => one.slot === slot && !one.isOver)
    return speak(context, state, earlier ?? agent)
  }
  if (type === 'stream') {
    speak(context, state, agent)
    agent.hasStream = !agent.hasStream
    return
  }
  if (type === 'end') {
    context.sessions.end(agent.session.id)
    agent.isOver = true
  }
  const begun = beginConnection<Waiting>(context.sessions, slot)
  state.agents.push(begun)
  speak(context, state, begun)
}

function expireAll(context: Context, state: State): void {
  context.drafts.expire(Date.now() + 1_000_000_000, 1_000)
  for (const agent of state.agents) {
    const [first] = agent.waiting
    if (!first) continue
    agent.news = [...agent.news, { draft: first.draft, outcome: 'expired' }]
    const decided = { draft: first.draft, isApproved: false, decided: [], waiting: [] }
    settle({ ...commentsOf(context, state), store: context.store }, decided)
    agent.waiting = []
  }
  state.seen.clear()
}

/** Opens the parts of an object, in which each eviction has forgotten when connections were heard. */
function open(storage: DurableObjectStorage, state: State): Context {
  const sessions = createSessions(storage.sql)
  const hasStream = (id: string) =>
    state.agents.some(({ session, hasStream: has }) => has && session.id === id)
  const connections = { sessions, hasStream }
  let beside: ReturnType<typeof openBeside> | undefined
  const rules = { approval: 'review' }
  const context = openToolContext(storage, rules, undefined, connections, (store) => {
    beside = openBeside(storage, store, sessions)
    const { trusts, comments } = beside
    const moved = (draft: Draft, to: string) => {
      comments.move(draft, to)
      trusts.endMoved(draft.owner.key)
    }
    return { trusts, settle: comments.settle, moved }
  })
  if (!beside) throw new Error('Expected trust and comments to be opened')
  if (state.agents.length === 0) makeLinks(sessions)
  for (const agent of state.agents) agent.isVague = true
  return { ...context, ...beside, sql: storage.sql, sessions }
}

/** Opens trust and comments over the storage of an object. */
function openBeside(storage: DurableObjectStorage, store: SqliteStore, sessions: Sessions) {
  const passkeys = { all: () => [], isMissing: () => false }
  const wakeAt = () => {}
  return {
    trusts: createTrusts({
      ...{ storage, sessions, passkeys, audit: store.audit, workspace: 'w', wakeAt },
    }),
    comments: createComments({ sql: storage.sql, store, wakeAt, commented: () => {} }),
  }
}

afterEach(() => void vi.useRealTimers())

it('has only what the owner wrote or approved', { timeout: 3_000_000 }, async () => {
  const program = fc.array(command, { minLength: 3, maxLength: 30, size: 'max' })
  await fc.assert(
    fc.asyncProperty(program, async (commands) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const stub = newStub()
      const state: State = {
        ...{ workspace: new Map(), agents: [], seen: new Map() },
        ...{ trusted: [], leftOut: new Set(), commented: noComments() },
      }
      const rest = [...commands]
      while (rest.length > 0) {
        const end = rest.findIndex(({ type }) => type === 'evict')
        const life = rest.splice(0, end === -1 ? rest.length : end + 1)
        await runInDurableObject(stub, async (_, object) => {
          const context = open(object.storage, state)
          for (const each of life) {
            await take(context, state, each)
            expect(same(await modelOf(context.store))).toEqual(same(state.workspace))
          }
          for (const agent of state.agents) await check(context, state, agent)
          checkThreads(commentsOf(context, state), context.drafts)
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

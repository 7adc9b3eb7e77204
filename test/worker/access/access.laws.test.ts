/**
 * The laws of access, for random requests: a request permits what a plain reading of the rules permits, no client
 * can extend it, and no route shows or changes a path that it refuses.
 */

import { DEFAULT_CONFIG, restrictConfig } from '#core/config.ts'
import { isLaxer } from '#core/policy.ts'
import { isWithin, parsePath, ROOT, type StorePath } from '#core/path.ts'
import { resolveAccess, type Access } from '#worker/access/access.ts'
import { stepPaths } from '#worker/store/write/steps.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import type { Session } from '#worker/access/session.ts'
import type { CallerWorkspace } from '#worker/access/workspace.ts'
import { createTestOpener } from '../../support/worker/opener.ts'
import { createSearch } from '#worker/search/search.ts'
import {
  callerOf,
  callerWithoutSession,
  withConfiguration,
  type Caller,
} from '#worker/access/caller.ts'
import { delegate } from '#worker/sessions/delegate.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import type { PathRange } from '#worker/store/path-ranges.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Entry, Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { expectIs } from '../../support/core/expect-is.ts'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import {
  chainOf,
  metadataOf,
  ownerOf,
  PATHS,
  plainLevel,
  plainReading,
  request,
  wish,
  type Action,
  type RawRequest,
} from '../../support/worker/access-arbitrary.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { act, put } from '../../support/worker/store-contract.ts'

const ACTIONS: readonly Action[] = ['read', 'write']

/** The caller of a request; null where something in it is refused. */
function callerIn(raw: RawRequest, owner = ownerOf(raw)): Caller | null {
  const { links, token, configuration } = raw
  if (links.length === 0 && !token && !configuration) return callerWithoutSession('p', owner)
  const caller = callerOf(chainOf(links), owner, token ?? null)
  if (!caller.ok) return null
  const configured =
    configuration === undefined ? caller : withConfiguration(caller.value, configuration)
  return configured.ok ? configured.value : null
}

function accessIn(raw: RawRequest, owner = ownerOf(raw)): Access | null {
  const caller = callerIn(raw, owner)
  const access = caller && resolveAccess(caller.working, metadataOf(raw))
  return access?.ok ? access.value : null
}

const may = (access: Access, action: Action, path: StorePath) =>
  access.judge(action, path) === 'permitted'

function permitsNoMore(inner: Access, outer: Access, what: string): void {
  for (const path of PATHS) {
    for (const action of ACTIONS)
      if (may(inner, action, path) && !may(outer, action, path))
        expect.fail(`${what}: ${action} ${path}`)
    if (outer.isImmutable(path) && !inner.isImmutable(path)) expect.fail(`${what}: change ${path}`)
    if (isLaxer(inner.approvalFor([path]), outer.approvalFor([path])))
      expect.fail(`${what}: the approval of ${path}`)
  }
}

it('a request permits what a plain reading of it permits, within its ceiling', () => {
  let compared = 0
  const law = fc.property(request, (raw) => {
    const access = accessIn(raw)
    const caller = callerIn(raw)
    if (!access || !caller) return
    compared++
    const reading = plainReading(raw)
    for (const path of PATHS)
      for (const action of ACTIONS)
        expectIs(may(access, action, path), reading(action, path), `${action} ${path}`)
    for (const path of PATHS) expectIs(access.approvalFor([path]), plainLevel(raw, path), path)
    const { ceiling } = caller.working
    const most = resolveAccess({ ceiling, area: ceiling })
    if (most.ok) permitsNoMore(access, most.value, 'beyond the ceiling')
    speaksForSubtrees(access)
  })
  fc.assert(law, runs(400, 10_000))
  expect(compared).toBeGreaterThan(50)
})

function speaksForSubtrees(access: Access): void {
  for (const folder of PATHS) {
    const open = access.isOpenBelow(folder)
    for (const path of PATHS.filter((one) => isWithin(one, folder)))
      if (open && !(access.canRead(path) && access.canWrite(path)))
        expect.fail(`${path} is not open below ${folder}`)
  }
  const isIn = ({ low, high }: PathRange, path: StorePath) => low <= path && path < high
  for (const path of PATHS)
    if (access.sees({ type: 'folder', path }) && path !== ROOT)
      expectIs(
        access.readable?.some((range) => isIn(range, path)) ?? true,
        true,
        `${path} in range`,
      )
  for (const folder of access.folders())
    expect(ACTIONS.some((action) => may(access, action, folder))).toBe(true)
  if (access.unrestricted) for (const path of PATHS) expect(access.canWrite(path)).toBe(true)
}

it('flags restrict every request, whatever is stored, sent or allowed', () => {
  let compared = 0
  const law = fc.property(request, request, (raw, { owner }) => {
    const flags = Object.fromEntries(
      Object.entries(ownerOf({ ...raw, owner })).filter(([name]) => Object.hasOwn(owner, name)),
    )
    const access = accessIn(raw, restrictConfig(ownerOf(raw), flags))
    if (!access) return
    compared++
    const { allow_escape: _, ...most } = { ...DEFAULT_CONFIG, ...flags }
    permitsNoMore(
      access,
      callerWithoutSession('p', { ...most, allow_escape: false }).access,
      'beyond the flags',
    )
    const without = accessIn(raw)
    if (without) permitsNoMore(access, without, 'more with flags')
    speaksForSubtrees(access)
  })
  fc.assert(law, runs(400, 10_000))
  expect(compared).toBeGreaterThan(50)
})

it('a client cannot extend its access by adding to a request', () => {
  let compared = 0
  const law = fc.property(request, (raw) => {
    const access = accessIn(raw)
    if (!access) return
    const without: [string, RawRequest][] = [
      ['a policy', { ...raw, policy: undefined }],
      ['denied scopes', { ...raw, denied: [] }],
      ['a configuration', { ...raw, configuration: undefined }],
      ['a token', { ...raw, token: undefined }],
      // Grants have no effect under a policy.
      ...(raw.policy ? [['grants', { ...raw, granted: [] }] as [string, RawRequest]] : []),
    ]
    for (const [what, less] of without) {
      const before = accessIn(less)
      if (!before) continue
      compared++
      permitsNoMore(access, before, what)
    }
  })
  fc.assert(law, runs(300, 10_000))
  expect(compared).toBeGreaterThan(100)
})

it('a delegated session permits no more than the request that created it', async () => {
  let compared = 0
  await runInDurableObject(newStub(), async (_, { storage }) => {
    createSqliteStore(storage, createSqliteObjects(storage.sql))
    const sessions = createSessions(storage.sql)
    const law = fc.asyncProperty(request, wish, async (raw, { policy, scopes }) => {
      storage.sql.exec('DELETE FROM sessions')
      const chain = chainOf(raw.links)
      for (const session of chain) sessions.make(session, null)
      const caller = callerIn(raw)
      const access = accessIn({ ...raw, granted: [] })
      if (!caller || !access) return
      const metadata = metadataOf(raw)
      const asked = { label: 'x', ttl_seconds: 60, policy, scopes }
      const owner = ownerOf(raw)
      // A token belongs to a session, so it is drawn only with one.
      if (!caller.session && raw.token) return
      const made = await delegate(asked, { caller, metadata }, sessions, owner, 'llm')
      if (!made.ok) return
      const child = callerOf(sessions.chainOf(made.value.session) ?? [], owner)
      if (!child.ok) return
      compared++
      const granted = metadataOf({
        ...raw,
        policy: undefined,
        denied: [],
        granted: ['read', 'write'],
      })
      for (const terms of [NO_METADATA, granted]) {
        const held = resolveAccess(child.value.working, terms)
        if (held.ok) permitsNoMore(held.value, access, 'a delegate')
      }
    })
    await fc.assert(law, runs(200, 10_000))
  })
  expect(compared).toBeGreaterThan(30)
})

const FILES = ['/a/a', '/a/b/a', '/a/b/b', '/a/ab/a', '/b/b', '/b/a/ab', '/b/ab/b', '/ab/a']

async function plant(store: Store): Promise<void> {
  for (const path of FILES) await put(store, path, `text of ${path}`)
  const p = parsePath
  act(store, { type: 'move', from: p('/b/b'), to: p('/b/ab/a') })
  act(store, { type: 'remove', path: p('/ab/a') })
  act(store, { type: 'remove', path: p('/a/ab') })
  act(store)
}

const SESSION: Session = {
  id: 'session',
  parent: null,
  principal: 'test',
  label: 'Test',
  config: null,
  policy: null,
  scopes: null,
  inherited: null,
  budget: 'test',
  initialize: null,
  transfer: null,
  created: 0,
  expires: null,
}

const path = fc.constantFrom(...PATHS)

it('no route shows or changes a path that access refuses', async () => {
  let compared = 0
  await runInDurableObject(newStub(), async (_, { storage }) => {
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    await plant(store)
    const content = await store.hold(new TextEncoder().encode('new'))
    const { openFor } = createTestOpener(storage.sql, store, createSearch(storage, store))
    const steps: fc.Arbitrary<Step[]> = fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('put' as const), path, content: fc.constant(content) }),
        fc.record({ type: fc.constant('folder' as const), path }),
        fc.record({ type: fc.constant('remove' as const), path }),
        fc.record({ type: fc.constant('move' as const), from: path, to: path }),
      ),
      { minLength: 1, maxLength: 2 },
    )
    const law = fc.property(request, fc.array(steps, { maxLength: 6 }), (raw, proposals) => {
      const access = accessIn(raw)
      if (!access) return
      compared++
      const workspace = openFor(access, {
        ...callerWithoutSession('test', DEFAULT_CONFIG),
        session: SESSION,
      })
      showsOnlyWhatIsSeen(workspace, store, access)
      for (const proposal of proposals) changesOnlyWhatMayChange(workspace, store, access, proposal)
    })
    fc.assert(law, runs(200, 10_000))
  })
  expect(compared).toBeGreaterThan(30)
})

function showsOnlyWhatIsSeen(workspace: CallerWorkspace, raw: Store, access: Access): void {
  const { store, search } = workspace
  const seen = (entry: Entry) =>
    access.judge('read', entry.path, entry.type === 'folder') === 'permitted'
  const all = [...raw.walk(ROOT)]
  const visible = all.filter(seen)
  const pathsIn = (entries: Iterable<Entry>) =>
    Array.from(entries, (entry) => entry.path).join('\n')
  expectIs(pathsIn(store.walk(ROOT)), pathsIn(visible))
  for (const entry of all) if (!seen(entry)) expectIs(store.stat(entry.path), null, entry.path)
  for (const folder of PATHS) {
    const below = visible.filter((entry) => entry.path !== folder && isWithin(entry.path, folder))
    const children = below.filter((one) => one.path.split('/').length === depthBelow(folder))
    expectIs(pathsIn(store.list(folder, { limit: 2 })), pathsIn(children.slice(0, 2)), folder)
    expectIs(pathsIn(store.list(folder, { limit: 50 })), pathsIn(children), folder)
    const files = below.filter((entry) => entry.type === 'file')
    expectIs(store.measure(folder).files, files.length, folder)
    // Deletions count as well, where every deleted path is visible.
    if (!access.isOpenBelow(folder))
      expectIs(store.versionOf(folder) <= newest(visible, folder), true, folder)
    for (const file of search.candidates(folder, null).files)
      expectIs(access.canRead(file.path), true, file.path)
    if (!access.canRead(folder)) expectIs(store.history(folder, 10).length, 0, folder)
    for (const version of [3, 9, 11]) {
      const state = store.stateAt(folder, version)
      if (state !== null && state !== 'forgotten') expectIs(seen(state), true, folder)
    }
  }
  showsOnlyOwnChanges(workspace, raw, access)
}

const depthBelow = (folder: string) => (folder === '/' ? 2 : folder.split('/').length + 1)

/** The newest version of the visible entries at or below a path. */
function newest(visible: readonly Entry[], folder: StorePath): number {
  const below = visible.filter((entry) => isWithin(entry.path, folder))
  return Math.max(0, ...below.map((entry) => entry.version))
}

function showsOnlyOwnChanges({ store }: CallerWorkspace, raw: Store, access: Access): void {
  const isKnown = (id: string) =>
    raw.changesOf(id).every(({ paths }) => {
      // A change without paths was made by another session.
      if (paths.length === 0) return false
      const isAbove = (one: StorePath) =>
        paths.some((path) => isWithin(path, one) && access.canRead(path)) && !access.isDenied(one)
      return paths.every((one) => access.sees({ type: 'folder', path: one }) || isAbove(one))
    })
  for (const { id } of raw.listChanges({ limit: 50 })) {
    if (store.changesOf(id).length > 0) expectIs(isKnown(id), true, id)
  }
  for (const { id } of store.listChanges({ limit: 50 }).changes) expectIs(isKnown(id), true, id)
}

/** The paths that a proposal would change if it were applied: sources and targets. */
function touchedBy(steps: readonly Step[], store: Store): StorePath[] {
  return steps.flatMap((step) => {
    if (step.type !== 'move' && step.type !== 'remove') return stepPaths(step)
    const from = step.type === 'move' ? step.from : step.path
    const gone = [from, ...[...store.walk(from)].map((entry) => entry.path)]
    if (step.type === 'remove') return gone
    return [...gone, ...gone.map((one) => parsePath(step.to + one.slice(from.length)))]
  })
}

function changesOnlyWhatMayChange(
  workspace: CallerWorkspace,
  store: Store,
  access: Access,
  steps: readonly Step[],
): void {
  const actor = { principal: 'p', session: 'session', label: null }
  const note = { tool: 'test', intent: '', actor, decision: [] }
  const basis = workspace.version()
  const tried = workspace.apply({ basis, steps, note, dryRun: true })
  expect(store.totals.version).toBe(basis)
  if (!tried.ok || steps.length > 1) return
  for (const touched of touchedBy(steps, store))
    expect(access.canWrite(touched), `${JSON.stringify(steps)} ${touched}`).toBe(true)
}

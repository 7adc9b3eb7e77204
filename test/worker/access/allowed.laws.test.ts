/**
 * The laws of what the owner allows a session beyond its ceiling, for random requests: it opens what it names, to
 * that session alone, and nothing that any other rule refuses.
 */

import { isWithin, parsePath, type StorePath } from '#core/path.ts'
import { covers, parseScope } from '#core/scope.ts'
import { resolveAccess, type Access } from '#worker/access/access.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import {
  callerOf,
  callerWithoutSession,
  withAllowedCall,
  withConfiguration,
  type Caller,
} from '#worker/access/caller.ts'
import { delegate } from '#worker/sessions/delegate.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
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
  plainReading,
  request,
  scopes,
  wish,
  type Action,
  type RawLink,
  type RawRequest,
} from '../../support/worker/access-arbitrary.ts'
import { newStub } from '../../support/worker/object-life.ts'

const ACTIONS: readonly Action[] = ['read', 'write']

function callerIn(raw: RawRequest): Caller | null {
  const { links, token, configuration } = raw
  const caller = callerOf(chainOf(links), ownerOf(raw), token ?? null)
  if (!caller.ok) return null
  const configured =
    configuration === undefined ? caller : withConfiguration(caller.value, configuration)
  return configured.ok ? configured.value : null
}

function accessIn(raw: RawRequest): Access | null {
  const caller = callerIn(raw)
  const access = caller && resolveAccess(caller.working, metadataOf(raw))
  return access?.ok ? access.value : null
}

const may = (access: Access, action: Action, path: StorePath) =>
  access.judge(action, path) === 'permitted'

/** Replaces one link of a request. */
const withLink = (raw: RawRequest, at: number, more: Partial<RawLink>): RawRequest => ({
  ...raw,
  links: raw.links.map((link, index) => (index === at ? { ...link, ...more } : link)),
})

const allowing = (raw: RawRequest, allowed: string[]) =>
  withLink(raw, raw.links.length - 1, { allowed })

const isNamed = (allowed: readonly string[], action: Action, path: StorePath) =>
  allowed.some((text) => covers(parseScope(text), parseScope(`${action}:file:${path}`)))

function areEqual(one: Access, other: Access): void {
  for (const path of PATHS) {
    for (const action of ACTIONS)
      expectIs(one.judge(action, path), other.judge(action, path), `${action} ${path}`)
    expectIs(one.isImmutable(path), other.isImmutable(path), path)
    expectIs(one.approvalFor([path]), other.approvalFor([path]), path)
  }
  expect(one.folders()).toEqual(other.folders())
}

it('a session permits what a plain reading of its rules and of what the owner allowed permits', () => {
  let compared = 0
  let opened = 0
  const law = fc.property(request, scopes, (raw, allowed) => {
    const wide = allowing(raw, allowed)
    const access = accessIn(wide)
    const before = accessIn(raw)
    if (!access || raw.links.length === 0) return
    compared++
    const reading = plainReading(wide)
    for (const path of PATHS)
      for (const action of ACTIONS) {
        const isPermitted = may(access, action, path)
        // A pattern of a policy applies outside of its roots as well: it refuses more than the plain reading.
        if (isPermitted || !access.isDenied(path))
          expectIs(isPermitted, reading(action, path), `${action} ${path}`)
        if (isPermitted && before && !may(before, action, path)) opened++
      }
    for (const folder of access.folders())
      expect(ACTIONS.some((action) => may(access, action, folder))).toBe(true)
  })
  fc.assert(law, runs(400))
  expect(compared).toBeGreaterThan(50)
  expect(opened).toBeGreaterThan(50)
})

it('opens nothing but what it names, and no path that anything else refuses', () => {
  let compared = 0
  const law = fc.property(request, scopes, (raw, allowed) => {
    const [access, before] = [accessIn(allowing(raw, allowed)), accessIn(raw)]
    if (!access || !before || raw.links.length === 0) return
    compared++
    const denied = [...raw.denied, ...raw.links.flatMap(({ inherited }) => inherited.denied ?? [])]
    for (const path of PATHS) {
      for (const action of ACTIONS) {
        const what = `${action} ${path}`
        if (may(before, action, path)) expectIs(may(access, action, path), true, what)
        else if (may(access, action, path)) {
          expectIs(isNamed(allowed, action, path), true, what)
          expectIs(access.isDenied(path), false, what)
          expectIs(isNamed(denied, action, path), false, what)
          expectIs(before.judge(action, path) === 'blocked', false, what)
          if (raw.token) expectIs(isNamed(raw.token, action, path), true, what)
        }
      }
      expectIs(access.isImmutable(path), before.isImmutable(path), path)
      expectIs(access.isDenied(path), before.isDenied(path), path)
      expectIs(access.approvalFor([path]), before.approvalFor([path]), path)
      expectIs(access.holdsRoot(path), before.holdsRoot(path), path)
    }
    expect(access.readOnly).toBe(before.readOnly)
  })
  fc.assert(law, runs(400))
  expect(compared).toBeGreaterThan(50)
})

it('is judged path by path below every folder that is called open', () => {
  const law = fc.property(request, scopes, (raw, allowed) => {
    const access = accessIn(allowing(raw, allowed))
    for (const folder of PATHS.filter((one) => access?.isOpenBelow(one)))
      for (const path of PATHS.filter((one) => isWithin(one, folder)))
        expectIs(access?.canRead(path) && access.canWrite(path), true, path)
  })
  fc.assert(law, runs(200))
})

it('does nothing under a policy of the request', () => {
  let compared = 0
  const law = fc.property(request, scopes, (raw, allowed) => {
    const ruled = { ...raw, policy: raw.policy ?? { roots: [] } }
    const [access, before] = [accessIn(allowing(ruled, allowed)), accessIn(ruled)]
    if (!access || !before) return
    compared++
    areEqual(access, before)
  })
  fc.assert(law, runs(200))
  expect(compared).toBeGreaterThan(30)
})

it('is for no session above or below, and for no transfer link', () => {
  let compared = 0
  const law = fc.property(request, scopes, fc.nat(2), (raw, allowed, place) => {
    // Any session but the one of the request.
    const at = place % Math.max(1, raw.links.length)
    if (at >= raw.links.length - 1) return
    const [access, before] = [accessIn(withLink(raw, at, { allowed })), accessIn(raw)]
    expect(access === null).toBe(before === null)
    if (!access || !before) return
    compared++
    areEqual(access, before)
    const chain = chainOf(allowing(raw, allowed).links)
    const transfer = { path: parsePath('/a/a'), direction: 'download' } as const
    const linked = callerOf(
      chain.map((session, index) =>
        index === chain.length - 1 ? { ...session, transfer } : session,
      ),
      ownerOf(raw),
    )
    const plain = callerOf(chainOf(raw.links), ownerOf(raw))
    if (linked.ok && plain.ok) areEqual(linked.value.access, plain.value.access)
  })
  fc.assert(law, runs(1_000))
  expect(compared).toBeGreaterThan(30)
})

it('adds nothing to a link that the session creates', async () => {
  let compared = 0
  await runInDurableObject(newStub(), async (_, { storage }) => {
    createSqliteStore(storage, createSqliteObjects(storage.sql))
    const sessions = createSessions(storage.sql)
    const law = fc.asyncProperty(request, scopes, wish, async (raw, allowed, asked) => {
      storage.sql.exec('DELETE FROM sessions')
      const chain = chainOf(raw.links)
      const last = chain.at(-1)
      const wide = { ...allowing(raw, allowed), token: undefined, configuration: undefined }
      const caller = callerIn(wide)
      const before = accessIn({ ...wide, links: raw.links, granted: [] })
      if (!last || !caller || !before) return
      for (const session of chain) sessions.make(session, null)
      expect(sessions.allow(last.id, allowed)).toBe(true)
      const owner = ownerOf(raw)
      const metadata = metadataOf(raw)
      const link = { label: 'x', ttl_seconds: 60, ...asked }
      const made = await delegate(link, { caller, metadata }, sessions, owner, 'llm')
      if (!made.ok) return
      const child = callerOf(sessions.chainOf(made.value.session) ?? [], owner)
      if (!child.ok) return
      compared++
      expect(made.value.session.allowed).toBeUndefined()
      const granted = { ...NO_METADATA, granted: [parseScope('read'), parseScope('write')] }
      for (const terms of [NO_METADATA, granted]) {
        const held = resolveAccess(child.value.working, terms)
        for (const path of PATHS)
          for (const action of ACTIONS)
            if (held.ok && may(held.value, action, path) && !may(before, action, path))
              expect.fail(`${action} ${path}`)
      }
    })
    await fc.assert(law, runs(200))
  })
  expect(compared).toBeGreaterThan(20)
})

it('for one call permits no more than for the session, and lifts no scope of a token', () => {
  let compared = 0
  const law = fc.property(request, scopes, (raw, allowed) => {
    const caller = raw.links.length === 0 ? callerWithoutSession('p', ownerOf(raw)) : callerIn(raw)
    if (!caller) return
    const once = resolveAccess(withAllowedCall(caller, allowed).working, metadataOf(raw))
    const session = raw.links.length === 0 ? null : accessIn(allowing(raw, allowed))
    if (!once.ok) return
    compared++
    for (const path of PATHS)
      for (const action of ACTIONS) {
        if (!may(once.value, action, path)) continue
        if (session) expectIs(may(session, action, path), true, `${action} ${path}`)
        if (raw.token && raw.links.length > 0)
          expectIs(isNamed(raw.token, action, path), true, `${action} ${path}`)
      }
  })
  fc.assert(law, runs(300))
  expect(compared).toBeGreaterThan(50)
})

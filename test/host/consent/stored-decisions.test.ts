/** Rules: what is stored, for how long, and what happens if nothing can be stored. */

import { createDecisions, buildScopeOptions } from '#host/consent/stored-decisions.ts'
import { beforeEach, expect, it, vi } from 'vitest'

const SERVER = 'https://one.example/mcp'
const DAY = 24 * 60 * 60 * 1000

beforeEach(() => localStorage.clear())

const scopes = (list: readonly { scope: string }[]) => list.map(({ scope }) => scope)

it('stores always in the browser, session in the page, and call nowhere', () => {
  const decisions = createDecisions()
  for (const duration of ['call', 'session', 'always'] as const)
    decisions.remember({
      server: SERVER,
      decision: 'allow',
      scopes: [`read:${duration}`],
      duration,
    })
  expect(scopes(decisions.list()).toSorted()).toEqual(['read:always', 'read:session'])
  expect(scopes(createDecisions().list())).toEqual(['read:always'])
})

it('forgets after ninety days', () => {
  let now = Date.now()
  const decisions = createDecisions({ now: () => now })
  decisions.remember({ server: SERVER, decision: 'deny', scopes: ['write'], duration: 'always' })
  now += 89 * DAY
  expect(decisions.decisionsFor(SERVER).deny).toHaveLength(1)
  now += 2 * DAY
  expect(decisions.decisionsFor(SERVER).deny).toHaveLength(0)
  expect(decisions.list()).toEqual([])
})

it('replaces an earlier decision on the same scope', () => {
  const decisions = createDecisions()
  decisions.remember({ server: SERVER, decision: 'deny', scopes: ['write'], duration: 'always' })
  decisions.remember({ server: SERVER, decision: 'allow', scopes: ['write'], duration: 'session' })
  expect(decisions.list()).toMatchObject([{ decision: 'allow', duration: 'session' }])
})

it('removes one rule, those of a server, and all, and notifies', () => {
  const decisions = createDecisions()
  const listener = vi.fn()
  decisions.onChange(listener)
  decisions.remember({ server: SERVER, decision: 'allow', scopes: ['a', 'b'], duration: 'always' })
  decisions.remember({ server: 'other', decision: 'allow', scopes: ['c'], duration: 'session' })
  decisions.forget(decisions.list(SERVER).find(({ scope }) => scope === 'a')?.id ?? '')
  expect(scopes(decisions.list())).toEqual(expect.arrayContaining(['b', 'c']))
  decisions.forgetAll(SERVER)
  expect(scopes(decisions.list())).toEqual(['c'])
  decisions.forgetAll()
  expect(decisions.list()).toEqual([])
  expect(localStorage).toHaveLength(0)
  expect(listener).toHaveBeenCalledTimes(5)
})

it('is bounded', () => {
  const decisions = createDecisions()
  for (let batch = 0; batch < 12; batch++) {
    const many = Array.from({ length: 50 }, (_, index) => `read:${batch}-${index}`)
    decisions.remember({ server: SERVER, decision: 'allow', scopes: many, duration: 'always' })
  }
  expect(decisions.list()).toHaveLength(500)
})

it.each(['nonsense', '{}', '[1, null, {"id": 1}]', '[{"id":"a","server":"s","decision":"maybe"}]'])(
  'ignores the invalid stored value %s',
  (text) => {
    localStorage.setItem('edgewise.rules', text)
    expect(createDecisions().list()).toEqual([])
  },
)

it('works if nothing can be stored', () => {
  const storage: Storage = {
    length: 0,
    clear() {},
    key: () => null,
    removeItem() {},
    getItem: () => {
      throw new DOMException('no', 'SecurityError')
    },
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  for (const nowhere of [null, storage]) {
    const decisions = createDecisions({ storage: nowhere })
    decisions.remember({ server: SERVER, decision: 'allow', scopes: ['read'], duration: 'always' })
    expect(decisions.decisionsFor(SERVER).allow).toHaveLength(1)
  }
})

it('offers choices from wide to narrow', () => {
  expect(buildScopeOptions('x', ['read:file:/a', 'write:file:/b'])).toMatchObject([
    { scope: 'read', enough: false },
    { scope: 'read:file', enough: false },
    { scope: 'read:file:/a', enough: false },
    { scope: 'write', enough: false },
    { scope: 'write:file', enough: false },
    { scope: 'write:file:/b', enough: false, suggested: false },
  ])
  expect(buildScopeOptions('echo', [])).toEqual([
    { scope: 'tool:echo', label: 'Use echo', enough: true, suggested: true },
  ])
})

/** Returns what is denied and allowed under an address after a decision under another one. */
function decidedAt(stored: string, asked: string) {
  const [server, other] = [stored, asked].map((path) => new URL(path, location.origin).href)
  const decisions = createDecisions({ storage: null })
  const decision = { server: String(server), duration: 'session' } as const
  decisions.remember({ ...decision, decision: 'deny', scopes: ['read:file:/private'] })
  decisions.remember({ ...decision, decision: 'allow', scopes: ['write'] })
  const { deny, allow } = decisions.decisionsFor(String(other))
  return { deny: deny.length, allow: allow.length }
}

it.each([
  ['/mcp', '/w/default/mcp'],
  ['/mcp', '/mcp?x=1'],
  ['/w/team/mcp', '/w/team/mcp?x=1'],
])('belongs to an endpoint in every spelling of its address: %s, %s', (one, other) => {
  expect(decidedAt(one, other)).toEqual({ deny: 1, allow: 1 })
  expect(decidedAt(other, one)).toEqual({ deny: 1, allow: 1 })
})

it.each([
  ['/mcp', '/s/default.secret/mcp'],
  ['/w/team/mcp', '/s/team.secret/mcp'],
  ['/s/default.secret/mcp', '/s/default.other/mcp'],
  ['https://one.example/mcp', 'https://one.example/w/default/mcp'],
])('holds a denial, and nothing that is allowed, for each way to a workspace: %s, %s', (a, b) => {
  expect(decidedAt(a, b)).toEqual({ deny: 1, allow: 0 })
  expect(decidedAt(b, a)).toEqual({ deny: 1, allow: 0 })
})

it.each([
  ['/mcp', '/w/team/mcp'],
  ['/w/team/mcp', '/s/default.secret/mcp'],
  ['/mcp', 'https://one.example/mcp'],
  ['https://one.example/a', 'https://one.example/a?b'],
])('belongs to one workspace: %s, %s', (one, other) => {
  expect(decidedAt(one, other)).toEqual({ deny: 0, allow: 0 })
})

it('replaces, lists and forgets decisions under every spelling', () => {
  const decisions = createDecisions({ storage: null })
  const allow = { decision: 'allow', scopes: ['write'], duration: 'session' } as const
  decisions.remember({ ...allow, server: `${location.origin}/w/default/mcp` })
  decisions.remember({ ...allow, server: `${location.origin}/mcp`, decision: 'deny' })
  expect(decisions.list(`${location.origin}/w/default/mcp`)).toMatchObject([{ decision: 'deny' }])
  decisions.forgetAll(`${location.origin}/w/default/mcp`)
  expect(decisions.list()).toEqual([])
})

/** Rules: what is stored, for how long, and what happens if nothing can be stored. */

import { createRules, buildScopeOptions } from '#host/consent/rules.ts'
import { beforeEach, expect, it, vi } from 'vitest'

const SERVER = 'https://one.example/mcp'
const DAY = 24 * 60 * 60 * 1000

beforeEach(() => localStorage.clear())

const scopes = (list: readonly { scope: string }[]) => list.map(({ scope }) => scope)

it('stores always in the browser, session in the page, and call nowhere', () => {
  const rules = createRules()
  for (const duration of ['call', 'session', 'always'] as const)
    rules.remember({ server: SERVER, decision: 'allow', scopes: [`read:${duration}`], duration })
  expect(scopes(rules.list()).toSorted()).toEqual(['read:always', 'read:session'])
  expect(scopes(createRules().list())).toEqual(['read:always'])
})

it('forgets after ninety days', () => {
  let now = Date.now()
  const rules = createRules({ now: () => now })
  rules.remember({ server: SERVER, decision: 'deny', scopes: ['write'], duration: 'always' })
  now += 89 * DAY
  expect(rules.decisionsFor(SERVER).deny).toHaveLength(1)
  now += 2 * DAY
  expect(rules.decisionsFor(SERVER).deny).toHaveLength(0)
  expect(rules.list()).toEqual([])
})

it('replaces an earlier decision on the same scope', () => {
  const rules = createRules()
  rules.remember({ server: SERVER, decision: 'deny', scopes: ['write'], duration: 'always' })
  rules.remember({ server: SERVER, decision: 'allow', scopes: ['write'], duration: 'session' })
  expect(rules.list()).toMatchObject([{ decision: 'allow', duration: 'session' }])
})

it('removes one rule, those of a server, and all, and notifies', () => {
  const rules = createRules()
  const listener = vi.fn()
  rules.onChange(listener)
  rules.remember({ server: SERVER, decision: 'allow', scopes: ['a', 'b'], duration: 'always' })
  rules.remember({ server: 'other', decision: 'allow', scopes: ['c'], duration: 'session' })
  rules.forget(rules.list(SERVER).find(({ scope }) => scope === 'a')?.id ?? '')
  expect(scopes(rules.list())).toEqual(expect.arrayContaining(['b', 'c']))
  rules.forgetAll(SERVER)
  expect(scopes(rules.list())).toEqual(['c'])
  rules.forgetAll()
  expect(rules.list()).toEqual([])
  expect(localStorage).toHaveLength(0)
  expect(listener).toHaveBeenCalledTimes(5)
})

it('is bounded', () => {
  const rules = createRules()
  for (let batch = 0; batch < 12; batch++) {
    const many = Array.from({ length: 50 }, (_, index) => `read:${batch}-${index}`)
    rules.remember({ server: SERVER, decision: 'allow', scopes: many, duration: 'always' })
  }
  expect(rules.list()).toHaveLength(500)
})

it.each(['nonsense', '{}', '[1, null, {"id": 1}]', '[{"id":"a","server":"s","decision":"maybe"}]'])(
  'ignores the invalid stored value %s',
  (text) => {
    localStorage.setItem('edgewise.rules', text)
    expect(createRules().list()).toEqual([])
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
    const rules = createRules({ storage: nowhere })
    rules.remember({ server: SERVER, decision: 'allow', scopes: ['read'], duration: 'always' })
    expect(rules.decisionsFor(SERVER).allow).toHaveLength(1)
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
  const rules = createRules({ storage: null })
  const decision = { server: String(server), duration: 'session' } as const
  rules.remember({ ...decision, decision: 'deny', scopes: ['read:file:/private'] })
  rules.remember({ ...decision, decision: 'allow', scopes: ['write'] })
  const { deny, allow } = rules.decisionsFor(String(other))
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
  const rules = createRules({ storage: null })
  const allow = { decision: 'allow', scopes: ['write'], duration: 'session' } as const
  rules.remember({ ...allow, server: `${location.origin}/w/default/mcp` })
  rules.remember({ ...allow, server: `${location.origin}/mcp`, decision: 'deny' })
  expect(rules.list(`${location.origin}/w/default/mcp`)).toMatchObject([{ decision: 'deny' }])
  rules.forgetAll(`${location.origin}/w/default/mcp`)
  expect(rules.list()).toEqual([])
})

/** The stored denials that a call of an app carries, so that the server holds them for all that it reaches. */

import type { JsonRecord } from '#core/json.ts'
import { callWithConsent } from '#host/consent/call-with-consent.ts'
import { createDecisions } from '#host/consent/stored-decisions.ts'
import type { CallFacts, Requester } from '#host/consent/types.ts'
import { parseCallResult } from '#host/mcp/parse.ts'
import { expect, it } from 'vitest'

const SERVER = 'https://one.example/mcp'

interface Made {
  readonly args?: JsonRecord
  readonly meta?: JsonRecord
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly facts?: Partial<CallFacts>
  readonly requester?: Requester
}

/** Makes a call with stored decisions; returns the `denied_scopes` of each request of it. */
async function deniedScopesOf({ args = {}, meta = {}, facts, requester, ...stored }: Made) {
  const { allow = [], deny = ['read:file:/private'] } = stored
  const decisions = createDecisions({ storage: null })
  const remembered = { server: SERVER, duration: 'session' } as const
  decisions.remember({ ...remembered, decision: 'allow', scopes: allow })
  decisions.remember({ ...remembered, decision: 'deny', scopes: deny })
  const sent: unknown[] = []
  await callWithConsent(
    { tool: 'tool', args, meta },
    {
      ...{ title: 'Tool', intent: { text: 'Tool', parts: [] } },
      ...{ hint: 'none', preview: false, readOnly: true, scopes: ['read:file'] },
      ...facts,
    },
    {
      ...{ server: SERVER, decisions, ...(requester && { requester }) },
      async send(call) {
        if (call.tool === 'tool') sent.push(call.meta['denied_scopes'])
        return parseCallResult({ content: [] })
      },
      ask: {
        approve: async () => true,
        grant: async () => ({ allow: false, scopes: null, duration: 'call' }),
        notify: () => {},
      },
    },
  )
  return sent
}

const BOTH = ['read:file', 'write:file']

it.each<JsonRecord>([
  { pattern: 'SECRET' },
  { pattern: 'SECRET', root: '/' },
  { pattern: 'SECRET', glob: ['private/**'] },
  { pattern: 'private/**' },
  { id: 'a-change' },
  { path: '/public' },
  {},
])('holds for what %j reaches', async (args) => {
  expect(await deniedScopesOf({ args })).toEqual([['read:file:/private']])
  expect(await deniedScopesOf({ args, facts: { scopes: [] } })).toEqual([['read:file:/private']])
})

it('is part of the preview and of the change', async () => {
  const facts = { scopes: BOTH, hint: 'review', preview: true } as const
  const sent = await deniedScopesOf({ args: { from: '/', to: '/c' }, facts })
  expect(sent).toEqual([['read:file:/private']])
  const sure = { scopes: BOTH, hint: 'confirm' } as const
  expect(await deniedScopesOf({ args: { from: '/', to: '/c' }, facts: sure })).toEqual([
    ['read:file:/private'],
  ])
})

it('does not bind the user', async () => {
  expect(await deniedScopesOf({ requester: 'person' })).toEqual([undefined])
})

it('is absent without a denial that the server knows', async () => {
  expect(await deniedScopesOf({ deny: ['tool:other'] })).toEqual([undefined])
})

it('is sent once, without what a wider denial covers', async () => {
  const deny = ['read:file:/a/b', 'read:file:/a', 'write:file:/a/b', 'execute', 'tool:x']
  const sent = await deniedScopesOf({ deny })
  expect(sent).toEqual([['read:file:/a', 'write:file:/a/b', 'execute']])
})

it.each([
  ['read', ['read', 'read:file:/private']],
  [['read:file:/x'], ['read:file:/x', 'read:file:/private']],
  [7, [7, 'read:file:/private']],
  [null, ['read:file:/private']],
])('is added to what the app denies itself: %j', async (given, sent) => {
  expect(await deniedScopesOf({ meta: { denied_scopes: given } })).toEqual([sent])
})

it.each<[JsonRecord, readonly string[]]>([
  [{ path: '/private/open/a' }, ['read:file']],
  [{ paths: ['/private/open', '/private/open/b'] }, ['read:file']],
  [{ root: '/private/open', pattern: 'x' }, ['read:file']],
  [{ from: '/private/open/a', to: '/private/open/b' }, BOTH],
])('is left out where a narrower decision allows all that is named: %j', async (args, scopes) => {
  const allow = ['read:file:/private/open', 'write:file:/private/open']
  const sent = await deniedScopesOf({ allow, args, facts: { scopes } })
  expect(sent).toEqual([undefined])
})

it.each<[JsonRecord, readonly string[]]>([
  [{ from: '/private/open/a' }, ['read:file']],
  [{ file: '/private/open/a' }, ['read:file']],
  [{ paths: ['/private/open', '/'] }, ['read:file']],
  [{ folder: '/', from: '/private/open' }, BOTH],
  [{}, ['read:file']],
])('is sent where a call may reach more than what is allowed: %j', async (args, scopes) => {
  const allow = ['read:file:/private/open', 'write:file:/private/open']
  const sent = await deniedScopesOf({ allow, args, facts: { scopes } })
  expect(sent).toEqual([['read:file:/private']])
})

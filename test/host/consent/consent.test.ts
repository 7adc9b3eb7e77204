/** Consent, with a server that replies from a list and a user who decides. */

import type { JsonRecord } from '#core/json.ts'
import { ConnectionError, makeProblem } from '#host/mcp/errors.ts'
import { parseCallResult } from '#host/mcp/parse.ts'
import type { CallToolResult } from '#host/mcp/types.ts'
import { callWithConsent, strictest, type ConsentParts } from '#host/consent/call-with-consent.ts'
import { createDecisions } from '#host/consent/stored-decisions.ts'
import type {
  ApprovalQuestion,
  CallFacts,
  Duration,
  ScopeQuestion,
  WantedCall,
} from '#host/consent/types.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it, vi } from 'vitest'

const CALL: WantedCall = { tool: 'write_file', args: { path: '/a' }, meta: {} }
const FACTS: CallFacts = {
  title: 'Write a file',
  intent: { text: 'Write to /a', parts: [{ type: 'text', text: 'Write to /a' }] },
  hint: 'review',
  preview: true,
  scopes: ['write:file'],
  readOnly: false,
}

const result = (raw: JsonRecord) => parseCallResult({ content: [], ...raw })
const done = result({ content: [{ type: 'text', text: 'done' }] })
const preview = (id: string) => result({ _meta: { preview: true, 'dev.edgewise/change': { id } } })
const stale = result({ isError: true, _meta: { 'dev.edgewise/error': { code: 'PREVIEW_STALE' } } })
const refusal = (...scopes: string[]) =>
  result({ isError: true, _meta: { requested_scopes: scopes } })

type Reply = CallToolResult | Error
type ScopeWord = readonly [allow: boolean, duration?: Duration, scopes?: string[]]

interface Play {
  readonly replies: Reply[]
  readonly approvals?: boolean[]
  readonly grants?: ScopeWord[]
  readonly facts?: Partial<CallFacts>
  readonly call?: Partial<WantedCall>
  readonly parts?: Partial<ConsentParts>
}

/** Plays a call through. Replies and decisions of the user are used up in order. */
async function play({ replies, approvals = [], grants = [], facts, call, parts }: Play) {
  const sent: JsonRecord[] = []
  const approvalsAsked: ApprovalQuestion[] = []
  const scopesAsked: ScopeQuestion[] = []
  const notified: string[] = []
  const outcome = await callWithConsent(
    { ...CALL, ...call },
    { ...FACTS, ...facts },
    {
      server: 'https://one.example/mcp',
      decisions: createDecisions({ storage: null }),
      async send({ meta }) {
        sent.push(meta)
        const reply = replies.shift()
        if (reply === undefined) throw new Error('Nothing more was expected')
        if (reply instanceof Error) throw reply
        return reply
      },
      ask: {
        async approve(question) {
          approvalsAsked.push(question)
          return approvals.shift() === true
        },
        async grant(question) {
          scopesAsked.push(question)
          const [allow, duration = 'call', scopes = null] = grants.shift() ?? [false]
          return { allow, duration, scopes }
        },
        notify: ({ title }) => void notified.push(title),
      },
      ...parts,
    },
  )
  return { outcome, sent, approvalsAsked, scopesAsked, notified, left: replies.length }
}

describe('approval', () => {
  it('previews, asks, and applies exactly what was shown', async () => {
    const { outcome, sent, approvalsAsked } = await play({
      replies: [preview('p1'), done],
      approvals: [true],
    })
    expect(sent).toEqual([{ preview: true }, { 'dev.edgewise/preview': 'p1' }])
    expect(approvalsAsked).toMatchObject([{ level: 'review', previewId: 'p1', stale: false }])
    expect(outcome).toMatchObject({ status: 'done', basis: 'approved', result: done })
  })

  it('makes no call if the user denies it', async () => {
    const { outcome, sent } = await play({ replies: [preview('p1')], approvals: [false] })
    expect(sent).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'denied', by: 'person', what: 'approval' })
  })

  it('shows a new preview if the files have changed', async () => {
    const replies = [preview('p1'), stale, preview('p2'), done]
    const { outcome, sent, approvalsAsked } = await play({ replies, approvals: [true, true] })
    expect(sent.map((meta) => meta['dev.edgewise/preview'])).toEqual([
      undefined,
      'p1',
      undefined,
      'p2',
    ])
    expect(approvalsAsked.map((question) => question.stale)).toEqual([false, true])
    expect(outcome).toMatchObject({ status: 'done' })
  })

  it('gives up after too many stale previews', async () => {
    const replies = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? stale : preview(`p${index}`),
    )
    const { outcome, left } = await play({ replies, approvals: Array(20).fill(true) })
    expect(outcome).toMatchObject({ status: 'gave-up', reason: 'stale' })
    expect(left).toBe(10)
  })

  it('does not ask about a call that cannot succeed', async () => {
    const fault = result({ isError: true, structuredContent: { code: 'FIND_NOT_FOUND' } })
    const { outcome, approvalsAsked, sent } = await play({ replies: [fault] })
    expect(approvalsAsked).toEqual([])
    expect(sent).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'done', result: fault })
  })

  it('asks without a preview if the tool has none', async () => {
    const { sent, approvalsAsked } = await play({
      replies: [done],
      approvals: [true],
      facts: { preview: false },
    })
    expect(sent).toEqual([{}])
    expect(approvalsAsked).toMatchObject([{ preview: null, previewId: null, previewProblem: null }])
  })

  it.each([
    ['a code for it', makeProblem('protocol', 'no', { code: -32050 })],
    [
      'a message for it',
      makeProblem('protocol', 'preview is not supported here', { code: -32000 }),
    ],
  ])('asks without a preview if the server has %s', async (_name, problem) => {
    const { outcome, sent, approvalsAsked } = await play({
      replies: [new ConnectionError(problem), done],
      approvals: [true],
    })
    expect(sent).toEqual([{ preview: true }, {}])
    expect(approvalsAsked).toMatchObject([{ preview: null, previewProblem: problem }])
    expect(outcome).toMatchObject({ status: 'done' })
  })

  it('does not repeat a call that was made instead of previewed', async () => {
    const { outcome, sent } = await play({ replies: [done] })
    expect(sent).toEqual([{ preview: true }])
    expect(outcome).toMatchObject({ status: 'done', basis: 'not-previewed', result: done })
  })

  it('passes on other errors', async () => {
    const lost = new ConnectionError(makeProblem('unreachable', 'gone'))
    await expect(play({ replies: [lost] })).rejects.toBe(lost)
  })

  it('makes a requested preview without asking', async () => {
    const meta = { preview: true }
    const { outcome, sent, approvalsAsked } = await play({
      replies: [preview('p')],
      call: { meta },
    })
    expect(sent).toEqual([{ preview: true }])
    expect(approvalsAsked).toEqual([])
    expect(outcome).toMatchObject({ status: 'done' })
  })

  it.each([
    ['a tool without previews', { preview: true }, { preview: false }],
    ['a flag that is no boolean', { preview: 'true' }, { preview: true }],
  ])('asks about a requested preview of %s', async (_name, meta, facts) => {
    const { outcome, approvalsAsked } = await play({
      replies: facts.preview ? [preview('p')] : [],
      facts,
      call: { meta },
    })
    expect(approvalsAsked).toMatchObject([{ level: 'review' }])
    expect(outcome).toMatchObject({ status: 'denied', by: 'person' })
  })

  it('notifies of a call that was made without asking', async () => {
    expect(await play({ replies: [done], facts: { hint: 'notify' } })).toMatchObject({
      notified: ['Write a file'],
    })
    expect(await play({ replies: [done], facts: { hint: 'none' } })).toMatchObject({ notified: [] })
  })

  it('never asks less than the tool and the user require', () => {
    const levels = ['none', 'notify', 'review', 'confirm'] as const
    for (const hint of levels)
      for (const approval of levels) {
        const both = strictest(hint, approval)
        expect(levels.indexOf(both)).toBe(Math.max(levels.indexOf(hint), levels.indexOf(approval)))
      }
  })

  it('asks if the user requires it', async () => {
    const parts = { approval: 'confirm' as const }
    const { approvalsAsked } = await play({
      replies: [done],
      approvals: [true],
      facts: { hint: 'none', preview: false },
      parts,
    })
    expect(approvalsAsked).toMatchObject([{ level: 'confirm' }])
  })

  it('ends when it is cancelled', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(play({ replies: [done], parts: { signal: stop.signal } })).rejects.toThrow()
  })
})

describe('scopes', () => {
  const quiet = { hint: 'none' } as const
  const wanted = 'write:file:/else'

  it('asks, and makes the same call again with the grant', async () => {
    const { outcome, sent, scopesAsked } = await play({
      replies: [refusal(wanted), done],
      grants: [[true]],
      facts: quiet,
    })
    expect(sent).toEqual([{}, { granted_scopes: [wanted] }])
    expect(scopesAsked[0]?.options).toMatchObject([
      { scope: 'write', label: 'Change anything', enough: true, suggested: false },
      { scope: 'write:file', label: 'Change all files', enough: true, suggested: false },
      { scope: wanted, label: 'Change files in /else', enough: true, suggested: true },
    ])
    expect(outcome).toMatchObject({ status: 'done', basis: 'granted', granted: [wanted] })
  })

  it('returns the refusal if the user denies it', async () => {
    const refused = refusal(wanted)
    const { outcome, sent } = await play({ replies: [refused], grants: [[false]], facts: quiet })
    expect(sent).toHaveLength(1)
    expect(outcome).toMatchObject({
      status: 'denied',
      by: 'person',
      what: 'scopes',
      scopes: [wanted],
      result: refused,
    })
  })

  it('stores the decision and does not ask again', async () => {
    const decisions = createDecisions({ storage: null })
    const parts = { decisions }
    await play({
      replies: [refusal(wanted), done],
      grants: [[true, 'session', ['write:file']]],
      facts: quiet,
      parts,
    })
    const other = 'write:file:/other'
    const again = await play({ replies: [refusal(other), done], facts: quiet, parts })
    expect(again.scopesAsked).toEqual([])
    // However wide the decision was, the server gets only what the call names and what it requested.
    expect(again.sent).toEqual([
      { granted_scopes: ['write:file:/a'] },
      { granted_scopes: ['write:file:/a', other] },
    ])
    expect(again.outcome).toMatchObject({ status: 'done', basis: 'stored' })
    const elsewhere = { decisions, server: 'https://two.example/mcp' }
    const there = await play({ replies: [refusal(other)], facts: quiet, parts: elsewhere })
    expect(there.scopesAsked).toHaveLength(1)
  })

  it('sends a remembered grant at once, so that the server refuses nothing first', async () => {
    const decisions = createDecisions({ storage: null })
    const scopes = ['write:file:/a', 'read:file:/b']
    decisions.remember({
      server: 'https://one.example/mcp',
      decision: 'allow',
      scopes,
      duration: 'session',
    })
    const { sent, outcome } = await play({ replies: [done], facts: quiet, parts: { decisions } })
    expect(sent).toEqual([{ granted_scopes: ['write:file:/a'] }])
    expect(outcome).toMatchObject({ basis: 'stored', granted: ['write:file:/a'] })
    const elsewhere = { args: { path: '/b' } }
    const plain = await play({
      replies: [done],
      facts: quiet,
      call: elsewhere,
      parts: { decisions },
    })
    expect(plain.sent).toEqual([{}])
  })

  it('stores a denial and does not make the call', async () => {
    const decisions = createDecisions({ storage: null })
    await play({
      replies: [refusal(wanted)],
      grants: [[false, 'session']],
      facts: quiet,
      parts: { decisions },
    })
    const again = await play({
      replies: [refusal('write:file:/else/deeper')],
      facts: quiet,
      parts: { decisions },
    })
    expect(again.outcome).toMatchObject({
      status: 'denied',
      by: 'stored',
      scopes: ['write:file:/else/deeper'],
    })
    decisions.remember({
      server: 'https://one.example/mcp',
      decision: 'deny',
      scopes: ['write'],
      duration: 'session',
    })
    const never = await play({ replies: [], facts: quiet, parts: { decisions } })
    expect(never.sent).toEqual([])
    expect(never.outcome).toMatchObject({
      status: 'denied',
      by: 'stored',
      scopes: ['write:file:/a'],
    })
  })

  it('asks for all scopes at once, and denies the call if one is missing', async () => {
    const both = ['read:file:/a', 'write:file:/b']
    const { outcome, scopesAsked } = await play({
      replies: [refusal(...both)],
      grants: [[true, 'call', ['read']]],
      facts: quiet,
    })
    expect(scopesAsked).toMatchObject([{ scopes: both }])
    expect(outcome).toMatchObject({ status: 'denied', scopes: ['write:file:/b'] })
  })

  it('keeps grants through preview and call, beside those that were typed in', async () => {
    const { sent } = await play({
      replies: [refusal(wanted), preview('p'), done],
      grants: [[true]],
      approvals: [true],
      call: { meta: { granted_scopes: 'read:file:/mine', policy: { roots: [] } } },
    })
    expect(sent.at(-1)).toEqual({
      policy: { roots: [] },
      'dev.edgewise/preview': 'p',
      granted_scopes: ['read:file:/mine', wanted],
    })
  })

  it('gives up if a server requests scopes that it has', async () => {
    const { outcome, left } = await play({
      replies: [refusal(wanted), refusal(wanted), done],
      grants: [[true]],
      facts: quiet,
    })
    expect(outcome).toMatchObject({ status: 'gave-up', reason: 'scopes' })
    expect(left).toBe(1)
  })

  it('gives up if a server requests scopes without an end', async () => {
    const replies = Array.from({ length: 50 }, (_, index) => refusal(`write:file:/${index}`))
    const { outcome, scopesAsked } = await play({
      replies,
      grants: Array(50).fill([true]),
      facts: quiet,
    })
    expect(outcome).toMatchObject({ status: 'gave-up', reason: 'scopes' })
    expect(scopesAsked).toHaveLength(5)
  })

  it.each([
    ['as one text', { isError: true, _meta: { requested_scopes: wanted } }],
    ['beside the content', { isError: true, requested_scopes: [wanted] }],
    [
      'in the structured content',
      { isError: true, structuredContent: { requested_scopes: [wanted] } },
    ],
  ])('reads requested scopes %s', async (_name, raw) => {
    const { scopesAsked } = await play({ replies: [result(raw)], facts: quiet })
    expect(scopesAsked).toMatchObject([{ scopes: [wanted] }])
  })

  it('reads requested scopes in an error', async () => {
    const data = { _meta: { requested_scopes: [wanted] } }
    const error = new ConnectionError(makeProblem('protocol', 'missing required scopes', { data }))
    const { scopesAsked, outcome } = await play({
      replies: [error, done],
      grants: [[true]],
      facts: quiet,
    })
    expect(scopesAsked).toMatchObject([{ scopes: [wanted] }])
    expect(outcome).toMatchObject({ status: 'done' })
  })

  it.each([
    ['a success', { _meta: { requested_scopes: [wanted] } }],
    ['invalid scopes', { isError: true, _meta: { requested_scopes: ['write:file:', 7, ''] } }],
  ])('shows no dialog for %s', async (_name, raw) => {
    const { scopesAsked, outcome } = await play({ replies: [result(raw)], facts: quiet })
    expect(scopesAsked).toEqual([])
    expect(outcome).toMatchObject({ status: 'done' })
  })
})

it('always ends, and never makes a call that needs approval without asking', async () => {
  const replies = fc.array(
    fc.constantFrom(done, stale, preview('p'), refusal('read:file:/a'), refusal('write')),
    {
      minLength: 30,
      maxLength: 30,
    },
  )
  await fc.assert(
    fc.asyncProperty(replies, fc.array(fc.boolean(), { maxLength: 8 }), async (list, approvals) => {
      const { sent, approvalsAsked } = await play({
        replies: [...list],
        approvals: [...approvals],
        grants: Array(40).fill([true]),
      })
      const real = sent.filter((meta) => meta['preview'] !== true)
      if (approvalsAsked.length === 0) expect(real).toEqual([])
      expect(sent.length).toBeLessThan(30)
    }),
    { numRuns: 200 },
  )
})

it('passes the signal to the dialogs', async () => {
  const stop = new AbortController()
  const approve = vi.fn().mockResolvedValue(true)
  const ask = { approve, grant: vi.fn(), notify: vi.fn() }
  await play({ replies: [preview('p'), done], parts: { signal: stop.signal, ask } })
  expect(approve.mock.calls[0]?.[1]).toBe(stop.signal)
})

describe('stored decisions', () => {
  const rows: readonly (readonly [string, string, JsonRecord, 'done' | 'denied'])[] = [
    // deny, allow, the call's arguments, and the outcome
    ['write', 'write:file:/b', { path: '/b/x.md' }, 'done'],
    ['write', 'write:file:/b', { path: '/b' }, 'done'],
    ['write', 'write:file:/b', { path: '/b/../c' }, 'denied'],
    ['write', 'write:file:/b', { path: '/bc' }, 'denied'],
    ['write', 'write:file:/b', { path: '/c' }, 'denied'],
    ['write', 'write:file:/b', { from: '/b/x', to: '/b/y' }, 'done'],
    ['write', 'write:file:/b', { from: '/b/x', to: '/c/y' }, 'denied'],
    ['write', 'write:file:/b', { paths: ['/b/x', '/c/y'] }, 'denied'],
    ['write', 'write:file:/b', { paths: [{ path: '/b/x' }, { path: '/b/y' }] }, 'done'],
    ['write', 'write:file:/b', { path: '/b/x', content: '/c is a path' }, 'done'],
    ['write', 'write:file:/b', { path: '/b/x', target: '/c' }, 'denied'],
    // It could be anywhere.
    ['write', 'write:file:/b', { path: 'x.md' }, 'denied'],
    ['write', 'write:file:/b', { path: '/b/\u0000' }, 'denied'],
    // A call that names no path needs the static scope.
    ['write', 'write:file:/b', {}, 'denied'],
    ['write', 'write:file', {}, 'done'],
    ['write:file', 'write:file:/b', { path: '/b/x' }, 'done'],
    ['write:file:/b', 'write', { path: '/b/x' }, 'denied'],
    ['write:file:/b', 'write', { path: '/c' }, 'done'],
    ['write:file:/b', 'write:file:/b', { path: '/b/x' }, 'denied'],
    ['write:file:/b', 'write:file:/b/c', { path: '/b/c/x' }, 'done'],
    ['read', 'write', { path: '/b' }, 'done'],
    ['tool:write_file', 'write', { path: '/b' }, 'denied'],
  ]
  it.each(rows)('deny %s, allow %s, call with %o: %s', async (deny, allow, args, status) => {
    const decisions = createDecisions({ storage: null })
    const server = 'https://one.example/mcp'
    decisions.remember({ server, decision: 'allow', scopes: [allow], duration: 'always' })
    decisions.remember({ server, decision: 'deny', scopes: [deny], duration: 'always' })
    const { outcome, scopesAsked } = await play({
      replies: [done],
      facts: { hint: 'none', preview: false },
      call: { args },
      parts: { decisions },
    })
    expect(outcome.status).toBe(status)
    expect(scopesAsked).toEqual([])
  })
})

describe('reads of an app', () => {
  const read = { readOnly: true, hint: 'none', preview: false } as const

  /** Plays a call; the person answers the question about a read, if there is one, with `allow`. */
  async function playRead(allow: boolean, facts: Partial<CallFacts>, more: Partial<Play> = {}) {
    const claims: string[] = []
    const askToRead: ConsentParts['askToRead'] = async ({ claim }) => {
      claims.push(claim)
      return allow
    }
    const played = await play({ replies: [done], facts, parts: { askToRead }, ...more })
    return { ...played, claims }
  }

  it('asks before a call that only reads', async () => {
    const { outcome, claims } = await playRead(true, read)
    expect([claims, outcome.status]).toEqual([['reads'], 'done'])
  })

  it('makes no call if the user denies it', async () => {
    const { outcome, sent } = await playRead(false, read)
    expect(sent).toEqual([])
    expect(outcome).toMatchObject({ status: 'denied', by: 'person', what: 'read' })
  })

  it('asks before a preview that the app makes, which shows what is there', async () => {
    const call = { meta: { preview: true } }
    const { outcome, claims } = await playRead(false, { hint: 'confirm' }, { call })
    expect([claims, outcome.status]).toEqual([['previews'], 'denied'])
  })

  it.each(['review', 'confirm'] as const)('asks at %s as for a change', async (hint) => {
    const asked = await playRead(true, { ...read, hint }, { approvals: [false] })
    expect(asked.claims).toEqual([])
    expect(asked.approvalsAsked).toMatchObject([{ level: hint }])
    expect(asked.outcome).toMatchObject({ status: 'denied', what: 'approval' })
  })

  it('takes what does not claim to only read as a change of its level', async () => {
    const change = { ...read, readOnly: false, hint: 'confirm' } as const
    const { claims, approvalsAsked } = await playRead(true, change, { approvals: [true] })
    expect([claims, approvalsAsked.length]).toEqual([[], 1])
  })

  it.each<[string, Partial<CallFacts>, Omit<Play, 'facts' | 'parts'>, number]>([
    ['a read', read, { replies: [done] }, 0],
    ['a change', { hint: 'confirm', preview: false }, { replies: [done], approvals: [true] }, 0],
    ['access', read, { replies: [refusal('read:file:/b'), done], grants: [[true]] }, 1],
  ])('makes no call after %s was allowed to a tool that has changed since', async (...row) => {
    const [, facts, given, callsBefore] = row
    let checks = 0
    const isCurrent = () => ++checks <= callsBefore
    const parts = { askToRead: async () => true, isCurrent }
    const { outcome, sent } = await play({ ...given, facts, parts })
    expect(outcome).toEqual({ status: 'gave-up', reason: 'changed', result: null })
    expect(sent).toHaveLength(callsBefore)
  })
})

/** Metrics and log records for the operator: their fields, and data that they must not contain. */

import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { observerOf, type Observed } from '#worker/observe/observer.ts'
import { createWatch } from '#worker/call/watch.ts'
import { formatFault, formatWarning } from '#worker/observe/faults.ts'
import { REQUEST_HEADER, TRACE_HEADER, observeRequest } from '#worker/observe/request.ts'
import { callerWithoutSession } from '#worker/access/caller.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { err, ok } from '#core/result.ts'
import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`

/** The front with a metrics binding that keeps what it is given. */
async function answered(url: string, init?: RequestInit, read = false) {
  const points: AnalyticsEngineDataPoint[] = []
  const metrics: Partial<Env> = {
    EDGEWISE_METRICS: { writeDataPoint: (point) => void (point && points.push(point)) },
  }
  const context = createExecutionContext()
  const response = await front.fetch(new Request(url, init), { ...env, ...metrics }, context)
  if (!read) await response.body?.cancel()
  return { response, points }
}

describe('a request', () => {
  it.each([
    ['/mcp', '/mcp', 'default'],
    ['/w/team/mcp', '/w/…/mcp', 'team'],
    ['/w/team/files/private/salary.txt?token=abc', '/w/…/files/…', 'team'],
    ['/w/team', '/…/…', '…'],
    ['/w/Team.c2VjcmV0LXNlY3JldA/mcp', '/w/…/mcp', '…'],
    ['/w/team/nowhere', '/w/…/…', '…'],
    ['/s/team.c2VjcmV0LXNlY3JldA/mcp', '/s/…/mcp', '…'],
    [`/s/team.${'a'.repeat(43)}/mcp`, '/s/…/mcp', '…'],
    ['/s/c2VjcmV0/mcp', '/s/…/mcp', '…'],
    [`/p/team.${'a'.repeat(43)}/files/secret.md`, '/p/…', '…'],
    ['/p/c2VjcmV0', '/p/…', '…'],
    ['/sessions/8c1f', '/sessions/…', 'default'],
    ['/apps/board', '/apps/…', 'default'],
    ['/healthz', '/…', '…'],
    ['/', '/', '…'],
    ['/private/name.txt', '/…/…', '…'],
  ])('to %s is recorded as %s', async (path, route, workspace) => {
    const { points, response } = await answered(`http://localhost${path}`)
    expect(points).toEqual([
      {
        indexes: [workspace],
        blobs: ['request', route, 'GET', null],
        doubles: [expect.any(Number), response.status],
      },
    ])
  })

  it('through a valid link is recorded for its workspace', async () => {
    const body = JSON.stringify({ label: 'guest', ttl_seconds: 60 })
    const made = await answered(
      'http://localhost/w/opened/sessions',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body },
      true,
    )
    const { url } = await made.response.json<{ url: string }>()
    const { points } = await answered(url)
    expect(points).toMatchObject([
      { indexes: ['opened'], blobs: ['request', '/s/…/mcp', 'GET', null] },
    ])
  })

  it('with an unknown method does not record its name', async () => {
    const records: Observed[] = []
    const request = new Request('http://localhost/', { method: 'REPORT' })
    await observeRequest(
      request,
      (record) => records.push(record),
      async () => new Response(),
    )
    expect(records).toMatchObject([{ method: '…' }])
  })

  it('has an id that the caller and the object get, whatever id the client sent', async () => {
    const records: Observed[] = []
    const headers = {
      [REQUEST_HEADER]: 'forged',
      [TRACE_HEADER]: 'forged',
      traceparent: TRACEPARENT,
    }
    const heard: (string | null)[] = []
    const request = new Request('http://localhost/mcp', { headers })
    const response = await observeRequest(
      request,
      (record) => records.push(record),
      async (known) => {
        heard.push(known.headers.get(REQUEST_HEADER), known.headers.get(TRACE_HEADER))
        return new Response(null, { status: 204 })
      },
    )
    const id = response.headers.get('x-request-id')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(heard).toEqual([id, TRACE])
    expect(records).toMatchObject([{ event: 'request', request: id, trace: TRACE, status: 204 }])
  })

  it.each([
    '',
    'x',
    `${TRACEPARENT.slice(0, 20)}`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  ])('with the traceparent %j has no trace', async (traceparent) => {
    const records: Observed[] = []
    const request = new Request('http://localhost/', { headers: { traceparent } })
    await observeRequest(
      request,
      (record) => records.push(record),
      async () => new Response(),
    )
    expect(records).toMatchObject([{ trace: null }])
  })

  it('has no record and no id without a configured observer', async () => {
    expect(observerOf(env)).toBeNull()
    expect(observerOf({ ...env, EDGEWISE_LOG: 'no' })).toBeNull()
    const response = await front.fetch(
      new Request('http://localhost/healthz'),
      env,
      createExecutionContext(),
    )
    expect(response.headers.has('x-request-id')).toBe(false)
  })
})

describe('an error record', () => {
  const line = (error: unknown): unknown => JSON.parse(formatFault(error))

  it('has the error’s name and stack frames, and never its message', () => {
    const error = new TypeError('no /private/secret.txt\n    at secret (secret.js:1:1)')
    expect(line(error)).toMatchObject({ event: 'fault', name: 'TypeError', code: null })
    expect(formatFault(error)).toContain('observe.test')
    expect(formatFault(error)).not.toContain('secret')
  })

  it('of SQLite has the SQLite code', () => {
    const full = new Error('database or disk is full: secret: SQLITE_FULL')
    expect(line(full)).toMatchObject({ code: 'SQLITE_FULL' })
    expect(line(new Error('SQLITE_SECRET'))).toMatchObject({ code: null })
  })

  it('has no frames if the message was changed, and only a name that is an identifier', () => {
    const error = new Error('secret')
    Object.assign(error, { name: 'se cret', message: 'elsewhere', stack: String(error.stack) })
    expect(line(error)).toMatchObject({ name: 'Error', at: [] })
    expect(formatFault('secret')).not.toContain('secret')
    expect(formatFault(undefined)).toContain('undefined')
  })

  it('of a library has the beginning of its message', () => {
    expect(formatWarning('CIMD fetch failed for https://secret/')).toContain('CIMD fetch failed"')
    expect(formatWarning('secret')).toContain('unknown')
    expect(formatWarning('secret')).not.toContain('secret')
  })
})

describe('a call', () => {
  const caller = callerWithoutSession('principal', DEFAULT_CONFIG)
  const change = (applied: boolean, meta: object = {}) =>
    ok({
      content: [],
      structuredContent: {},
      _meta: { [CHANGE_META]: { id: 'c1', applied }, ...meta },
    })

  it.each([
    ['read', ok({ content: [], structuredContent: {} }), null, null],
    ['applied', change(true), null, 'c1'],
    ['proposed', change(false, { [DRAFT_META]: { id: 'd1' } }), null, 'c1'],
    ['previewed', change(false), null, 'c1'],
    [
      'failed',
      ok({
        isError: true as const,
        content: [],
        _meta: { 'dev.edgewise/error': { code: 'NOT_FOUND' } },
      }),
      'NOT_FOUND',
      null,
    ],
    ['rejected', err({ code: -32602, message: 'secret' }), '-32602', null],
  ] as const)('with the outcome %s is recorded', async (outcome, done, code, id) => {
    const records: Observed[] = []
    const watch = createWatch((record) => records.push(record), 'team', TOOLS)
    const request = new Request('http://localhost/mcp', {
      headers: { [REQUEST_HEADER]: 'r1', [TRACE_HEADER]: TRACE },
    })
    const args = { path: 'private', content: 'secret' }
    const call = { name: 'write_file', args, meta: undefined, caller }
    await watch.within(request, async () => watch.call(call, async () => done))
    expect(records).toEqual([
      {
        event: 'call',
        request: 'r1',
        trace: TRACE,
        workspace: 'team',
        principal: 'principal',
        session: null,
        tool: 'write_file',
        outcome,
        code,
        change: id,
        ms: expect.any(Number),
      },
    ])
  })

  it('that throws is recorded, and the error is rethrown', async () => {
    const records: Observed[] = []
    const watch = createWatch((record) => records.push(record), 'team', TOOLS)
    const call = { name: 'a\nstranger’s', args: {}, meta: { traceparent: TRACEPARENT }, caller }
    const broken = watch.call(call, () => Promise.reject(new Error('bug')))
    await expect(broken).rejects.toThrow('bug')
    expect(records).toMatchObject([{ outcome: 'broken', tool: '', trace: TRACE, request: '' }])
  })
})

/**
 * No error repeats long input: every tool and method, in both eras, with a long text in each place of a request.
 * `test/worker/errors/route-size.slow.test.ts` has the routes beside MCP.
 */

import { ROOT } from '#core/path.ts'
import { insufficientScope } from '#worker/mcp/challenge.ts'
import { TOOLS } from '#worker/tools/index.ts'
import type { Tool } from '#worker/tools/lib/tool.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ENVELOPE, freshWorkspace, modernRequest } from '../../support/worker/client.ts'
import { METHOD_ROWS, OTHER_METHODS } from '../../support/worker/access-routes.ts'
import { expectShort, lengthened, LONG_TEXTS, shortly } from '../../support/worker/long-input.ts'
import { factsOf } from '../../support/worker/tool-facts.ts'

type Params = Readonly<Record<string, unknown>>

let workspace: ReturnType<typeof freshWorkspace>
beforeAll(async () => {
  workspace = freshWorkspace()
  await workspace.put('/docs/plan.md', '# Plan\n')
})

const POLICY = {
  read_only: true,
  approval: 'none',
  roots: [{ path: '/docs', deny: ['a'], allow: ['b'], immutable: ['c'], approval: 'none' }],
}

/** What the metadata of a request can name. */
const META = {
  preview: true,
  highlight: true,
  'dev.edgewise/preview': 'x',
  policy: POLICY,
  granted_scopes: ['read:file:/docs'],
  allowed_scopes: ['read'],
  denied_scopes: ['write:file:/x'],
  progressToken: 'p',
  traceparent: 'x',
}

/** Sends a request in both eras, with its long text in every header that repeats it. Returns the number of errors. */
async function sendLong(method: string, params: unknown, id: unknown = 1): Promise<number> {
  const named = typeof params === 'object' && params !== null ? { ...params } : {}
  const modern = modernRequest(method, {})
  const body = (sent: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method, params: sent })
  const name = Reflect.get(named, 'name') ?? Reflect.get(named, 'uri')
  const headers = {
    ...Object.fromEntries(new Headers(modern.headers)),
    'mcp-method': printable(method),
    ...(typeof name === 'string' && { 'mcp-name': printable(name) }),
  }
  const meta = { ...ENVELOPE, ...Reflect.get(named, '_meta') }
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  let errors = 0
  for (const init of [
    { ...modern, headers, body: body({ ...named, _meta: meta }) },
    { method: 'POST', headers: json, body: body(params) },
  ]) {
    const answer = await workspace.fetch('/mcp', init)
    if (await expectShort(answer, () => `${method} ${shortly(params)}`)) errors++
  }
  return errors
}

/** A header has printable characters; the limit of a server is far below a megabyte. */
const printable = (text: string) => text.replaceAll(/[^ -~]/g, '').slice(0, 10_000)

/** Requests with one long text each. */
function* longRequests(params: Params): Generator<unknown> {
  for (const long of LONG_TEXTS) yield* lengthened(params, long)
}

/** The arguments of a tool: its example, and each further field of its schema alone. */
function argumentsOf({ name, input }: Tool): Params[] {
  const { example } = factsOf(name)
  const { properties = {} } = z.toJSONSchema(input(), { io: 'input' })
  const more = Object.keys(properties).filter((key) => !(key in example))
  const values = { policy: POLICY, exclude: ['x'], glob: ['x'] }
  return [example, ...more.map((key) => ({ ...example, [key]: Reflect.get(values, key) ?? 'x' }))]
}

describe('a tool does not repeat long arguments', () => {
  it.each([...TOOLS.values()])('$name', async (tool) => {
    let errors = 0
    const { name } = tool
    for (const args of argumentsOf(tool))
      for (const long of longRequests(args))
        errors += await sendLong('tools/call', { name, arguments: long })
    expect(errors).toBeGreaterThan(3)
  })
})

const SUBSCRIBED = { uri: 'file:///a' }
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { experimental: { configuration: { ...POLICY, roots: [{ path: '/docs' }] } } },
  clientInfo: { name: 'x', version: '1' },
}

/** Parameters of methods that the access matrix does not send, and cursors. */
const PARAMS: Readonly<Record<string, Params>> = {
  initialize: INITIALIZE,
  'tools/list': { cursor: 'x' },
  'tools/call': { name: 'read_file', arguments: { path: 'a' } },
  'resources/list': { cursor: 'x' },
  'resources/templates/list': { cursor: 'x' },
  'resources/read': SUBSCRIBED,
  'resources/subscribe': SUBSCRIBED,
  'resources/unsubscribe': SUBSCRIBED,
  'subscriptions/listen': {
    notifications: { resourcesListChanged: true, resourceSubscriptions: ['file:///a'] },
  },
  'completion/complete': {
    ref: { type: 'ref/resource', uri: 'file:///{+path}' },
    argument: { name: 'path', value: 'a' },
    context: { arguments: { a: 'b' } },
  },
}

describe('a method does not repeat long parameters', () => {
  it.each([...Object.keys(METHOD_ROWS), ...OTHER_METHODS])('%s', async (method) => {
    for (const params of longRequests({ ...PARAMS[method] })) await sendLong(method, params)
  })

  it('tools/call, in its metadata', async () => {
    let errors = 0
    for (const _meta of longRequests(META))
      errors += await sendLong('tools/call', { ...PARAMS['tools/call'], _meta })
    expect(errors).toBeGreaterThan(50)
  })

  it('in a request that has long capabilities', async () => {
    const key = 'io.modelcontextprotocol/clientCapabilities'
    for (const given of longRequests(INITIALIZE.capabilities))
      await sendLong('tools/list', { _meta: { [key]: given } })
  })
})

describe('the envelope does not repeat', () => {
  it.each(LONG_TEXTS)('a long method, id or version', async (long) => {
    expect(await sendLong(long, {})).toBe(2)
    await sendLong('ping', {}, long)
    for (const id of [{ a: long }, [long]]) await sendLong('tools/list', {}, id)
    for (const body of [
      long,
      JSON.stringify(long),
      JSON.stringify([long]),
      `{"jsonrpc":"2.0","${long}`,
      JSON.stringify({ jsonrpc: long, id: 1, method: 'ping' }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', [long]: long }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { [long]: 1 } }),
    ]) {
      const answer = await workspace.fetch('/mcp', { ...modernRequest('ping', {}), body })
      await expectShort(answer, () => `the body ${shortly(body)}`)
    }
  })

  it.each(['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])(
    'a long header %s',
    async (name) => {
      const call = modernRequest('tools/call', {
        name: 'list_roots',
        arguments: {},
        _meta: ENVELOPE,
      })
      const long = printable(LONG_TEXTS[0] ?? '')
      const headers = { ...Object.fromEntries(new Headers(call.headers)), [name]: long }
      expect(
        await expectShort(await workspace.fetch('/mcp', { ...call, headers }), () => name),
      ).toBe(true)
    },
  )

  it.each([
    'accept',
    'origin',
    'authorization',
    'mcp-session-id',
    'last-event-id',
    'content-encoding',
  ])('a further long header %s', async (name) => {
    const call = modernRequest('tools/call', { name: 'list_roots', arguments: {}, _meta: ENVELOPE })
    const headers = { ...Object.fromEntries(new Headers(call.headers)), [name]: 'x'.repeat(10_000) }
    await expectShort(await workspace.fetch('/mcp', { ...call, headers }), () => name)
  })
})

it('a challenge names as many scopes as a header has room for', async () => {
  const scopes = Array.from({ length: 100 }, (_, at) => `read:file:/${at}/${'é'.repeat(400)}`)
  const lack = { reason: 'insufficient_scope', path: ROOT, scopes } as const
  const answer = insufficientScope(1, lack)
  expect(answer.headers.get('www-authenticate')).toContain(encodeURI(scopes[0] ?? ''))
  expect(await expectShort(answer, () => 'a call')).toBe(true)
  const few = insufficientScope(1, { ...lack, scopes: ['read:file:/a', 'read:file:/b'] })
  expect(few.headers.get('www-authenticate')).toContain('scope="read:file:/a read:file:/b"')
})

it('the audit log does not repeat what was refused', async () => {
  const answer = await workspace.fetch('/audit?limit=500')
  const { entries } = z.object({ entries: z.array(z.unknown()) }).parse(await answer.json())
  for (const entry of entries) expect(JSON.stringify(entry).length).toBeLessThan(4_300)
})

/**
 * Property test of untrusted requests to `/mcp`, in either era and with any headers: each gets a response in time,
 * without an internal error and without internal details. The slow set sends 100,000.
 */

import { front } from '#worker/index.ts'
import { createExecutionContext, SELF } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { batches, bent, bentText, json, text } from '../../support/core/hostile.ts'
import { freshWorkspace, MODERN } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { withTimeout } from '../../support/worker/with-timeout.ts'

/** Number of concurrent requests. */
const TOGETHER = 50

/** Time limit (ms) of one response, while others are pending. */
const SOON_MS = 30_000

const INTERNAL = -32603

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
}

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['read_file', { path: 'a' }],
  ['read_multiple_files', { paths: ['a', 'b'] }],
  ['list_folder', { path: '/' }],
  ['find_files', { patterns: ['**/*.md'] }],
  ['search_files', { pattern: 'o[a-z]+', path: '/' }],
  ['write_file', { path: 'a', content: 'one' }],
  ['edit_file', { path: 'a', edits: [{ find: 'one', replace: 'two' }] }],
  ['move_file', { from: 'a', to: 'b' }],
  ['delete_file', { path: 'b' }],
  ['file_history', { path: 'a' }],
  ['undo_change', { id: 'x' }],
  ['delegate', { label: 'x', ttl_seconds: 60, scopes: ['read'] }],
]

const WISHES: readonly (readonly [string, Record<string, unknown>])[] = [
  ...CALLS.map(([name, args]) => ['tools/call', { name, arguments: args }] as const),
  ['tools/list', {}],
  ['server/discover', {}],
  ['resources/list', { cursor: 'x' }],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'file:///a' }],
  ['resources/subscribe', { uri: 'file:///a' }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'file:///{+path}' },
      argument: { name: 'path', value: 'a' },
    },
  ],
  [
    'subscriptions/listen',
    { notifications: { resourcesListChanged: true, resourceSubscriptions: ['file:///a'] } },
  ],
  ['ping', {}],
]

const MODERNS = WISHES.map(([method, params]) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: { ...ENVELOPE, preview: true } },
}))

const LEGACIES = [
  ...WISHES.map(([method, params]) => ({ jsonrpc: '2.0', id: 'x', method, params })),
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {}, experimental: { configuration: { find_limit: 3 } } },
      clientInfo: { name: 'fuzz', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  { jsonrpc: '2.0', id: 1, result: {} },
  [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
]

interface Sent {
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | null
}

const written = (value: unknown): string => JSON.stringify(value) ?? ''

const bodies = fc.oneof(
  { weight: 6, arbitrary: bent(MODERNS).map(written) },
  { weight: 6, arbitrary: bent(LEGACIES).map(written) },
  { weight: 3, arbitrary: bentText([...MODERNS, ...LEGACIES].map(written)) },
  { weight: 1, arbitrary: json.map(written) },
)

// Characters that a header may contain; `fetch` rejects all others.
const value = text.map((one) => one.replace(/[^\t -~]/g, '').trim())
const either = <T>(usual: T, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd })

const accepts = fc.constantFrom('*/*', 'text/event-stream', 'application/json', '')
const types = fc.constantFrom(
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;',
  '',
)
const extras = fc.dictionary(
  fc.constantFrom(
    'edgewise-link',
    'edgewise-session',
    'edgewise-scopes',
    'edgewise-principal',
    'edgewise-base',
    'origin',
    'last-event-id',
    'authorization',
    'cookie',
    'x-http-method-override',
  ),
  fc.oneof(
    value,
    fc.constantFrom('null', 'http://localhost', 'https://evil.example', '["write"]', 'Bearer x'),
  ),
  { maxKeys: 2 },
)

/** Requests whose headers mostly agree with their body. `session` is an active session. */
const requests = (session: string): fc.Arbitrary<Sent> =>
  fc
    .record({
      method: either<string>(
        'POST',
        fc.constantFrom<string>('GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'),
      ),
      body: bodies,
      accept: either('application/json, text/event-stream', fc.oneof(accepts, value)),
      type: either('application/json', fc.oneof(types, value)),
      version: either(MODERN, fc.oneof(fc.constantFrom('2025-11-25', '2024-11-05', ''), value)),
      session: fc.constantFrom(null, null, session, session, 'x', session.slice(1)),
      declared: either<string | null>(null, value),
      extra: extras,
    })
    .map(({ method, body, accept, type, version, session: id, declared, extra }) => {
      const { name, called } = namesIn(body)
      const headers: [string, string][] = [
        ['accept', accept],
        ['content-type', type],
        ...(called === null
          ? []
          : ([
              ['mcp-protocol-version', version],
              ['mcp-method', declared ?? called],
            ] as const)
        ).map(([key, one]): [string, string] => [key, one]),
        ...Object.entries(extra),
      ]
      if (called !== null && name !== null) headers.push(['mcp-name', declared ?? name])
      if (id !== null && (called === null || method !== 'POST'))
        headers.push(['mcp-session-id', id])
      // Ending the session would leave the other requests without one.
      const usual = method === 'DELETE' && id === session ? 'POST' : method
      return { method: usual, headers, body: usual === 'GET' || usual === 'HEAD' ? null : body }
    })

/** The values that the headers of a modern request repeat; null if the request is not modern. */
function namesIn(body: string): { called: string | null; name: string | null } {
  const printable = (one: string | undefined) => one?.replace(/[^ -~]/g, '').trim() ?? null
  const modern = body.includes('io.modelcontextprotocol/protocolVersion')
  return {
    called: modern ? printable(/"method":"([^"]*)"/.exec(body)?.[1]) : null,
    name: printable(/"(?:name|uri)":"([^"]*)"/.exec(body)?.[1]),
  }
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Reads a response, or the beginning of a stream, which is then cancelled. */
async function answerTo(url: string, { method, headers, body }: Sent): Promise<Answer> {
  const request = new Request(url, {
    method,
    headers: [...headers.map((one) => [...one])],
    body,
  })
  const response = await front.fetch(request, env, createExecutionContext())
  const type = response.headers.get('content-type') ?? ''
  const { status } = response
  if (!type.startsWith('text/event-stream')) return { status, type, text: await response.text() }
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return { status, type, text: first?.value ? new TextDecoder().decode(first.value) : '' }
}

/** Expects no internal error and no internal details. */
function expectInOrder({ status, type, text: shown }: Answer, sent: Sent): void {
  const what = `${JSON.stringify(sent)} was answered ${status} ${shown.slice(0, 500)}`
  expect(status, what).toBeLessThan(500)
  expect(/node_modules|SQLITE_|\n\s+at .+\d+:\d+/.test(shown), what).toBe(false)
  expect(shown.includes(`"code":${INTERNAL}`), what).toBe(false)
  if (sent.method === 'HEAD' || !type.startsWith('application/json')) return
  const answer: unknown = JSON.parse(shown)
  const reply = Array.isArray(answer) ? answer[0] : answer
  const known = 'jsonrpc' in reply ? 'result' in reply || 'error' in reply : 'code' in reply
  expect(known, what).toBe(true)
}

it('every request to /mcp gets a response', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'one')
  const url = `${workspace.base}/mcp`
  const begun = await SELF.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: written(LEGACIES.find((one) => 'method' in one && one.method === 'initialize')),
  })
  await begun.text()
  const session = begun.headers.get('mcp-session-id') ?? ''
  const statuses = new Map<number, number>()

  const many = fc.array(requests(session), { minLength: TOGETHER, maxLength: TOGETHER })
  const law = fc.asyncProperty(many, async (all) => {
    const answers = await Promise.all(
      all.map((sent) => withTimeout(answerTo(url, sent), SOON_MS, written(sent))),
    )
    for (const [index, answer] of answers.entries()) {
      const sent = all[index]
      if (sent) expectInOrder(answer, sent)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  })
  await fc.assert(law, batches(20 * TOGETHER, TOGETHER))

  expect(statuses.get(200)).toBeGreaterThan(100)
  expect(statuses.get(400)).toBeGreaterThan(100)
  expect(await workspace.text('write_file', { path: 'after', content: 'x' })).toBe('Created after')
  await expectWhole(stubOf(workspace))
})

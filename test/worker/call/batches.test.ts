/**
 * JSON-RPC batches: one revision has them, and each message counts as a separate request for access and for
 * the rate limit.
 */

import { CALLS_AT_ONCE, MAX_BATCH } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { legacyEra, type Send } from '../../support/worker/access-client.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace, MODERN } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function sendBatch(from: Workspace | Send, messages: unknown, headers: object = {}) {
  const init = {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(messages),
  }
  const answer = await (typeof from === 'function' ? from(init) : from.fetch('/mcp', init))
  return { status: answer.status, text: await answer.text() }
}

const call = (id: number, name: string, args: object, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
})
const pings = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
const answersIn = (text: string) => text.match(/"jsonrpc":"2.0"/g)?.length ?? 0

describe('a batch', () => {
  it.each([
    ['without a header', {}, 200],
    ['of the revision that has them', { 'mcp-protocol-version': '2025-03-26' }, 200],
    ['of 2024-11-05', { 'mcp-protocol-version': '2024-11-05' }, 400],
    ['of 2025-06-18', { 'mcp-protocol-version': '2025-06-18' }, 400],
    ['of 2025-11-25', { 'mcp-protocol-version': '2025-11-25' }, 400],
    ['of the modern era', { 'mcp-protocol-version': MODERN, 'mcp-method': 'ping' }, 400],
  ])('%s', async (_, headers, status) => {
    const answer = await sendBatch(freshWorkspace(), pings(2), headers)
    expect(answer.status, answer.text).toBe(status)
    if (status === 400) expect(answer.text).toContain('-32600')
    else expect(answersIn(answer.text)).toBe(2)
  })

  it.each([
    ['2025-03-26', 200],
    ['2025-11-25', 400],
  ])('in a session of %s', async (version, status) => {
    const workspace = freshWorkspace()
    const { session } = await legacyEra(workspace, undefined, version)
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': version }
    expect((await sendBatch(workspace, pings(2), headers)).status).toBe(status)
    const { 'mcp-session-id': named } = headers
    const claims = { 'mcp-session-id': named, 'mcp-protocol-version': '2025-03-26' }
    expect((await sendBatch(workspace, pings(2), claims)).status).toBe(status)
  })

  it('has a maximum size and is refused as a whole above it', async () => {
    const workspace = freshWorkspace()
    const edge = await sendBatch(workspace, pings(MAX_BATCH))
    expect([edge.status, answersIn(edge.text)]).toEqual([200, MAX_BATCH])
    const write = call(0, 'write_file', { path: '/a', content: 'x' })
    const over = await sendBatch(workspace, [write, ...pings(MAX_BATCH)])
    expect([over.status, answersIn(over.text)]).toEqual([400, 1])
    expect((await sendBatch(workspace, [])).status).toBe(400)
    expect((await workspace.fetch('/files/a')).status).toBe(404)
  })

  it.each([
    ['initialize', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }],
    ['a batch', pings(1)],
    ['a long id', { jsonrpc: '2.0', id: 'x'.repeat(5_000), method: 'ping' }],
  ])('is refused with %s in it', async (_, message) => {
    const { status, text } = await sendBatch(freshWorkspace(), [...pings(1), message])
    expect(status, text).toBe(400)
    expect(text.length).toBeLessThan(1_000)
  })

  it('is refused if it contains a modern message, whose configuration would not apply', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/secret', 'canary')
    const configuration = { roots: [{ path: '/docs' }] }
    const message = call(
      1,
      'read_file',
      { path: '/secret' },
      {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientCapabilities': { experimental: { configuration } },
      },
    )
    const { status, text } = await sendBatch(workspace, [message])
    expect(text).not.toContain('canary')
    expect(status).toBe(400)
  })
})

describe('the messages of a batch', () => {
  const files = async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/a', 'plain')
    await workspace.put('/secret/b', 'canary line one\ncanary line two\n')
    return workspace
  }
  const guesses = Array.from({ length: 20 }, (_, id) =>
    call(id, 'edit_file', {
      path: '/secret/b',
      edits: [{ find: `canary line ${id}`, replace: '' }],
    }),
  )

  it('are checked one by one: a restricted link gets no nearest lines', async () => {
    const workspace = await files()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    const { send, session } = await sessionOf(client)
    const sources: [Workspace | Send, object][] = [
      [client, {}],
      [send, { 'mcp-session-id': session }],
    ]
    for (const [from, headers] of sources) {
      const { text } = await sendBatch(from, guesses, headers)
      expect(answersIn(text)).toBe(guesses.length)
      expect(text.match(/"code":"INSUFFICIENT_SCOPE"/g)).toHaveLength(guesses.length)
      expect(text).not.toMatch(/line one|line two|nearest/)
    }
  })

  it('are checked one by one for a token, too', async () => {
    const workspace = await files()
    const { send } = await tokenOf(workspace, ['read', 'write'], ['read:file:/docs'])
    const reading = call(99, 'read_file', { path: '/docs/a' })
    const { text } = await sendBatch(send, [...guesses, reading])
    expect(text).toContain('plain')
    expect(text).not.toMatch(/line one|line two|nearest/)
  })

  it('count one by one against the rate limit', async () => {
    const { client } = await linkOf(freshWorkspace())
    const batches = Array.from({ length: 60 }, () => sendBatch(client, pings(MAX_BATCH)))
    const answers = await Promise.all(batches)
    const passed = answers.reduce(
      (sum, { text }) => sum + (text.match(/"result"/g)?.length ?? 0),
      0,
    )
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    // The bucket refills a little while the test runs.
    expect(passed).toBeLessThan(2 * CALLS_AT_ONCE)
    expect(passed).toBeGreaterThan(0)
  })
})

async function sessionOf(client: Workspace): Promise<{ send: Send; session: string }> {
  const { session } = await legacyEra(client, undefined, '2025-03-26')
  return { session, send: (init) => client.fetch('/mcp', init) }
}

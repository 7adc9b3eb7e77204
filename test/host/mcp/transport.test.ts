/** Servers that answer in other ways than the ordinary one, which the SDK understands: no request of theirs fails. */

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../../host/mcp/connect.ts'
import { wrapTransport } from '../../../host/mcp/transport.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const STREAM = { 'content-type': 'text/event-stream' }
const SESSION = { 'mcp-session-id': 'one' }

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } } as const
const RESULT = { jsonrpc: '2.0', id: 1, result: { content: [] } }

const event = (data: unknown, id = '') => `${id && `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** Initializes, and sends a request to a server; returns all that the client receives. */
async function receive(headers: Record<string, string>, answer: (init: RequestInit) => Response) {
  const inner = new StreamableHTTPClientTransport(new URL('https://example.com/mcp'), {
    fetch: async (_url, init = {}) =>
      typeof init.body === 'string' && init.body.includes('"initialize"')
        ? Response.json({ jsonrpc: '2.0', id: 0, result: {} }, { headers })
        : answer(init),
  })
  const transport = wrapTransport(inner, () => {})
  const received: unknown[] = []
  transport.onmessage = (message) => void received.push(message)
  await transport.start()
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  }
  await transport.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await transport.send(REQUEST)
  return { received: () => received.slice(1), inner }
}

it('takes a result whose id is the text of the number', async () => {
  const { received } = await receive({}, () =>
    Response.json({ ...RESULT, id: '1' }, { headers: JSON_TYPE }),
  )
  expect(received()).toEqual([{ ...RESULT, id: '1' }])
})

it('waits for a result in another stream of the session', async () => {
  const { received, inner } = await receive(SESSION, ({ method }) =>
    method === 'GET'
      ? new Response(event(RESULT), { headers: STREAM })
      : new Response(null, { status: 202 }),
  )
  expect(received()).toEqual([])
  await inner.resumeStream('before')
  await expect.poll(received).toEqual([RESULT])
})

it('waits for the rest of a stream that the server ends, to be asked again', async () => {
  const { received } = await receive({}, ({ method }) =>
    method === 'GET'
      ? new Response(event(RESULT, 'second'), { headers: STREAM })
      : new Response('id: first\nretry: 10\ndata: \n\n', { headers: STREAM }),
  )
  await expect.poll(received).toEqual([RESULT])
})

it('fails a request without a session at once', async () => {
  const { received } = await receive({}, () => new Response(null, { status: 202 }))
  expect(received()).toMatchObject([{ id: 1, error: { code: -32603 } }])
})

/** A server of the legacy era with one tool, whose result is the text of JSON. */
function serve(result: string) {
  const results: Readonly<Record<string, string>> = {
    initialize: JSON.stringify({
      ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      serverInfo: { name: 's', version: '1' },
    }),
    'tools/list': '{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}',
    'tools/call': result,
  }
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const { id, method } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
    if (id === undefined) return new Response(null, { status: method ? 202 : 405 })
    const body = `{"jsonrpc":"2.0","id":${id},"result":${results[method]}}`
    return new Response(body, { headers: JSON_TYPE })
  })
}

it.each([
  [400, true],
  [100_000, false],
])('takes a result of %i levels: %o', async (levels, isTaken) => {
  const server = serve(
    `{"content":[],"structuredContent":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
  )
  onTestFinished(() => server.mockRestore())
  const connection = await connect({ url: 'https://example.com/mcp', era: 'legacy' })
  const called = connection.call('look', {})
  if (isTaken) expect((await called).isError).toBe(false)
  else await expect(called).rejects.toThrow(/more than 500 levels/)
  await connection.close()
})

import { Client, type Transport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { readTolerantly } from '#host/mcp/tolerance.ts'
import { wrapTransport } from '#host/mcp/transport.ts'

const initialized = (experimental: unknown) => ({
  jsonrpc: '2.0',
  id: 0,
  result: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, experimental },
    serverInfo: { name: 's', version: '1' },
  },
})

it.each([
  [{ policy: true }, { policy: {} }, ['experimental.policy: true is read as {}']],
  [
    { policy: true, other: { a: 1 } },
    { policy: {}, other: { a: 1 } },
    ['experimental.policy: true is read as {}'],
  ],
  [{ policy: false }, {}, ['experimental.policy is ignored: it is not an object']],
  [{ policy: 'yes' }, {}, ['experimental.policy is ignored: it is not an object']],
])('reads %j', (experimental, expected, notes) => {
  const read = readTolerantly(initialized(experimental))
  expect(read).toEqual({ message: initialized(expected), notes })
})

it.each([
  initialized({ policy: {} }),
  initialized(undefined),
  { jsonrpc: '2.0', id: 1, result: { content: [], experimental: { policy: true } } },
  { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } },
  { jsonrpc: '2.0', method: 'notifications/message', params: {} },
])('leaves %j as it is', (message) => {
  expect(readTolerantly(message)).toEqual({ message, notes: [] })
  expect(readTolerantly(message).message).toBe(message)
})

it('connects the SDK to a server whose policy is true, and logs what was read', async () => {
  const logged: unknown[] = []
  const inner: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if ('method' in message && message.method === 'initialize')
        queueMicrotask(() =>
          inner.onmessage?.(JSON.parse(JSON.stringify(initialized({ policy: true })))),
        )
    },
  }
  const client = new Client({ name: 'c', version: '1' })
  await client.connect(wrapTransport(inner, (_direction, message) => logged.push(message)))
  expect(client.getServerCapabilities()?.experimental).toEqual({ policy: {} })
  expect(logged).toContainEqual({ note: 'experimental.policy: true is read as {}' })
})

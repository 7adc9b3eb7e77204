/**
 * The fast path and the SDK give the same response: every request is sent twice, once plain
 * and once with a progress token, which routes it to the SDK and changes nothing else.
 */

import { MODERN_PROTOCOL as MODERN } from '#core/wire.ts'
import { nestsTooDeep } from '#worker/encoding/json-depth.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { freshWorkspace, type Reply } from '../../support/worker/client.ts'

type Send = ReturnType<typeof freshWorkspace>['send']

async function bothWays(
  send: Send,
  method: string,
  params: Record<string, unknown>,
): Promise<[Reply, Reply]> {
  return [
    await send(method, params),
    await send(method, params, { meta: { 'io.modelcontextprotocol/logLevel': 'error' } }),
  ]
}

describe('a plain request gets the same response as from the SDK', () => {
  const cases: [string, Record<string, unknown>][] = [
    ['tools/call', { name: 'list_roots', arguments: {} }],
    ['tools/call', { name: 'list_roots' }],
    ['tools/call', { name: 'read_file', arguments: { path: 'a' } }],
    ['tools/call', { name: 'read_file', arguments: { path: 'missing' } }],
    ['tools/call', { name: 'read_file', arguments: { path: 5 } }],
    ['tools/call', { name: 'read_file', arguments: {} }],
    ['tools/call', { name: 'read_file', arguments: { path: 'a', more: 1 } }],
    ['tools/call', { name: 'no_such_tool', arguments: {} }],
    ['tools/call', { name: 'find_files', arguments: { limit: 1 } }],
    ['tools/call', { name: 'search_files', arguments: { pattern: 'one' } }],
    ['tools/list', {}],
    ['server/discover', {}],
  ]

  it.each(cases)('%s %j', async (method, params) => {
    const { put, send } = freshWorkspace()
    await put('/a', 'one')
    const [plain, sdk] = await bothWays(send, method, params)
    expect(plain).toEqual(sdk)
  })
})

describe.each([
  ['a plain call', {}],
  ['a call that the SDK answers', { progressToken: 1 }],
])('%s that its client aborts', (_, meta) => {
  it('stops, and leaves the decision to the next call', async () => {
    const workspace = freshWorkspace()
    const owner = ownerOf(workspace)
    await owner.demand('review')
    await workspace.call('write_file', { path: 'a', content: 'x' })
    const controller = new AbortController()
    const params = { name: 'draft_status', arguments: { wait_seconds: 20 } }
    const waiting = workspace.send('tools/call', params, { meta, signal: controller.signal })
    await scheduler.wait(100)
    controller.abort()
    await expect(waiting).rejects.toThrow()
    await owner.decide('turn-down', { note: 'Keep the title.' })
    const next = await workspace.call('list_roots')
    expect(JSON.stringify(next.result?.content)).toContain('Keep the title.')
  })
})

describe('a client that configures its requests', () => {
  const configured = (configuration: unknown) => ({
    meta: { 'io.modelcontextprotocol/clientCapabilities': { experimental: { configuration } } },
  })

  it('is offered the tools that it can call, as by a session', async () => {
    const { send } = freshWorkspace()
    const listed = async (options: object) => {
      const { result } = await send('tools/list', {}, options)
      return JSON.stringify(result)
    }
    expect(await listed(configured({}))).toContain('"write_file"')
    expect(await listed(configured({ read_only: true }))).not.toContain('"write_file"')
  })

  const INVALID = configured({ unknown: true })

  it('is refused a list with an invalid one', async () => {
    const reply = await freshWorkspace().send('tools/list', {}, INVALID)
    expect(reply.error).toMatchObject({ code: -32602, message: expect.stringContaining('unknown') })
  })

  it('discovers the server with an invalid one, or it could not tell why it is refused', async () => {
    const { send } = freshWorkspace()
    const toWorkspace = { meta: { ...INVALID.meta, 'io.modelcontextprotocol/logLevel': 'error' } }
    const { result } = await send('server/discover', {}, INVALID)
    expect(result).toHaveProperty('supportedVersions')
    expect((await send('server/discover', {}, toWorkspace)).result).toEqual(result)
  })
})

describe('a malformed request goes to the SDK, which reports the error', () => {
  const call = { name: 'list_roots', arguments: {} }

  it.each([
    ['another method in the header', { headers: { 'mcp-method': 'tools/list' } }, 400, -32020],
    ['another name in the header', { headers: { 'mcp-name': 'read_file' } }, 400, -32020],
    [
      'another version in the header',
      { headers: { 'mcp-protocol-version': '2099-01-01' } },
      400,
      -32020,
    ],
    [
      'invalid capabilities',
      { meta: { 'io.modelcontextprotocol/clientCapabilities': 5 } },
      400,
      -32602,
    ],
    ['invalid client info', { meta: { 'io.modelcontextprotocol/clientInfo': [] } }, 400, -32602],
  ])('%s', async (_, options, status, code) => {
    const { send } = freshWorkspace()
    expect(await send('tools/call', call, options)).toMatchObject({ status, error: { code } })
  })

  it('an unknown protocol version', async () => {
    const { send } = freshWorkspace()
    const reply = await send('tools/call', call, {
      headers: { 'mcp-protocol-version': '2099-01-01' },
      meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    })
    expect(reply).toMatchObject({
      status: 400,
      error: { code: -32022, data: { supported: [MODERN] } },
    })
  })

  it.each(['initialize', 'ping', 'resources/subscribe', 'no/such'])(
    'the method %s',
    async (method) => {
      const { send } = freshWorkspace()
      expect(await send(method, { uri: 'file:///a' })).toMatchObject({
        status: 404,
        error: { code: -32601 },
      })
    },
  )
})

it('the nesting depth ignores brackets in strings', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(nestsTooDeep(deep(64))).toBe(false)
  expect(nestsTooDeep(deep(65))).toBe(true)
  expect(nestsTooDeep(JSON.stringify('['.repeat(100)))).toBe(false)
  for (const quoted of ['"', '\\', '\\"', '\\\\"', '"\\'])
    expect(nestsTooDeep(JSON.stringify([`${quoted}${'['.repeat(100)}`]))).toBe(false)
  expect(nestsTooDeep(`["\\\\"${'['.repeat(64)}`)).toBe(true)
  expect(nestsTooDeep(`"${'['.repeat(100)}`)).toBe(false)
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => !nestsTooDeep(text)))
})

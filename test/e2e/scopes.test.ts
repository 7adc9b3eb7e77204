/**
 * Scope requests through official clients of both eras: a refusal with the missing scopes, a question
 * to the person, and the call again with the grants. A client without grants gets a useful error.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatScope, parseScope } from '#core/scope.ts'
import { ERROR_META } from '#core/wire.ts'
import * as z from 'zod'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()

type Call = (
  name: string,
  args: Record<string, unknown>,
  meta?: Record<string, unknown>,
) => Promise<Record<string, unknown>>

interface Peer {
  readonly call: Call
  readonly close: () => Promise<void>
}

/** Each client works in one folder, and its person may open others of the owner's to it. */
const capabilities = { experimental: { configuration: { roots: [{ path: '/docs' }] } } }

async function openV1(): Promise<Peer> {
  const client = new ClientV1({ name: 'host', version: '1' }, { capabilities })
  await client.connect(new TransportV1(new URL(`${server.url}/mcp`)))
  return {
    call: (name, args, _meta) =>
      client.callTool({ name, arguments: args, ...(_meta && { _meta }) }),
    close: () => client.close(),
  }
}

const openV2 = (mode: 'legacy' | { pin: string }) => async (): Promise<Peer> => {
  const options = { capabilities, versionNegotiation: { mode } }
  const client = new Client({ name: 'host', version: '1' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  return {
    call: (name, args, _meta) =>
      client.callTool({ name, arguments: args, ...(_meta && { _meta }) }),
    close: () => client.close(),
  }
}

const Refused = z.looseObject({
  isError: z.literal(true),
  structuredContent: z.undefined().optional(),
  content: z.array(z.looseObject({ text: z.string() })),
  _meta: z.looseObject({
    [ERROR_META]: z.looseObject({ code: z.literal('PATH_OUTSIDE_ROOT') }),
    requested_scopes: z.array(z.string()),
  }),
})

beforeAll(async () => {
  await fetch(`${server.url}/files/other/a.txt`, { method: 'PUT', body: 'one' })
})

const stored = async (path: string) => {
  const answer = await fetch(`${server.url}/files${path}`)
  return answer.ok ? answer.text() : null
}

describe.each([
  ['SDK 1', openV1],
  ['SDK 2, legacy era', openV2('legacy')],
  ['SDK 2, modern era', openV2({ pin: '2026-07-28' })],
])('%s', (name, open) => {
  const to = `/elsewhere/${encodeURIComponent(name)}/moved.txt`
  const from = `/other/${encodeURIComponent(name)}.txt`

  it('is refused with all missing scopes, asked for, and repeated with the grants', async () => {
    await fetch(`${server.url}/files${from}`, { method: 'PUT', body: 'two' })
    const { call, close } = await open()
    const args = { from: decodeURIComponent(from), to: decodeURIComponent(to) }
    const refused = Refused.parse(await call('move_file', args))
    const wanted = refused._meta.requested_scopes.map((scope) => parseScope(scope))
    expect(wanted.map(formatScope)).toEqual(['write:file:/other', `write:file:/elsewhere/${name}`])

    const half = await call('move_file', args, { granted_scopes: 'write:file:/other' })
    expect(Refused.parse(half)._meta.requested_scopes).toEqual([`write:file:/elsewhere/${name}`])
    expect(await stored(to)).toBeNull()

    const granted = await call('move_file', args, { granted_scopes: wanted.map(formatScope) })
    expect(granted['isError']).toBeFalsy()
    expect(await stored(to)).toBe('two')

    // A grant is for one call.
    Refused.parse(await call('move_file', { from: args.to, to: args.from }))
    await close()
  })

  it('names the folders and the scopes in an error', async () => {
    const { call, close } = await open()
    const refused = Refused.parse(await call('read_file', { path: '/other/a.txt' }))
    expect(refused.content[0]?.text).toContain('/docs')
    expect(refused._meta.requested_scopes).toEqual(['read:file:/other'])
    await close()
  })

  it('accepts the older name, and a refusal by the person', async () => {
    const { call, close } = await open()
    const args = { path: '/other/a.txt' }
    const allowed = await call('read_file', args, { allowed_scopes: ['read:file:/other'] })
    expect(allowed['isError']).toBeFalsy()
    const denied = await call('read_file', args, {
      granted_scopes: 'read',
      denied_scopes: ['read:file:/other'],
    })
    expect(denied).toMatchObject({
      isError: true,
      _meta: { 'dev.edgewise/error': { code: 'PATH_BLOCKED' } },
    })
    await close()
  })
})

/** The official clients of both eras use the research profile, and read the whole identity of the server and its card. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useServer } from '../support/e2e/server.ts'
import { serverCard } from '../support/house/server-json.ts'

const server = useServer()

const WHO = { name: 'researcher', version: '1' }
const found = z.object({ results: z.array(z.object({ id: z.string(), url: z.url() })) })

/** What both clients have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  getServerVersion(): unknown
}

async function modern(url: URL): Promise<AnyClient> {
  const client = new Client(WHO, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

async function older(url: URL): Promise<AnyClient> {
  const client = new OlderClient(WHO)
  await client.connect(new OlderTransport(url))
  return client
}

describe.each([
  ['2026-07-28', modern],
  ['2025-11-25', older],
])('the official client of %s', (_, connect) => {
  it('searches and fetches, and checks each result by its schema', async () => {
    await fetch(`${server.url}/files/docs/plan.md`, { method: 'PUT', body: 'We ship on Monday.' })
    const client = await connect(new URL(`${server.url}/mcp?profile=research`))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch'])
    const results = await client.callTool({ name: 'search', arguments: { query: 'ship monday' } })
    const [first] = found.parse(recordOf(results)['structuredContent']).results
    expect(first).toMatchObject({ id: 'file:///docs/plan.md' })
    expect(new URL(first?.url ?? '').origin).toBe(server.url)
    const document = await client.callTool({ name: 'fetch', arguments: { id: first?.id } })
    expect(recordOf(document)['structuredContent']).toMatchObject({ text: 'We ship on Monday.' })
    await expect(
      client.callTool({ name: 'read_file', arguments: { path: '/docs/plan.md' } }),
    ).rejects.toThrow(/Unknown tool/)
  })

  it('gets the identity that the card has', async () => {
    const client = await connect(new URL(`${server.url}/mcp`))
    const answer = await fetch(`${server.url}/mcp/server-card`)
    const { title, version, description, icons, websiteUrl } = serverCard.parse(await answer.json())
    const about = { title, version, description, icons, websiteUrl }
    expect(client.getServerVersion()).toMatchObject({ name: 'edgewise', ...about })
    for (const { src } of icons ?? []) expect((await fetch(src)).status).toBe(200)
  })
})

/**
 * Every tool through official clients that have listed the tools before: those hold the structured content
 * of each result against the tool's `outputSchema`, and throw the result away where it does not match.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import { APP_MIME, APPS_EXTENSION } from '#core/wire.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { factsOf } from '../../scripts/tool-facts.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()
const freshUrl = () => new URL(`${server.url}/w/${crypto.randomUUID()}/mcp`)
const info = { name: 'strict', version: '1' }
const capabilities = { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_MIME] } } }

async function openV1() {
  const client = new ClientV1(info, { capabilities })
  await client.connect(new TransportV1(freshUrl()))
  return client
}

const openV2 = (mode: 'legacy' | { pin: string }) => async () => {
  const client = new Client(info, { capabilities, versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(freshUrl()))
  return client
}

describe.each([
  ['SDK 1', openV1],
  ['SDK 2, legacy era', openV2('legacy')],
  ['SDK 2, modern era', openV2({ pin: '2026-07-28' })],
])('%s', (_, open) => {
  it('validates the result of every tool', async () => {
    const listing = await open()
    const { tools } = await listing.listTools()
    await listing.close()
    expect(tools.map(({ name }) => name).sort()).toEqual([...TOOLS.keys()].sort())
    await Promise.all([...TOOLS.keys()].map((name) => callExample(name, open)))
  })
})

/** Runs the example of a tool, and the calls before it, in a workspace of its own. */
async function callExample(name: string, open: () => Promise<Client | ClientV1>): Promise<void> {
  const { given = [], example } = factsOf(name)
  const client = await open()
  await client.listTools()
  for (const call of [...given, { tool: name, arguments: example }]) {
    const result = await client.callTool({ name: call.tool, arguments: { ...call.arguments } })
    expect(result, name).not.toHaveProperty('isError')
  }
  await client.close()
}

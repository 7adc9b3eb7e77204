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
import { exampleCalls, PLAN, type Call } from '#worker/tools/lib/checked-facts.ts'
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

/** Results of other forms than those of the examples. */
const OTHER_FORMS: readonly Call[] = [
  PLAN,
  { tool: 'create_checkpoint', arguments: { name: 'Before' } },
  { tool: 'write_file', arguments: { path: 'docs/bytes', content_base64: 'AAAA' } },
  { tool: 'find_files', arguments: { pattern: '**' } },
  { tool: 'find_files', arguments: { pattern: '**', limit: 1 } },
  { tool: 'search_files', arguments: { pattern: 'plan|ship', context: 1 } },
  { tool: 'read_file', arguments: { path: 'docs/plan.md', limit: 1 } },
  { tool: 'read_multiple_files', arguments: { paths: ['docs/plan.md', 'docs/bytes'] } },
  { tool: 'list_changes', arguments: {} },
  { tool: 'copy_file', arguments: { from: 'docs', to: 'copy' } },
  { tool: 'move_file', arguments: { from: 'copy', to: 'moved' } },
  { tool: 'delete_file', arguments: { path: 'moved' } },
  { tool: 'compare_checkpoints', arguments: { from: 'Before' } },
]

/** Clients at once. Of more, some are idle for so long on a busy machine that their connections are closed. */
const AT_ONCE = 3

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
    const examples = [...TOOLS.keys()].map((name) => exampleCalls(name, factsOf(name)))
    const rest = [...examples, OTHER_FORMS].values()
    const work = async () => {
      for (const calls of rest) await callAll(calls, open)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  })
})

/** Makes calls that succeed, in a workspace of their own. */
async function callAll(calls: readonly Call[], open: () => Promise<Client | ClientV1>) {
  const client = await open()
  await client.listTools()
  for (const { tool, arguments: args, meta } of calls) {
    const result = await client.callTool({ name: tool, arguments: { ...args }, _meta: { ...meta } })
    expect(result, tool).not.toHaveProperty('isError')
  }
  await client.close()
}

/**
 * Every tool through official clients that have listed the tools before: those hold the structured content
 * of each result against the tool's `outputSchema`, and throw the result away where it does not match.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import { APP_MIME, APPS_EXTENSION } from '#core/wire.ts'
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

/** A call of each tool, in an order in which all succeed. `{version}` is that of the change before. */
const CALLS: readonly [tool: string, args: Readonly<Record<string, unknown>>][] = [
  ['create_folder', { path: '/docs' }],
  ['write_file', { path: '/docs/a', content: 'one\ntwo\nthree\n' }],
  ['edit_file', { path: '/docs/a', edits: [{ find: 'two', replace: '2' }] }],
  ['undo_change', { version: '{version}' }],
  ['copy_file', { from: '/docs', to: '/copy' }],
  ['move_file', { from: '/copy', to: '/moved' }],
  ['write_file', { path: '/docs/b', content_base64: 'AAAA' }],
  ['list_roots', {}],
  ['draft_status', {}],
  ['find_files', { pattern: '**' }],
  ['find_files', { pattern: '*.md', limit: 1 }],
  ['search_files', { pattern: 'one|two', context: 1 }],
  ['read_file', { path: '/docs/a', limit: 1 }],
  ['read_multiple_files', { paths: ['/docs/a', '/docs/b', '/docs/none'] }],
  ['list_folder', { path: '/docs' }],
  ['file_history', { path: '/docs/a' }],
  ['list_changes', {}],
  ['delegate', { label: 'helper' }],
  ['transfer_link', { path: '/docs/a', direction: 'download' }],
  ['create_checkpoint', { name: 'Before' }],
  ['delete_file', { path: '/moved' }],
  ['restore_file', { path: '/docs/a', version: 2 }],
  ['delete_file', { path: '/docs' }],
  ['list_checkpoints', {}],
  ['compare_checkpoints', { from: 'Before' }],
  ['restore_checkpoint', { checkpoint: 'Before' }],
]

describe.each([
  ['SDK 1', openV1],
  ['SDK 2, legacy era', openV2('legacy')],
  ['SDK 2, modern era', openV2({ pin: '2026-07-28' })],
])('%s', (_, open) => {
  it('validates the result of every tool', async () => {
    const client = await open()
    const { tools } = await client.listTools()
    const called = new Set(CALLS.map(([tool]) => tool))
    expect(tools.map((tool) => tool.name).sort()).toEqual([...called].sort())
    let version = 0
    for (const [tool, args] of CALLS) {
      const given = JSON.stringify(args).replace('"{version}"', String(version))
      const result = await client.callTool({ name: tool, arguments: JSON.parse(given) })
      expect(result, tool).not.toHaveProperty('isError')
      version = Number(Object(result.structuredContent)['version'] ?? version)
    }
    await client.close()
  })
})

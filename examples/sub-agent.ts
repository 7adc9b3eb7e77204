// A sub-agent gets a session link that may read one folder for ten minutes: it reads there, cannot
// write, cannot see other folders, cannot delegate more than it has, and loses access at expiry.
//
// Run it with `npm run example -- sub-agent`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'

const mcp = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
const READ_DOCS = { scopes: ['read:file:/sub-agent/docs'], ttl_seconds: 600 }

async function connect(name: string, url: URL): Promise<Client> {
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}
const call = (client: Client, name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args })

/** Delegates a part of a client's access; returns the URL of the session link. */
async function delegate(client: Client, request: Record<string, unknown>): Promise<URL> {
  const { structuredContent } = await call(client, 'delegate', { label: 'reader', ...request })
  return new URL(z.looseObject({ url: z.string() }).parse(structuredContent).url)
}

const parent = await connect('parent', mcp)
await call(parent, 'write_file', { path: '/sub-agent/docs/guide.md', content: 'Read me\n' })
await call(parent, 'write_file', { path: '/sub-agent/key', content: 'secret\n' })
const child = await connect('child', await delegate(parent, READ_DOCS))

const guide = await call(child, 'read_file', { path: '/sub-agent/docs/guide.md' })
assert.match(JSON.stringify(guide.content), /1: Read me/)
console.log('The sub-agent reads', guide.content)

// Other calls fail and name the missing scope, which nothing in `_meta` can grant.
const missingScope = (scope: string) => ({
  isError: true,
  _meta: { 'dev.edgewise/error': { code: 'INSUFFICIENT_SCOPE', required_scopes: [scope] } },
})
const write = { path: '/sub-agent/docs/guide.md', content: 'Changed\n' }
const written = await call(child, 'write_file', write)
assert.partialDeepStrictEqual(written, missingScope('write:file:/sub-agent/docs'))
const key = { name: 'read_file', arguments: { path: '/sub-agent/key' } }
const read = await child.callTool({ ...key, _meta: { granted_scopes: ['read'] } })
assert.partialDeepStrictEqual(read, missingScope('read:file:/sub-agent'))

const found = await call(child, 'find_files', { pattern: 'sub-agent/**' })
assert.doesNotMatch(JSON.stringify(found), /key/)
const { tools } = await child.listTools()
assert.ok(!tools.some(({ name }) => name === 'write_file'))
const wider = await call(child, 'delegate', { label: 'wider', scopes: ['read:file:/sub-agent'] })
assert.partialDeepStrictEqual(wider, {
  isError: true,
  _meta: { 'dev.edgewise/error': { code: 'INVALID_SCOPES' } },
})
console.log('It cannot write, read other folders or delegate more than it has')

// A second link expires after one second.
const brief = await connect('brief', await delegate(parent, { ...READ_DOCS, ttl_seconds: 1 }))
await call(brief, 'read_file', { path: '/sub-agent/docs/guide.md' })
await setTimeout(1_200)
await assert.rejects(call(brief, 'read_file', { path: '/sub-agent/docs/guide.md' }))
console.log('An expired link gives no access')

await call(parent, 'delete_file', { path: '/sub-agent' })
for (const client of [parent, child, brief]) await client.close()

// A sub-agent gets a link with which it may read one folder for ten minutes: it reads there, cannot
// write, sees nothing of the rest, cannot widen what it has, and stops when its time is over.
//
// Run `npm start`, then `node examples/sub-agent.ts http://localhost:8787/mcp`.
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

/** Hands a part of what a client may do to somebody else, who gets a URL. */
async function handOn(client: Client, wish: Record<string, unknown>): Promise<URL> {
  const { structuredContent } = await call(client, 'delegate', { label: 'reader', ...wish })
  return new URL(z.looseObject({ url: z.string() }).parse(structuredContent).url)
}

const parent = await connect('parent', mcp)
await call(parent, 'write_file', { path: '/sub-agent/docs/guide.md', content: 'Read me\n' })
await call(parent, 'write_file', { path: '/sub-agent/key', content: 'secret\n' })
const child = await connect('child', await handOn(parent, READ_DOCS))

const guide = await call(child, 'read_file', { path: '/sub-agent/docs/guide.md' })
assert.match(JSON.stringify(guide.content), /1: Read me/)
console.log('The child reads', guide.content)

// Refused with the scope that is missing, which nothing in `_meta` can give.
const lacks = (scope: string) => ({
  isError: true,
  _meta: { 'dev.edgewise/error': { code: 'INSUFFICIENT_SCOPE', required_scopes: [scope] } },
})
const write = { path: '/sub-agent/docs/guide.md', content: 'Mine\n' }
const refused = await call(child, 'write_file', write)
assert.partialDeepStrictEqual(refused, lacks('write:file:/sub-agent/docs'))
const key = { name: 'read_file', arguments: { path: '/sub-agent/key' } }
const granted = await child.callTool({ ...key, _meta: { granted_scopes: ['read'] } })
assert.partialDeepStrictEqual(granted, lacks('read:file:/sub-agent'))

const found = await call(child, 'find_files', { pattern: 'sub-agent/**' })
assert.doesNotMatch(JSON.stringify(found), /key/)
const { tools } = await child.listTools()
assert.ok(!tools.some(({ name }) => name === 'write_file'))
const wider = await call(child, 'delegate', { label: 'wider', scopes: ['read:file:/sub-agent'] })
assert.partialDeepStrictEqual(wider, {
  isError: true,
  _meta: { 'dev.edgewise/error': { code: 'INVALID_SCOPES' } },
})
console.log('It cannot write, look elsewhere or hand on more than it has')

// A second link that ends at once.
const brief = await connect('brief', await handOn(parent, { ...READ_DOCS, ttl_seconds: 1 }))
await call(brief, 'read_file', { path: '/sub-agent/docs/guide.md' })
await setTimeout(1_200)
await assert.rejects(call(brief, 'read_file', { path: '/sub-agent/docs/guide.md' }))
console.log('When its time is over, it is over')

await call(parent, 'delete_file', { path: '/sub-agent' })
for (const client of [parent, child, brief]) await client.close()

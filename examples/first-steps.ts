// Connects to a workspace, writes a file, edits it and reads it.
// Run it with `npm run example -- first-steps`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'

const url = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
const options = { versionNegotiation: { mode: 'auto' } } as const
const client = new Client({ name: 'first-steps', version: '1.0.0' }, options)
await client.connect(new StreamableHTTPClientTransport(url))
const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: { path: '/first-steps.md', ...args } })

await call('write_file', { content: 'Hello, edge\n' })
await call('edit_file', { edits: [{ find: 'edge', replace: 'world' }] })
const { content } = await call('read_file', {})
console.log(content)
assert.match(JSON.stringify(content), /1: Hello, world/)
await client.close()

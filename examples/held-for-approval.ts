// The rules hold every change for approval: an agent rewrites three files, and the workspace stays as it is
// until the owner approves two of them. The owner turns the third down with a note; the agent reads the note,
// mends the file and is approved. In the end the first approval is undone as a whole.
//
// Run it with `npm run example -- held-for-approval`. It uses a workspace of its own.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import * as z from 'zod'

const mcp = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
const workspace = new URL('/w/held-for-approval/', mcp)

// The owner, over HTTP. Only a page of this origin may decide, which a browser states in these headers; under
// `npm start` without an owner, a program on the same machine can send them too.
const page = { origin: mcp.origin, 'sec-fetch-site': 'same-origin' }
async function owner(method: string, path: string, body?: string): Promise<string> {
  const type = path.startsWith('files/') ? 'text/plain' : 'application/json'
  const headers = { ...page, 'content-type': type }
  const response = await fetch(new URL(path, workspace), { method, headers, body: body ?? null })
  const text = await response.text()
  assert.ok(response.ok, text)
  return text
}
const fileNow = (name: string) => owner('GET', `files/letters/${name}`)

const Draft = z.object({
  id: z.string(),
  revision: z.string(),
  changes: z.array(
    z.object({ id: z.string(), intent: z.string(), group: z.int(), paths: z.array(z.string()) }),
  ),
})
async function waiting(): Promise<z.infer<typeof Draft>> {
  const { drafts } = z
    .object({ drafts: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(await owner('GET', 'drafts')))
  return Draft.parse(JSON.parse(await owner('GET', `drafts/${drafts[0]?.id}`)))
}
/** Decides on a draft as it was shown: a draft that has changed since is refused. */
async function decide(
  verb: 'approve' | 'turn-down',
  { id, revision }: z.infer<typeof Draft>,
  choice: { changes?: string[]; digest?: string; note?: string } = {},
) {
  const decided = await owner(
    'POST',
    `drafts/${id}/${verb}`,
    JSON.stringify({ revision, ...choice }),
  )
  return z.object({ approval: z.string().nullable(), left: z.int() }).parse(JSON.parse(decided))
}

await owner('PUT', 'config', JSON.stringify({ approval: 'review' }))
for (const name of ['anna', 'ben', 'carl'])
  await owner('PUT', `files/letters/${name}`, `Dear ${name},\n`)

// The agent rewrites the letters. It reads its own changes; the workspace is unchanged.
const agent = new Client(
  { name: 'writer', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
)
await agent.connect(new StreamableHTTPClientTransport(new URL('mcp', workspace)))
const call = (name: string, args: Record<string, unknown>) =>
  agent.callTool({ name, arguments: args })
const rewrite = (name: string, find: string, replace: string) =>
  call('edit_file', { path: `/letters/${name}`, edits: [{ find, replace }] })

for (const name of ['anna', 'ben', 'carl']) {
  const { content } = await rewrite(name, 'Dear', 'Hello')
  console.log('The agent gets', content)
}
assert.match(JSON.stringify(await call('read_file', { path: '/letters/anna' })), /Hello anna/)
assert.equal(await fileNow('anna'), 'Dear anna,\n')

// The owner opens one change, approves exactly what it shows, and turns another down with a note.
const draft = await waiting()
console.log('The owner sees', draft.changes)
const idOf = (name: string) =>
  draft.changes.find(({ paths }) => paths.includes(`/letters/${name}`))?.id ?? ''
const opened = JSON.parse(await owner('GET', `drafts/${draft.id}/changes/${idOf('anna')}`))
const { changes, digest } = z
  .object({ changes: z.array(z.string()), digest: z.string() })
  .parse(opened)
const { approval } = await decide('approve', draft, { changes, digest })
assert.equal(await fileNow('anna'), 'Hello anna,\n')
await decide('turn-down', await waiting(), {
  changes: [idOf('carl')],
  note: 'Carl is a customer: write "Good day".',
})
await decide('approve', await waiting())
assert.equal(await fileNow('ben'), 'Hello ben,\n')
assert.equal(await fileNow('carl'), 'Dear carl,\n')

// The agent's next result contains all decisions, once.
const next = await call('read_file', { path: '/letters/carl' })
console.log('The agent reads', next.content)
assert.match(JSON.stringify(next.content), /1 change approved/)
assert.match(JSON.stringify(next.content), /Carl is a customer/)
assert.match(JSON.stringify(next.content), /Dear carl/)
await rewrite('carl', 'Dear', 'Good day')
await decide('approve', await waiting())
assert.equal(await fileNow('carl'), 'Good day carl,\n')

// An approval has an id, by which it is undone as a whole. An agent's undo is a change, so it waits too.
await call('undo_change', { id: approval })
assert.equal(await fileNow('anna'), 'Hello anna,\n')
await decide('approve', await waiting())
assert.equal(await fileNow('anna'), 'Dear anna,\n')
assert.equal(await fileNow('ben'), 'Hello ben,\n')
assert.equal(await fileNow('carl'), 'Good day carl,\n')
console.log('The letter of the first approval is back')
await agent.close()

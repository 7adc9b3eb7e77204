// An app from files: a board of tasks. Its two files, `examples/board`, are what `npm run new-app -- kanban board`
// makes. Nothing of the app is served until the owner approves it. Then an agent gets the tool `open_board`, its host
// shows the board, and a card that is moved is moved in the Markdown file. Changed, the app waits again.
//
// Run it with `npm run example -- board`. It uses a workspace of its own.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const mcp = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
const workspace = new URL('/w/board/', mcp)
const APP = 'ui://board/board'

// The owner, over HTTP. Only a page of this origin may decide, which a browser states in these headers; under
// `npm start` without an owner, a program on the same machine can send them too.
const page = { origin: mcp.origin, 'sec-fetch-site': 'same-origin' }
const owner = (method: string, path: string, body?: string) => {
  const type = path.startsWith('files/') ? 'text/plain' : 'application/json'
  const headers = { ...page, 'content-type': type }
  return fetch(new URL(path, workspace), { method, headers, body: body ?? null })
}

const Review = z.object({
  revision: z.string(),
  state: z.string(),
  files: z.array(z.object({ path: z.string(), change: z.string().nullable() })),
})
const review = async () => Review.parse(await (await owner('GET', 'apps/board')).json())

/** Approves what was shown: if a file of the app has changed since, the server refuses. */
async function approve({ revision }: z.infer<typeof Review>): Promise<void> {
  const response = await owner('POST', 'apps/board/approve', JSON.stringify({ revision }))
  assert.ok(response.ok, await response.text())
}

const local = (path: string) => readFile(join(import.meta.dirname, 'board', path), 'utf8')
async function upload(path: string, text: string): Promise<void> {
  const response = await owner('PUT', `files/${path}`, text)
  assert.ok(response.ok, await response.text())
}

// A host that shows apps says so when it connects.
const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const agent = new Client(
  { name: 'host', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { extensions: ui } },
)
await agent.connect(new StreamableHTTPClientTransport(new URL('mcp', workspace)))
// A client may keep the list of tools until the server says that it has changed. This one does not listen, so it asks.
async function appTool() {
  const { tools } = await agent.listTools(undefined, { cacheMode: 'refresh' })
  return tools.find(({ name }) => name === 'open_board')
}

async function assertNotServed(): Promise<void> {
  assert.equal(await appTool(), undefined)
  await assert.rejects(agent.readResource({ uri: APP }), /not found/i)
}

const Opened = z.object({
  files: z.array(z.object({ path: z.string(), version: z.int(), text: z.string() })),
})
/** Opens the board as the agent does, and returns its file. */
async function open() {
  const { structuredContent } = await agent.callTool({ name: 'open_board', arguments: {} })
  const [file] = Opened.parse(structuredContent).files
  assert(file, 'The board has a file')
  return file
}

// The files are in the workspace, and the app waits: it has no tool and no page. On a server where this ran before,
// the approval of that time is taken back first.
const manifest = await local('.apps/board/app.json')
await upload('.apps/board/app.json', manifest)
await upload('tasks/board.md', await local('tasks/board.md'))
await owner('POST', 'apps/board/withdraw', '{}')
assert.equal((await review()).state, 'waiting')
await assertNotServed()
console.log('The app waits for the owner, and nothing of it is served')

// The owner approves it, as the page "Waiting for you" of the console does.
await approve(await review())
const tool = await appTool()
assert(tool, 'The app has a tool')
assert.deepEqual(tool._meta?.['ui'], { resourceUri: APP, visibility: ['model', 'app'] })
const { contents } = await agent.readResource({ uri: APP })
assert.match(JSON.stringify(contents), /mcp-app.*kanban/)
console.log(`Approved: the tool ${tool.name} shows ${APP}`)

// The agent opens it. The host shows the board, and the agent gets the tasks.
const { path, version, text } = await open()
assert.equal(path, '/tasks/board.md')
assert.match(text, /## To do\n[^]*Collect ideas[^]*## In progress/)
console.log(text)

// A card that is moved on the board is a call of `edit_file`, for the version that is shown.
const card = '- [ ] Collect ideas #team\n'
const edits = [
  { find: card, replace: '' },
  { find: '## Done\n\n', replace: `## Done\n\n${card}` },
]
await agent.callTool({ name: 'edit_file', arguments: { path, edits, if_version: version } })
assert.match((await open()).text, /## Done\n\n- \[ \] Collect ideas/)
assert.match(
  await (await owner('GET', 'files/tasks/board.md')).text(),
  /## Done\n\n- \[ \] Collect/,
)
assert.equal((await review()).state, 'approved')
console.log(
  'The card was moved in the file. The board is still approved, because its data is not its page',
)

// A changed app waits again: the approval was for the files that the owner saw.
await upload('.apps/board/app.json', manifest.replace('"Board"', '"Other board"'))
const changed = await review()
assert.equal(changed.state, 'waiting')
assert.deepEqual(changed.files, [{ path: '/.apps/board/app.json', change: 'changed' }])
await assertNotServed()
console.log('Changed, the app waits for the owner again')
await agent.close()

// The story of an edit: previewed, overtaken by somebody else, refused, previewed again, applied and
// undone. The audit tells it in sentences.
//
// Run `npm start`, then `node examples/preview-then-apply.ts http://localhost:8787/mcp`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import * as z from 'zod'

const mcp = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
const PATH = '/preview-then-apply.md'
const CHANGE = 'dev.edgewise/change'
const BOUND = 'dev.edgewise/preview'

const client = new Client(
  { name: 'editor', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
)
await client.connect(new StreamableHTTPClientTransport(mcp))
const began = new Date().toISOString()
const edit = {
  name: 'edit_file',
  arguments: { path: PATH, edits: [{ find: 'two', replace: 'three' }] },
}
const Change = z.looseObject({ id: z.string() })
const Preview = Change.extend({ diff: z.string(), intent: z.string() })
const changeIn = (result: { _meta?: Record<string, unknown> | undefined }) => result._meta?.[CHANGE]
const read = async () => (await fetch(new URL(`/files${PATH}`, mcp))).text()
const write = (content: string) =>
  fetch(new URL(`/files${PATH}`, mcp), { method: 'PUT', body: content })

await write('one two\n')

// The agent asks what an edit would do. Nothing is written; the person sees a difference.
const preview = Preview.parse(
  changeIn(await client.callTool({ ...edit, _meta: { preview: true } })),
)
const { contents } = await client.readResource({ uri: preview.diff })
console.log(`${preview.intent}?`, contents[0])
assert.partialDeepStrictEqual(contents, [{ mimeType: 'text/x-diff' }])
assert.match(JSON.stringify(contents), /-one two\\n\+one three/)
assert.equal(await read(), 'one two\n')

// Somebody else is faster, so what the person saw is not what would happen any more.
await write('zero one two\n')
const stale = await client.callTool({ ...edit, _meta: { [BOUND]: preview.id } })
assert.partialDeepStrictEqual(stale, {
  isError: true,
  _meta: { 'dev.edgewise/error': { code: 'PREVIEW_STALE' } },
})
assert.equal(await read(), 'zero one two\n')

// Previewed again, and applied as it was shown.
const again = Change.parse(changeIn(await client.callTool({ ...edit, _meta: { preview: true } })))
const bound = { ...edit, _meta: { [BOUND]: again.id } }
const applied = Change.parse(changeIn(await client.callTool(bound)))
assert.equal(await read(), 'zero one three\n')

// Taken back, as a change of its own.
await client.callTool({ name: 'undo_change', arguments: { id: applied.id } })
assert.equal(await read(), 'zero one two\n')

const Audit = z.object({
  entries: z.array(z.object({ outcome: z.string(), intent: z.string(), tool: z.string() })),
})
const audit = await fetch(new URL(`/audit?path=${PATH}&since=${began}`, mcp))
const told = Audit.parse(await audit.json()).entries.reverse()
const sentences = told.map(({ outcome, intent }) => `${outcome}: ${intent}`)
console.log(sentences.join('\n'))
assert.deepEqual(sentences, [
  `applied: Upload ${PATH}`,
  `previewed: Edit ${PATH}`,
  `applied: Upload ${PATH}`,
  `previewed: Edit ${PATH}`,
  `applied: Edit ${PATH}`,
  `applied: Undo the change ${applied.id}`,
])
await client.close()

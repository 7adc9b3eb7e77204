// An edit is previewed, another write comes first, so applying the preview fails; the edit is previewed
// again, applied and undone. The audit log lists every step.
//
// Run it with `npm run example -- preview-then-apply`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import * as z from 'zod'

const mcp = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
// The files of a workspace are beside its endpoint, also of one at /w/name/mcp.
const files = new URL('files/', mcp)
const PATH = '/preview-then-apply.md'
const CHANGE = 'dev.edgewise/change'
const PREVIEW = 'dev.edgewise/preview'

const client = new Client(
  { name: 'editor', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
)
await client.connect(new StreamableHTTPClientTransport(mcp))
const startedAt = new Date().toISOString()
const edit = {
  name: 'edit_file',
  arguments: { path: PATH, edits: [{ find: 'two', replace: 'three' }] },
}
const Change = z.looseObject({ id: z.string() })
const Preview = Change.extend({ diff: z.string(), intent: z.string() })
const changeIn = (result: { _meta?: Record<string, unknown> | undefined }) => result._meta?.[CHANGE]
const read = async () => (await fetch(new URL(`.${PATH}`, files))).text()
const write = (content: string) =>
  fetch(new URL(`.${PATH}`, files), { method: 'PUT', body: content })

await write('one two\n')

// A preview returns what the edit would do, as a diff for the user. Nothing is written.
const preview = Preview.parse(
  changeIn(await client.callTool({ ...edit, _meta: { preview: true } })),
)
const { contents } = await client.readResource({ uri: preview.diff })
console.log(`${preview.intent}?`, contents[0])
assert.partialDeepStrictEqual(contents, [{ mimeType: 'text/x-diff' }])
assert.match(JSON.stringify(contents), /-one two\\n\+one three/)
assert.equal(await read(), 'one two\n')

// Another client writes the file, so the preview is out of date and cannot be applied.
await write('zero one two\n')
const stale = await client.callTool({ ...edit, _meta: { [PREVIEW]: preview.id } })
assert.partialDeepStrictEqual(stale, {
  isError: true,
  _meta: { 'dev.edgewise/error': { code: 'PREVIEW_STALE' } },
})
assert.equal(await read(), 'zero one two\n')

// A new preview is applied exactly as it was shown.
const again = Change.parse(changeIn(await client.callTool({ ...edit, _meta: { preview: true } })))
const call = { ...edit, _meta: { [PREVIEW]: again.id } }
const applied = Change.parse(changeIn(await client.callTool(call)))
assert.equal(await read(), 'zero one three\n')

// An undo is a change of its own.
await client.callTool({ name: 'undo_change', arguments: { id: applied.id } })
assert.equal(await read(), 'zero one two\n')

const Audit = z.object({
  entries: z.array(z.object({ outcome: z.string(), intent: z.string(), tool: z.string() })),
})
const audit = await fetch(new URL(`audit?path=${PATH}&since=${startedAt}`, mcp))
const entries = Audit.parse(await audit.json()).entries.reverse()
const sentences = entries.map(({ outcome, intent }) => `${outcome}: ${intent}`)
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

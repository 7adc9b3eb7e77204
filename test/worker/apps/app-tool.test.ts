/** `open_{name}`: the data of an app, as far as its caller may read it. */

import { describe, expect, it } from 'vitest'
import { legacyEra, modern } from '../../support/worker/access-client.ts'
import { approveApp, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace, SHOWS_APPS } from '../../support/worker/client.ts'
import { wholeOf } from '../../support/worker/result-codes.ts'

const APPS = { 'io.modelcontextprotocol/clientCapabilities': SHOWS_APPS }
const NO_APPS = { 'io.modelcontextprotocol/clientCapabilities': {} }

async function withApp(manifest: Record<string, unknown>) {
  const workspace = freshWorkspace()
  await workspace.put('/docs/a.md', 'one\n')
  await workspace.put('/docs/b.md', 'two\n')
  await workspace.put('/docs/c.bin', new Uint8Array([0, 1]))
  await writeApp(workspace, 'notes', { 'index.html': 'page', 'app.json': manifest })
  await approveApp(workspace, 'notes')
  return workspace
}

const setConfig = async ({ fetch }: ReturnType<typeof freshWorkspace>, config: unknown) => {
  const set = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(set.status, await set.text()).toBe(200)
}

const pathsOf = (structured: Record<string, unknown> | undefined) =>
  ((structured ?? {})['files'] as { path: string }[]).map(({ path }) => path)

it('returns the files that the patterns name, each once', async () => {
  const workspace = await withApp({ title: 'Notes', data: ['docs/*.md', '/docs/**', 'none'] })
  const { result } = await workspace.call('open_notes')
  expect(result?.structuredContent).toEqual({
    app: 'notes',
    files: [
      { path: '/docs/a.md', version: 1, mime: 'text/markdown', size: 4, text: 'one\n' },
      { path: '/docs/b.md', version: 2, mime: 'text/markdown', size: 4, text: 'two\n' },
      {
        path: '/docs/c.bin',
        version: 3,
        mime: 'application/octet-stream',
        size: 2,
        omitted: 'binary',
      },
    ],
    truncated: false,
  })
  expect(result?.content[0]?.text).toContain('Shown to the user: the app "Notes"')
  expect(result?.content[0]?.text).not.toContain('one')
})

it('gives the data as text to a client that shows no apps', async () => {
  const workspace = await withApp({ data: ['docs/*'] })
  const { result } = await workspace.call('open_notes', {}, NO_APPS)
  expect(result?.content[0]?.text).toBe(
    '== /docs/a.md (version 1; 4 bytes)\none\n\n\n' +
      '== /docs/b.md (version 2; 4 bytes)\ntwo\n\n\n' +
      '== /docs/c.bin (version 3; 2 bytes)\n(not text)',
  )
})

it('is listed with its page for clients that show apps, and not for others', async () => {
  const workspace = await withApp({ title: 'Notes', description: 'All notes.' })
  const list = async (meta: Record<string, unknown>) => {
    const { result } = await workspace.send('tools/list', {}, { meta })
    const tools = result?.['tools'] as { name: string; _meta: unknown }[]
    return tools.find(({ name }) => name === 'open_notes')
  }
  const resourceUri = `ui://${workspace.base.split('/').at(-1)}/notes`
  expect(await list({})).toMatchObject({
    title: 'Notes',
    description: expect.stringContaining('All notes.'),
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri, visibility: ['model', 'app'] }, 'ui/resourceUri': resourceUri },
  })
  expect(await list(NO_APPS)).toBeUndefined()
})

describe.each(['modern', 'legacy'])('a request of the %s era that narrows itself', (era) => {
  it.each([
    { policy: { roots: [{ path: '/', deny: ['.apps/**'] }] } },
    { denied_scopes: ['read:file:/.apps'] },
  ])('is not offered an app that it may not read: %j', async (meta) => {
    const workspace = await withApp({ title: 'Notes' })
    const client =
      era === 'modern'
        ? modern(workspace)
        : await legacyEra(workspace, undefined, '2025-11-25', SHOWS_APPS)
    const list = async (narrow: object) =>
      wholeOf((await client.ask('tools/list', {}, { ...APPS, ...narrow })).body)
    expect(await list({})).toContain('open_notes')
    expect(await list(meta)).not.toContain('open_notes')
  })
})

it('shows nothing that the caller may not read', async () => {
  const workspace = await withApp({ data: ['**'] })
  await setConfig(workspace, { roots: [{ path: '/', deny: ['docs/b.md', '**/index.html'] }] })
  const { result } = await workspace.call('open_notes')
  expect(pathsOf(result?.structuredContent)).toEqual([
    '/.apps/notes/app.json',
    '/docs/a.md',
    '/docs/c.bin',
  ])
})

it('finds what is visible below a folder that is not', async () => {
  const workspace = await withApp({ data: ['**/*.md'] })
  await setConfig(workspace, { roots: [{ path: '/docs' }, { path: '/.apps' }] })
  const { result } = await workspace.call('open_notes')
  expect(pathsOf(result?.structuredContent)).toEqual(['/docs/a.md', '/docs/b.md'])
})

it('shows a caller its own draft', async () => {
  const workspace = await withApp({ data: ['docs/a.md'] })
  await setConfig(workspace, { approval: 'review' })
  await workspace.call('write_file', { path: '/docs/a.md', content: 'proposed\n' })
  const { result } = await workspace.call('open_notes')
  expect(result?.structuredContent['files']).toMatchObject([{ text: 'proposed\n' }])
})

async function readParts(workspace: ReturnType<typeof freshWorkspace>, file: string) {
  const texts: string[] = []
  for (let offset = 0; texts.length < 9;) {
    const { result } = await workspace.call('part_of_notes', { file, offset })
    const part = result?.structuredContent as { text: string; next_offset?: number }
    texts.push(part.text)
    if (part.next_offset === undefined) return texts
    offset = part.next_offset
  }
  throw new Error('The last part has a next one')
}

it('gives its page one file in parts, none of which ends inside a character', async () => {
  const workspace = await withApp({ data: ['docs/*'] })
  // Characters of one, two and four bytes, so that the limit of a part is inside one of them.
  for (const text of [`${'aä😀'.repeat(150_000)}`, `b${'😀'.repeat(300_000)}`, '', 'short']) {
    await workspace.put('/docs/a.md', text)
    const parts = await readParts(workspace, '/docs/a.md')
    expect(parts.join('') === text).toBe(true)
    expect(parts.length).toBe(Math.max(1, Math.ceil((text.length * 2) / (512 * 1024))))
  }
  const { result } = await workspace.call('part_of_notes', { file: 'docs/c.bin' })
  expect(result?.structuredContent).toMatchObject({ omitted: 'binary' })
})

it.each([2, 4, 5, 6])(
  'refuses a part that begins inside a character, at byte %d',
  async (offset) => {
    const workspace = await withApp({ data: ['docs/*'] })
    await workspace.put('/docs/a.md', 'aä😀'.repeat(2))
    const args = { file: '/docs/a.md', offset }
    expect(await workspace.code('part_of_notes', args)).toBe('INVALID_OFFSET')
    const { result } = await workspace.call('part_of_notes', { ...args, offset: 3 })
    expect(result?.structuredContent).toMatchObject({ text: '😀aä😀' })
  },
)

it.each([
  ['which is not data of the app', '/other.md', 'FILE_NOT_FOUND'],
  ['which is denied', '/docs/b.md', 'PATH_BLOCKED'],
  ['which does not exist', '/docs/none.md', 'FILE_NOT_FOUND'],
  ['with ..', '/docs/../../other.md', 'FILE_NOT_FOUND'],
  ['which is a folder', '/docs', 'FILE_NOT_FOUND'],
])('reads no part of a file %s', async (_, file, code) => {
  const workspace = await withApp({ data: ['docs/**'] })
  await workspace.put('/other.md', 'other')
  await setConfig(workspace, { roots: [{ path: '/', deny: ['docs/b.md'] }] })
  expect(await workspace.code('part_of_notes', { file })).toBe(code)
})

it('takes no arguments, and is not called without the scope to read', async () => {
  const workspace = await withApp({ data: ['docs/a.md'] })
  expect(await workspace.code('open_notes', { path: '/docs/b.md' })).toBe('INVALID_ARGUMENTS')
  const made = await workspace.fetch('/sessions', {
    method: 'POST',
    body: JSON.stringify({ label: 'writer', ttl_seconds: 60, scopes: ['write'] }),
  })
  const { url } = await made.json<{ url: string }>()
  const writer = freshWorkspace(url)
  const { error } = await writer.call('open_notes')
  expect(error?.message).toBe('Unknown tool: "open_notes"')
})

it('offers the reading of parts to pages and not to models, and opens no page by it', async () => {
  const workspace = await withApp({ data: ['docs/*'] })
  const { result } = await workspace.send('tools/list')
  const tools = result?.['tools'] as { name: string; _meta: unknown }[]
  const part = tools.find(({ name }) => name === 'part_of_notes')
  expect(part?._meta).toMatchObject({ ui: { visibility: ['app'] } })
  expect(JSON.stringify(part)).not.toContain('ui://')
  const plain = await workspace.send('tools/list', {}, { meta: NO_APPS })
  expect(JSON.stringify(plain.result)).not.toContain('part_of_notes')
  await workspace.put('/.apps/notes/index.html', 'changed')
  const { error } = await workspace.call('part_of_notes', { file: '/docs/a.md' })
  expect(error?.message).toBe('Unknown tool: "part_of_notes"')
})

it('leads to no template and no other tool by its name', async () => {
  const workspace = await withApp({ title: '{path} [x] | \\' })
  const { result } = await workspace.send('tools/list')
  const tools = result?.['tools'] as { name: string; annotations: Record<string, unknown> }[]
  const { annotations } = tools.find(({ name }) => name === 'open_notes') ?? {}
  expect(annotations?.['intentTemplate']).toMatch(/^Open the app " path +x +"$/)
  expect((await workspace.call('open_')).error?.message).toBe('Unknown tool: "open_"')
  expect((await workspace.call('open_../notes')).error?.code).toBe(-32602)
})

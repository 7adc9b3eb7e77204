/** Files as resources: pages that stay right while files change, names, content and completion. */

import { RESOURCE_PAGE } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from './client.ts'

type Workspace = ReturnType<typeof freshWorkspace>
interface Resource {
  uri: string
  name: string
  size: number
  mimeType: string
}

async function page(workspace: Workspace, cursor?: string) {
  const { result } = await workspace.send('resources/list', cursor === undefined ? {} : { cursor })
  const resources = (result?.['resources'] ?? []) as Resource[]
  return {
    names: resources.map(({ name }) => name),
    resources,
    next: result?.['nextCursor'] as string | undefined,
  }
}

/** Many files at once, as a tar that is made by hand: 512 bytes of header each, and no content. */
async function fill(workspace: Workspace, names: readonly string[]): Promise<void> {
  const blocks = names.map((name) => {
    const header = new Uint8Array(512)
    const put = (text: string, at: number) => header.set(new TextEncoder().encode(text), at)
    put(name, 0)
    put('0000644\0', 100)
    put('00000000000\0', 124)
    put('00000000000\0', 136)
    put('        ', 148)
    put('0', 156)
    put('ustar\0' + '00', 257)
    const sum = header.reduce((all, byte) => all + byte, 0)
    put(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return header
  })
  const body = new Blob([...blocks, new Uint8Array(1024)])
  const response = await workspace.fetch('/import', { method: 'POST', body })
  expect(await response.json()).toMatchObject({ files: names.length, skipped: 0 })
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `f${String(at).padStart(5, '0')}`)

it('pages tell every file once, whatever is written, moved and deleted in between', async () => {
  const workspace = freshWorkspace()
  const names = numbered(2 * RESOURCE_PAGE + 10)
  await fill(workspace, names)
  const first = await page(workspace)
  expect(first.names).toEqual(names.slice(0, RESOURCE_PAGE))

  await workspace.text('delete_file', { path: first.names.at(-1) })
  await workspace.text('write_file', { path: 'a-new-one', content: '' })
  await workspace.text('move_file', { from: names.at(-1), to: 'e-moved' })
  const second = await page(workspace, first.next)
  const third = await page(workspace, second.next)
  expect([...second.names, ...third.names]).toEqual(names.slice(RESOURCE_PAGE, -1))
  expect(third.next).toBeUndefined()
})

it('a last page that is just full has no next one', async () => {
  const workspace = freshWorkspace()
  await fill(workspace, numbered(RESOURCE_PAGE))
  expect((await page(workspace)).next).toBeUndefined()
})

it.each(['a b', 'ü-日本-👋', '100%', "#?&=+;:@!$'()*,", '%41', '.hidden', 'a"b<c>'])(
  'a file called %j is read by the URI that the list names',
  async (name) => {
    const workspace = freshWorkspace()
    await workspace.text('write_file', { path: `d/${name}`, content: name })
    const { resources } = await page(workspace)
    expect(resources).toHaveLength(1)
    const uri = resources[0]?.uri ?? ''
    expect(new URL(uri).href).toBe(uri)
    const { result } = await workspace.send('resources/read', { uri })
    expect(result?.['contents']).toMatchObject([{ uri, text: name }])
  },
)

it('content is text with its mark, or a blob', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/bom', '\ufefftext')
  await workspace.put('/bin', new Uint8Array([0, 255]))
  const read = async (uri: string) =>
    (await workspace.send('resources/read', { uri })).result?.['contents']
  expect(await read('file:///bom')).toMatchObject([{ text: '\ufefftext' }])
  expect(await read('file:///bin')).toMatchObject([{ blob: 'AP8=' }])
})

describe('completion', () => {
  async function complete(workspace: Workspace, value: string) {
    const { result } = await workspace.send('completion/complete', {
      ref: { type: 'ref/resource', uri: 'file:///{+path}' },
      argument: { name: 'path', value },
    })
    return result?.['completion']
  }

  it('goes on from what was typed, folder by folder', async () => {
    const workspace = freshWorkspace()
    for (const path of ['/src/main.ts', '/src/lib/a', '/srv', '/docs/x'])
      await workspace.put(path, '')
    expect(await complete(workspace, '')).toMatchObject({ values: ['docs/', 'src/', 'srv'] })
    expect(await complete(workspace, 'sr')).toMatchObject({ values: ['src/', 'srv'] })
    expect(await complete(workspace, 'src/')).toMatchObject({ values: ['src/lib/', 'src/main.ts'] })
    expect(await complete(workspace, 'src/main.ts')).toMatchObject({ values: ['src/main.ts'] })
    expect(await complete(workspace, 'nowhere/x')).toMatchObject({ values: [], hasMore: false })
    expect(await complete(workspace, 'a\u0000')).toMatchObject({ values: [] })
  })

  it('names a hundred and says that there are more', async () => {
    const workspace = freshWorkspace()
    await fill(workspace, numbered(150))
    const completion = (await complete(workspace, 'f')) as { values: string[]; hasMore: boolean }
    expect(completion.values).toHaveLength(100)
    expect(completion.hasMore).toBe(true)
  })
})

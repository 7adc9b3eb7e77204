/** Reviews of documents: the difference of their texts is shown, with a note that they may differ in more. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { toBase64 } from '#worker/encoding/base64.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  docxParts,
  makeArchive,
  makePdf,
  odfParts,
  pageOf,
  paragraph,
} from '../../support/worker/make-archive.ts'

const docx = async (...lines: readonly string[]) =>
  makeArchive(docxParts(lines.map(paragraph).join('')))

const CHANGE = 'dev.edgewise/change'

type Workspace = ReturnType<typeof freshWorkspace>

async function change({ call }: Workspace, path: string, bytes: Uint8Array, preview: boolean) {
  const args = { path, content_base64: toBase64(bytes) }
  const { result } = await call('write_file', args, preview ? { preview: true } : {})
  return result?._meta[CHANGE]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

async function readText({ send }: Workspace, uri: string): Promise<string> {
  const { result } = await send('resources/read', { uri })
  const [content] = listOf(result?.['contents'])
  return String(recordOf(content)['text'])
}

/** Reads the files of a change, as the console gets them. */
async function readFiles(workspace: Workspace, facts: unknown): Promise<unknown> {
  const uri = `${String(recordOf(facts)['review'])}.json`
  return recordOf(JSON.parse(await readText(workspace, uri)))['files']
}

describe('a change of a document', () => {
  it.each([true, false])(
    'shows the lines of its text that differ (preview: %s)',
    async (preview) => {
      const workspace = freshWorkspace()
      await workspace.put('/a.docx', await docx('one', 'two', 'three'))
      const facts = await change(workspace, 'a.docx', await docx('one', '2', 'three'), preview)
      expect(facts).toMatchObject({ stats: { added: 1, removed: 1, hunks: 1 } })
      const [hunk] = listOf(recordOf(facts)['hunks'])
      expect(listOf(recordOf(hunk)['lines']).map((line) => recordOf(line)['text'])).toEqual([
        ...['one', 'two', '2', 'three'],
      ])
      expect(await readFiles(workspace, facts)).toMatchObject([
        { to: '/a.docx', binary: false, extracted: true },
      ])
    },
  )

  it('says so on its page', async () => {
    const workspace = freshWorkspace()
    const { result } = await workspace.call(
      'write_file',
      { path: 'a.pdf', content_base64: toBase64(makePdf([{ data: pageOf('one') }])) },
      { preview: true },
    )
    const uri = String(recordOf(result?._meta[CHANGE])['review'])
    expect(await readText(workspace, uri)).toContain('text of a document')
  })

  it('is that of bytes where there is no text', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.docx', await docx('one'))
    const damaged = (await docx('two')).slice(0, -30)
    const facts = await change(workspace, 'a.docx', damaged, true)
    expect(facts).toMatchObject({ hunks: [] })
    expect(await readFiles(workspace, facts)).toMatchObject([{ to: '/a.docx', binary: true }])
  })
})

it('a resource has the bytes of a document, and then its text', async () => {
  const workspace = freshWorkspace()
  const bytes = await docx('one')
  await workspace.put('/a.docx', bytes)
  const manifest = { name: 'META-INF/manifest.xml', content: '<m><encryption-data/></m>' }
  await workspace.put('/b.odt', await makeArchive([...odfParts('text', ''), manifest]))
  const read = async (uri: string) =>
    (await workspace.send('resources/read', { uri })).result?.['contents']
  expect(await read('file:///a.docx')).toMatchObject([
    { uri: 'file:///a.docx', blob: toBase64(bytes) },
    { uri: 'file:///a.docx', mimeType: 'text/plain', text: 'one\n' },
  ])
  expect(await read('file:///b.odt')).toHaveLength(1)
})

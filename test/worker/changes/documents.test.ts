/** Reviews of documents: the difference of their texts is shown, and it is said that it is not all of them. */

import { describe, expect, it } from 'vitest'
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

describe('a change of a document', () => {
  it.each([true, false])('shows the lines of its text that differ (preview: %s)', async (preview) => {
    const workspace = freshWorkspace()
    await workspace.put('/a.docx', await docx('one', 'two', 'three'))
    const facts = await change(workspace, 'a.docx', await docx('one', '2', 'three'), preview)
    expect(facts).toMatchObject({
      stats: { added: 1, removed: 1, hunks: 1 },
      hunks: [
        {
          path: '/a.docx',
          extracted: true,
          binary: false,
          hunks: [
            {
              lines: [
                { kind: 'equal', text: 'one' },
                { kind: 'removed', text: 'two' },
                { kind: 'added', text: '2' },
                { kind: 'equal', text: 'three' },
              ],
            },
          ],
        },
      ],
    })
  })

  it('says so on its page', async () => {
    const workspace = freshWorkspace()
    const { result } = await workspace.call(
      'write_file',
      { path: 'a.pdf', content_base64: toBase64(makePdf([{ data: pageOf('one') }])) },
      { preview: true },
    )
    const review = Object(result?._meta[CHANGE])['review']
    const { result: page } = await workspace.send('resources/read', { uri: review })
    const [content] = page?.['contents'] as { text: string }[]
    expect(content?.text).toContain('text of a document')
  })

  it('is that of bytes where there is no text', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.docx', await docx('one'))
    const damaged = (await docx('two')).slice(0, -30)
    const facts = await change(workspace, 'a.docx', damaged, true)
    expect(facts).toMatchObject({ hunks: [{ path: '/a.docx', binary: true, hunks: [] }] })
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

/** PDFs that another service reads where the operator has bound it: what is sent, what is taken, and when it is read here. */

import { expect, it } from 'vitest'
import { MAX_DOCUMENT_TEXT } from '#worker/texts/limits.ts'
import { createExtract } from '#worker/texts/documents/load.ts'
import { MARKDOWN_NOTE, type Markdown } from '#worker/texts/documents/markdown.ts'
import {
  docxParts,
  makeArchive,
  makePdf,
  pageOf,
  paragraph,
} from '../../../support/worker/make-archive.ts'

const PDF = makePdf([{ data: pageOf('here') }])
const HERE = { ok: true, value: { format: 'pdf', text: 'here\n', pages: [1] } }

/** A service that gives one answer, and the documents that it got. */
function serviceWith(answer: () => unknown) {
  const sent: { name: string; blob: Blob }[] = []
  const service: Markdown = {
    toMarkdown: async (file) => {
      sent.push(file)
      return answer()
    },
  }
  return { service, sent }
}

const markdown = (data: unknown) => () => ({ format: 'markdown', name: 'a', tokens: 1, data })

it('sends a PDF, and says so in the text', async () => {
  const { service, sent } = serviceWith(markdown('# Title\n\nthere\n'))
  expect(await createExtract(undefined, service)(PDF.slice(), null)).toEqual({
    ok: true,
    value: { format: 'pdf', text: `${MARKDOWN_NOTE}\n# Title\n\nthere\n`, pages: [1] },
  })
  const [file] = sent
  expect(file?.name).toBe('document.pdf')
  expect(new Uint8Array((await file?.blob.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(PDF)
})

it('sends no other document', async () => {
  const { service, sent } = serviceWith(markdown('there'))
  const extract = createExtract(undefined, service)
  const docx = await makeArchive(docxParts(paragraph('here')))
  expect(await extract(docx, null)).toMatchObject({ ok: true, value: { text: 'here\n' } })
  const html = new TextEncoder().encode('<p>here</p>')
  expect(await extract(html, 'html')).toMatchObject({ ok: true, value: { text: 'here\n' } })
  expect(sent).toEqual([])
})

it.each([
  ['an error', () => ({ format: 'error', error: 'bad' })],
  ['a list', () => []],
  ['no data', markdown(undefined)],
  ['nothing', markdown(' \n')],
  ['too much', markdown('a'.repeat(MAX_DOCUMENT_TEXT + 1))],
  ['an exception', () => Promise.reject(new Error('down'))],
])('reads here when the service gives %s', async (_, answer) => {
  const { service } = serviceWith(answer)
  expect(await createExtract(undefined, service)(PDF.slice(), null)).toEqual(HERE)
})

/** Which content may be a document, by its first bytes; whole and in pieces alike. */

import { expect, it } from 'vitest'
import { mayBeDocument, textFormat } from '#worker/texts/sniff.ts'
import { createStreamDecoder } from '#worker/texts/stream.ts'
import { encodingOf } from '#worker/texts/text.ts'
import {
  docxParts,
  epubParts,
  makeArchive,
  makePdf,
  odfParts,
  pageOf,
  pptxParts,
  xlsxParts,
} from '../../../support/worker/make-archive.ts'

const OLE = Uint8Array.from({ length: 2_048 }, (_, at) =>
  at < 8 ? ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1][at] ?? 0) : 0,
)

it.each([
  ['a PDF', makePdf([{ data: pageOf('x') }]), true],
  ['DOCX', await makeArchive(docxParts('')), true],
  ['XLSX', await makeArchive(xlsxParts([''])), true],
  ['PPTX', await makeArchive(pptxParts(['x'])), true],
  ['ODT', await makeArchive(odfParts('text', '')), true],
  ['EPUB', await makeArchive(epubParts(['x'])), true],
  ['an old office file', OLE, true],
  ['any other archive', await makeArchive([{ name: 'a.txt', content: 'word/ xl/' }]), false],
  [
    'an archive of another type',
    await makeArchive([{ name: 'mimetype', content: 'x', method: 0 }]),
    false,
  ],
  ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), false],
])('%s: %s', (_, bytes, expected) => {
  expect(mayBeDocument(bytes)).toBe(expected)
  const encoding = expected ? 'document' : 'binary'
  expect(encodingOf(bytes)).toBe(encoding)
  for (const size of [1, 7, 4_096]) {
    const decoder = createStreamDecoder()
    for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size))
    decoder.end()
    expect(decoder.encoding(), `in pieces of ${size}`).toBe(encoding)
  }
})

it('names the formats that are text', () => {
  expect(['/a.html', '/a.HTM', '/a.ipynb', '/a.rtf', '/a.pdf', '/a.md'].map(textFormat)).toEqual([
    'html',
    'html',
    'ipynb',
    'rtf',
    'pdf',
    null,
  ])
})

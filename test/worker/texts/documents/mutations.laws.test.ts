/** Any change of any document ends in a text or in a reason, within the budget and without an exception. */

import fc from '../../../support/core/random.ts'
import { expect, it } from 'vitest'
import { runs } from '../../../support/core/runs.ts'
import { extract } from '../../../support/worker/extracted.ts'
import {
  deflate,
  docxParts,
  epubParts,
  makeArchive,
  makePdf,
  odfParts,
  pageOf,
  paragraph,
  pptxParts,
  xlsxParts,
} from '../../../support/worker/make-archive.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Parts are stored, so that a change reaches the readers and not only what decompresses. */
const stored = (parts: readonly { name: string; content: string | Uint8Array }[]) =>
  makeArchive(parts.map((part) => ({ ...part, method: 0 })))

const SHEET =
  '<table:table table:name="x"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>'

const DOCUMENTS = {
  docx: await stored(
    docxParts(`${paragraph('one')}<w:tbl><w:tr><w:tc>${paragraph('a')}</w:tc></w:tr></w:tbl>`),
  ),
  'packed docx': await makeArchive(docxParts(paragraph('one'))),
  xlsx: await stored(
    xlsxParts(['<row><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row>'], ['x']),
  ),
  pptx: await stored(pptxParts(['one', 'two'])),
  odt: await stored(odfParts('text', '<text:p>one<text:s text:c="2"/></text:p>')),
  ods: await stored(odfParts('spreadsheet', SHEET)),
  epub: await stored(epubParts(['<html><title>t</title><p>one</p><table><tr><td>a'])),
  rtf: encode(
    "{\\rtf1\\ansi{\\fonttbl{\\f0 A;}}one\\'e9\\u233?\\par a\\cell b\\cell\\row\\bin3 xyz}",
  ),
  ipynb: encode('{"cells":[{"cell_type":"code","source":["a"],"outputs":[{"text":"b"}]}]}'),
  html: encode('<html><title>t</title><p title="a">one &amp; <b>two</b><table><tr><td>x</table>'),
  pdf: makePdf([{ data: pageOf('one', 'two') }]),
  'packed pdf': makePdf([
    { dictionary: '/Filter /FlateDecode', data: await deflate(encode(pageOf('one')), 'deflate') },
  ]),
}

/** Changes of bytes: one is replaced, removed, or added, or a part is repeated. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  kind: fc.constantFrom('replace', 'remove', 'insert', 'repeat'),
  byte: fc.integer({ min: 0, max: 255 }),
  length: fc.integer({ min: 1, max: 40 }),
})

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function apply(bytes: Uint8Array, { at, kind, byte, length }: Change) {
  const from = Math.floor(at * bytes.length)
  const part = bytes.subarray(from, from + length)
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)]
  const behind = bytes.subarray(from + length)
  if (kind === 'remove') return Uint8Array.from([...before, ...behind])
  if (kind === 'insert') return Uint8Array.from([...before, byte, ...after])
  if (kind === 'repeat') return Uint8Array.from([...before, ...part, ...after])
  return Uint8Array.from([...before, byte, ...after.subarray(1)])
}

it.each(Object.entries(DOCUMENTS))('%s', async (name, bytes) => {
  const format = name === 'html' || name === 'ipynb' ? name : null
  expect((await extract(bytes, { format })).found).toMatchObject({ ok: true })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const changed = changes.reduce(apply, bytes)
      const { found } = await extract(changed, { format })
      if (found.ok) expect(found.value.text).toSatisfy((text: string) => text.isWellFormed())
      else expect(found.detail).not.toBe('')
    }),
    runs(60),
  )
})

/** Documents of others that are made to do harm: each is refused within its budget, and other requests go on meanwhile. */

import { describe, expect, it } from 'vitest'
import {
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENT_DEPTH,
  MAX_DOCUMENT_OBJECTS,
  MAX_DOCUMENT_PAGES,
  MAX_DOCUMENT_PARTS,
  MAX_PDF_BYTES,
} from '#worker/texts/limits.ts'
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
  type Part,
} from '../../../support/worker/make-archive.ts'
import { extract, whyNot } from '../../../support/worker/extracted.ts'

/** Bytes that compress to a thousandth. */
const zeros = (mebibytes: number) => new Uint8Array(mebibytes * 1024 * 1024).fill(0x20)

const whyNoArchive = async (parts: readonly Part[]) => whyNot(await makeArchive(parts))

describe('bombs', () => {
  it('refuses a part that is decompressed to more than its limit', async () => {
    const parts = docxParts('')
    parts[2] = { name: 'word/document.xml', content: zeros(25) }
    expect(await whyNoArchive(parts)).toBe('too_large')
  })

  it('refuses parts that are too large together, also one that is named again and again', async () => {
    const chapter = `<p>${' '.repeat(8 * 1024 * 1024)}</p>`
    const parts = epubParts([chapter])
    const spine = '<itemref idref="c0"/>'.repeat(20)
    parts[2] = {
      name: 'OPS/book.opf',
      content: `<package><manifest><item id="c0" href="text/c%200.xhtml"/></manifest><spine>${spine}</spine></package>`,
    }
    expect(await whyNoArchive(parts)).toBe('too_large')
  })

  it('refuses repeated cells and rows of a sheet', async () => {
    const cell =
      '<table:table-cell table:number-columns-repeated="16000"><text:p>aaaaaaaaaaaaaaaa</text:p></table:table-cell>'
    const row = `<table:table-row table:number-rows-repeated="16000">${cell}</table:table-row>`
    const body = `<table:table>${row}</table:table>`
    expect(await whyNoArchive(odfParts('spreadsheet', body))).toBe('too_large')
    const times = body.replace('"16000"', '"1048576"')
    expect(await whyNoArchive(odfParts('spreadsheet', times))).toBe('too_large')
  })

  it('refuses one string that all cells of a workbook name', async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(5_000)
    expect(await whyNoArchive(xlsxParts([`<row>${cells}</row>`], ['a'.repeat(2_000)]))).toBe(
      'too_large',
    )
  })

  it('refuses spaces of OpenDocument that are only counted', async () => {
    const body = `<text:p>${'<text:s text:c="1000000000"/>'.repeat(20_000)}</text:p>`
    expect(await whyNoArchive(odfParts('text', body))).toBe('too_large')
  })

  it('refuses entities that expand, in every format of XML', async () => {
    const doctype = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    const parts = docxParts('')
    parts[2] = { name: 'word/document.xml', content: `${doctype}<w:document>&b;</w:document>` }
    expect(await whyNoArchive(parts)).toBe('broken')
  })

  it('refuses a PDF whose streams are decompressed to more than their limit', async () => {
    const one = await deflate(zeros(25), 'deflate')
    const dictionary = '/Filter /FlateDecode'
    expect(await whyNot(makePdf([{ dictionary, data: one }]))).toBe('too_large')
    const part = await deflate(zeros(20), 'deflate')
    const pages = [1, 2, 3, 4].map(() => ({ dictionary, data: part }))
    expect(await whyNot(makePdf(pages))).toBe('too_large')
  })

  it('refuses one in two filters, and one whose name is written with escapes', async () => {
    const data = await deflate(await deflate(zeros(25), 'deflate'), 'deflate')
    const dictionary = '/Filter [ /Fl#61teDecode /FlateDecode ]'
    expect(await whyNot(makePdf([{ dictionary, data }]))).toBe('too_large')
  })

  it('refuses one whose stream is damaged behind what is decompressed', async () => {
    const dictionary = '/Filter /FlateDecode'
    const data = await deflate(zeros(20), 'deflate')
    // The checksum, and the last block.
    for (const at of [data.length - 1, data.length - 12]) {
      const damaged = data.with(at, (data[at] ?? 0) ^ 0xff)
      const pages = [1, 2, 3, 4].map(() => ({ dictionary, data: damaged }))
      expect(await whyNot(makePdf(pages))).toBe('too_large')
    }
  })

  it('goes through streams that do not end', async () => {
    for (const unit of ['stream ', 'stream\nx\x9c\x00\x01\x00 ']) {
      const text = `%PDF-1.7 ${unit.repeat(500)}`
      expect(await whyNot(Uint8Array.from(text, (char) => char.charCodeAt(0)))).toBe('broken')
    }
  })

  it.each([
    '/Filter /LZWDecode',
    '/Filter [/RunLengthDecode]',
    '/Filter /L#5aWDecode',
    '/Filter 9 0 R',
  ])('refuses a PDF that cannot be measured, with %s', async (dictionary) => {
    expect(await whyNot(makePdf([{ dictionary, data: 'x' }]))).toBe('unknown_format')
  })

  it('refuses a large PDF outside of an isolate of its own, and a large document', async () => {
    expect(await whyNot(makePdf([{ data: ' '.repeat(MAX_PDF_BYTES) }]))).toBe('too_large')
    expect(await whyNot(new Uint8Array(MAX_DOCUMENT_BYTES + 1))).toBe('too_large')
  })
})

describe('endless structures', () => {
  it('refuses elements that are nested too deeply', async () => {
    const depth = MAX_DOCUMENT_DEPTH + 1
    expect(await whyNoArchive(docxParts('<w:p>'.repeat(depth) + '</w:p>'.repeat(depth)))).toBe(
      'broken',
    )
    const rtf = `{\\rtf1 ${'{'.repeat(depth)}`
    expect(await whyNot(new TextEncoder().encode(rtf))).toBe('too_large')
  })

  it('takes tables of HTML inside of each other in linear time', async () => {
    const nested = '<table><tr><td>x'.repeat(100_000)
    const { found, longest } = await extract(new TextEncoder().encode(nested), { format: 'html' })
    expect(found.ok).toBe(true)
    expect(longest).toBeLessThan(1_000)
  })

  it('refuses too many objects', async () => {
    expect(await whyNoArchive(docxParts('<w:p/>'.repeat(MAX_DOCUMENT_OBJECTS)))).toBe('too_large')
  })

  it('refuses too many pages, slides and parts', async () => {
    const page = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    expect(await whyNoArchive(docxParts(page.repeat(MAX_DOCUMENT_PAGES)))).toBe('too_large')
    const parts = docxParts(paragraph('x'))
    const empty = Array.from({ length: MAX_DOCUMENT_PARTS }, (_, at) => ({
      ...{ name: `x/${at}`, content: '', method: 0 },
    }))
    expect(await whyNoArchive([...parts, ...empty])).toBe('too_large')
  })

  it('reads a slide once that names itself as its notes', async () => {
    const parts = pptxParts(['one'])
    const type = 'http://schemas.openxmlformats.org/relationships/notesSlide'
    const content = `<Relationships><Relationship Id="n" Type="${type}" Target="slide1.xml"/></Relationships>`
    parts.push({ name: 'ppt/slides/_rels/slide1.xml.rels', content })
    const { found } = await extract(await makeArchive(parts))
    expect(found.ok && found.value.text).toBe('[slide 1]\none\nNotes:\none\n')
  })

  it('ends with a PDF whose pages or whose table are a cycle', async () => {
    const pages = makePdf([{ data: pageOf('x') }])
    const text = new TextDecoder('latin1').decode(pages)
    const cycles = [
      text.replace('/Kids [4 0 R]', '/Kids [2 0 R]'),
      text.replace(/trailer\n<< /, `trailer\n<< /Prev ${text.lastIndexOf('xref\n0')} `),
    ]
    const found = []
    for (const cycle of cycles)
      found.push(await whyNot(Uint8Array.from(cycle, (char) => char.charCodeAt(0))))
    expect(found).toEqual(['broken', null])
  })

  it('leaves turns to others in one endless text of references', async () => {
    const references = '&#65;'.repeat(200_000)
    const docx = await extract(await makeArchive(docxParts(paragraph(references))))
    expect(docx.found.ok && docx.found.value.text).toBe(`${'A'.repeat(200_000)}\n`)
    expect(docx.turns).toBeGreaterThan(10)
    const html = await extract(new TextEncoder().encode(references), { format: 'html' })
    expect(html.found.ok && html.found.value.text).toBe(`${'A'.repeat(200_000)}\n`)
    expect(html.turns).toBeGreaterThan(10)
  })

  it('leaves turns to others in one endless page', async () => {
    const words = '1 0 0 1 50 700 Tm (word) Tj 1 0 0 1 50 600 Tm (word) Tj '.repeat(60_000)
    const { found, turns } = await extract(makePdf([{ data: `BT /F1 12 Tf ${words} ET` }]))
    expect(found.ok).toBe(true)
    expect(turns).toBeGreaterThan(2)
  })
})

describe('wrong lengths and damage', () => {
  it.each([
    ['a directory that leads out of the file', { at: 0xffffff }],
    ['a part that is longer than the file', { packed: 0xffffff }],
    ['a part at the place of another one', { at: 0 }],
  ])('refuses %s', async (_, lies) => {
    const parts = docxParts(paragraph('x')).map((part) => ({ ...part, lies }))
    expect(await whyNoArchive(parts)).toBe('broken')
  })

  it('refuses an archive that is cut off, empty, or is none', async () => {
    const bytes = await makeArchive(docxParts(paragraph('x')))
    expect(await whyNot(bytes.slice(0, -30))).toBe('broken')
    expect(await whyNot(new TextEncoder().encode('PK\x03\x04nothing'))).toBe('broken')
    expect(await whyNot(new Uint8Array(0))).toBe('unknown_format')
  })

  it('refuses a document without its main part', async () => {
    const parts = docxParts('').filter(({ name }) => name !== 'word/document.xml')
    expect(await whyNoArchive([...parts, { name: 'word/x', content: '' }])).toBe('broken')
  })

  it('refuses a PDF that ends early', async () => {
    const bytes = makePdf([{ data: pageOf('x') }])
    expect(await whyNot(bytes.slice(0, 40))).toBe('broken')
  })
})

describe('documents that are closed', () => {
  it('names encrypted ones', async () => {
    const manifest = { name: 'META-INF/manifest.xml', content: '<m><encryption-data/></m>' }
    expect(await whyNoArchive([...odfParts('text', ''), manifest])).toBe('encrypted')
    const rights = {
      name: 'META-INF/encryption.xml',
      content: '<e><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></e>',
    }
    expect(await whyNoArchive([...epubParts(['<p>x</p>']), rights])).toBe('encrypted')
    const flagged = docxParts('').map((part) => ({ ...part, lies: { flags: 1 } }))
    expect(await whyNoArchive(flagged)).toBe('encrypted')
    expect(await whyNot(makePdf([{ data: pageOf('x') }], { trailer: '/Encrypt 9 0 R' }))).toBe(
      'encrypted',
    )
  })

  it('names old office files, and new ones that are encrypted in them', async () => {
    const old = new Uint8Array(2_048)
    old.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    expect(await whyNot(old)).toBe('unknown_format')
    const name = Array.from('EncryptedPackage', (char) => [char.charCodeAt(0), 0]).flat()
    old.set(name, 1_024)
    expect(await whyNot(old)).toBe('encrypted')
  })

  it('names a PDF whose pages are pictures', async () => {
    expect(await whyNot(makePdf([{ data: '0 0 100 100 re f' }]))).toBe('scanned')
  })
})

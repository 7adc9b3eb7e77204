/** The readers of documents, each with what its format has: pages, tables, notes, and what is not shown. */

import { describe, expect, it } from 'vitest'
import type { Part } from '../../../support/worker/make-archive.ts'
import {
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
import { extract, textOf } from '../../../support/worker/extracted.ts'

const archived = async (parts: readonly Part[]) => textOf(await makeArchive(parts))

describe('DOCX', () => {
  const body = (text: string) => archived(docxParts(text))

  it('has paragraphs, headings, lists and rows of tables', async () => {
    const heading = `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>`
    const item = `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Item</w:t></w:r></w:p>`
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
    const table = `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr>${cell('c')}<w:tc>${paragraph('d')}${paragraph('e')}</w:tc></w:tr></w:tbl>`
    expect(await body(heading + paragraph('one &amp; two') + item + table)).toBe(
      '## Title\none & two\n- Item\na\tb\nc\td e\n',
    )
  })

  it('shows tabs and breaks, and no tab stops, deleted text, codes or doubles', async () => {
    const run = '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>'
    const stops = '<w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>'
    const hidden =
      '<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:instrText>PAGE</w:instrText>' +
      '<mc:AlternateContent xmlns:mc="m"><mc:Choice><w:t>once</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent>'
    expect(await body(`<w:p>${stops}${run}${hidden}</w:p>`)).toBe('a\tb\nconce\n')
  })

  it('begins a page at each break, and has none without', async () => {
    const soft = '<w:p><w:r><w:lastRenderedPageBreak/><w:t>three</w:t></w:r></w:p>'
    const hard = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    const bytes = await makeArchive(docxParts(paragraph('one') + hard + paragraph('two') + soft))
    const { found } = await extract(bytes)
    expect(found).toEqual({
      ok: true,
      value: {
        format: 'docx',
        text: '[page 1]\none\n[page 2]\ntwo\n[page 3]\nthree\n',
        pages: [1, 3, 5],
      },
    })
  })

  it('has notes and headers behind the text', async () => {
    const parts = docxParts('<w:p><w:r><w:t>see</w:t><w:footnoteReference w:id="2"/></w:r></w:p>')
    const type = 'http://schemas.openxmlformats.org/relationships/footnotes'
    parts.push({
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships><Relationship Id="f" Type="${type}" Target="footnotes.xml"/></Relationships>`,
    })
    parts.push({
      name: 'word/footnotes.xml',
      content: `<w:footnotes xmlns:w="w"><w:footnote>${paragraph('the note')}</w:footnote></w:footnotes>`,
    })
    expect(await archived(parts)).toBe('[page 1]\nsee[2]\n[footnotes]\nthe note\n')
  })
})

describe('XLSX', () => {
  it('has sheets of cells that are separated by tabs', async () => {
    const rows = [
      '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>',
      '<row><c r="A2"><f>1+2</f><v>0.30000000000000004</v></c><c r="B2" t="b"><v>1</v></c></row>',
      '<row/><row><c r="A4" t="inlineStr"><is><t>in line</t></is></c><c r="B4" t="e"><v>#N/A</v></c></row>',
    ]
    const text = await archived(xlsxParts([rows.join(''), ''], ['first', 'sec\nond']))
    expect(text).toBe('[sheet 1: S1]\nfirst\t\tsec ond\n0.3\tTRUE\nin line\t#N/A\n[sheet 2: S2]\n')
  })

  it('shows dates and percentages as a person sees them', async () => {
    const row =
      '<row><c s="1"><v>46000</v></c><c s="2"><v>0.255</v></c><c s="3"><v>46000.75</v></c><c s="1"><v>-5</v></c></row>'
    expect(await archived(xlsxParts([row]))).toBe(
      '[sheet 1: S1]\n2025-12-09\t25.5%\t2025-12-09 18:00:00\t-5\n',
    )
  })
})

describe('PPTX', () => {
  it('has its slides in their order', async () => {
    expect(await archived(pptxParts(['one', 'two']))).toBe('[slide 1]\none\n[slide 2]\ntwo\n')
  })
})

describe('OpenDocument', () => {
  it('has the text of ODT with spaces, tabs and tables', async () => {
    const body =
      '<text:h text:outline-level="2">Title</text:h><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>' +
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>' +
      '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>'
    expect(await archived(odfParts('text', body))).toBe('## Title\na   b\tc\nd\nx\ty\n')
  })

  it('has the sheets of ODS, and no empty rows and cells however often they are repeated', async () => {
    const cell = (text: string, times = 1) =>
      `<table:table-cell table:number-columns-repeated="${times}">${text && `<text:p>${text}</text:p>`}</table:table-cell>`
    const body = `<table:table table:name="One"><table:table-row>${cell('a')}${cell('', 2)}${cell('b', 2)}${cell('', 16_000)}</table:table-row>
      <table:table-row table:number-rows-repeated="1048576">${cell('', 16_000)}</table:table-row></table:table>`
    expect(await archived(odfParts('spreadsheet', body))).toBe('[sheet 1: One]\na\t\t\tb\tb\n')
  })

  it('has the slides of ODP', async () => {
    const page = (text: string) => `<draw:page><text:p>${text}</text:p></draw:page>`
    expect(await archived(odfParts('presentation', page('a') + page('b')))).toBe(
      '[slide 1]\na\n[slide 2]\nb\n',
    )
  })
})

describe('EPUB', () => {
  it('has its chapters in their order, with their titles', async () => {
    const chapter = (title: string, text: string) =>
      `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`
    const book = await archived(epubParts([chapter('First', 'a&nbsp;b'), chapter('Second', 'c')]))
    expect(book).toBe('[chapter 1: First]\n# First\na\u00a0b\n[chapter 2: Second]\n# Second\nc\n')
  })
})

describe('RTF', () => {
  const rtf = (text: string) =>
    textOf(new TextEncoder().encode(`{\\rtf1\\ansi\\ansicpg1252 ${text}}`))

  it('has text, characters and pages, and no fonts, pictures or what programs keep', async () => {
    const text =
      "{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}{\\info{\\title T}}Caf\\'e9 \\u8364 ?\\{\\}\\par\nline\\line two{\\pict 89504e47}\\page next\\par"
    expect(await rtf(text)).toBe('[page 1]\nCafé €{}\nline\ntwo\n[page 2]\nnext\n')
  })

  it('has the rows of tables', async () => {
    expect(await rtf('\\trowd a\\cell b\\cell\\row c\\cell d\\cell\\row after\\par')).toBe(
      'a\tb\nc\td\nafter\n',
    )
  })
})

describe('IPYNB', () => {
  it('has the cells with the text of their results', async () => {
    const notebook = {
      cells: [
        { cell_type: 'markdown', source: ['# Title\n', 'text'] },
        {
          cell_type: 'code',
          source: 'print(1)',
          outputs: [
            { output_type: 'stream', text: ['1\n'] },
            { data: { 'text/plain': '<Figure>', 'image/png': 'iVBOR' } },
          ],
        },
      ],
    }
    expect(await textOf(new TextEncoder().encode(JSON.stringify(notebook)), 'ipynb')).toBe(
      '[cell 1: markdown]\n# Title\ntext\n[cell 2: code]\nprint(1)\nOutput:\n1\nOutput:\n<Figure>\n',
    )
  })
})

describe('HTML', () => {
  const html = (text: string) => textOf(new TextEncoder().encode(text), 'html')

  it('has what a browser shows', async () => {
    const page = `<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{}</style></head><body>
      <script>if (a < b) "</p>"</script><h1>One</h1><p>two  <b>three</b>
      four<br>five</p><ul><li>a<li>b</ul><noscript>none</noscript><!-- <p>no</p> --></body>`
    expect(await html(page)).toBe('A & B\n# One\ntwo three four\nfive\n- a\n- b\n')
  })

  it('has the rows of tables, whose ends may be missing', async () => {
    const rows = '<tr><th>a<th>b<tr><td>c</td><td><p>d</p><p>e</p></td></tr>'
    expect(await html(`<table>${rows}</table>after`)).toBe('a\tb\nc\td e\nafter\n')
  })

  it('keeps lines of preformatted text', async () => {
    expect(await html('<pre>a\n  b</pre><p>c &euro;&#x20AC;&unknown;</p>')).toBe(
      'a\n  b\nc €€&unknown;\n',
    )
  })
})

describe('PDF', () => {
  it('has the lines of its pages', async () => {
    const { found } = await extract(
      makePdf([{ data: pageOf('first line', 'second line') }, { data: pageOf('next page') }]),
    )
    expect(found).toEqual({
      ok: true,
      value: {
        format: 'pdf',
        text: '[page 1]\nfirst line\nsecond line\n[page 2]\nnext page\n',
        pages: [1, 4],
      },
    })
  })
})

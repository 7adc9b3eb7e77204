/**
 * Archives for tests of documents: with any names and any lies, which no library would write.
 *
 * @module
 */

/** A file of an archive. */
export interface Part {
  readonly name: string
  readonly content: string | Uint8Array
  /** Replaces what the directory has, to lie. */
  readonly lies?: { readonly packed?: number; readonly at?: number; readonly flags?: number }
  /** How it is compressed; 0 for not at all. */
  readonly method?: number
}

const ENCODER = new TextEncoder()

/** Builds an archive of parts, in their order. */
export async function makeArchive(parts: readonly Part[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, content, lies = {}, method = 8 } of parts) {
    const bytes = typeof content === 'string' ? ENCODER.encode(content) : content
    const packed = method === 8 ? await deflate(bytes) : bytes
    const named = ENCODER.encode(name)
    const facts = [numbers([lies.flags ?? 0, 2], [method, 2], [0, 4], [0, 4])]
    const sizes = numbers([lies.packed ?? packed.length, 4], [bytes.length, 4], [named.length, 2])
    const local = join([numbers([0x04034b50, 4], [20, 2]), ...facts, sizes, numbers([0, 2]), named])
    directory.push(
      join([
        ...[numbers([0x02014b50, 4], [20, 2], [20, 2]), ...facts, sizes],
        numbers([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [lies.at ?? at, 4]),
        named,
      ]),
    )
    pieces.push(local, packed)
    at += local.length + packed.length
  }
  const all = join(directory)
  const count = parts.length
  const end = numbers(
    [0x06054b50, 4],
    [0, 4],
    [count, 2],
    [count, 2],
    [all.length, 4],
    [at, 4],
    [0, 2],
  )
  return join([...pieces, all, end])
}

function numbers(...values: readonly (readonly [value: number, bytes: number])[]) {
  return Uint8Array.from(
    values.flatMap(([value, bytes]) =>
      Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) & 0xff),
    ),
  )
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** Compresses bytes. */
export async function deflate(
  bytes: Uint8Array,
  format: 'deflate-raw' | 'deflate' = 'deflate-raw',
): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream(format))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

const RELATION = 'http://schemas.openxmlformats.org/relationships'

const relations = (list: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<?xml version="1.0"?><Relationships>${list
    .map(([id, type, to]) => `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${to}"/>`)
    .join('')}</Relationships>`

/** The parts of a Word document with a body. */
export const docxParts = (body: string): Part[] => [
  { name: '[Content_Types].xml', content: '<Types/>' },
  { name: '_rels/.rels', content: relations([['r1', 'mainDocument', 'word/document.xml']]) },
  {
    name: 'word/document.xml',
    content: `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  },
]

/** A paragraph of a Word document. */
export const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

/** The parts of a workbook with sheets, each the content of its `sheetData`. */
export const xlsxParts = (sheets: readonly string[], strings: readonly string[] = []): Part[] => [
  { name: '[Content_Types].xml', content: '<Types/>' },
  { name: '_rels/.rels', content: relations([['r1', 'mainDocument', 'xl/workbook.xml']]) },
  {
    name: 'xl/workbook.xml',
    content: `<workbook xmlns:r="r"><sheets>${sheets
      .map((_, at) => `<sheet name="S${at + 1}" sheetId="${at + 1}" r:id="s${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: relations([
      ...sheets.map(
        (_, at) => [`s${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const,
      ),
      ['t', 'sharedStrings', 'sharedStrings.xml'],
      ['f', 'styles', 'styles.xml'],
    ]),
  },
  {
    name: 'xl/styles.xml',
    content: `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
  },
  {
    name: 'xl/sharedStrings.xml',
    content: `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
  },
  ...sheets.map((rows, at) => ({
    name: `xl/worksheets/sheet${at + 1}.xml`,
    content: `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })),
]

/** The parts of a presentation whose slides have one paragraph each. */
export const pptxParts = (slides: readonly string[]): Part[] => [
  { name: '[Content_Types].xml', content: '<Types/>' },
  { name: '_rels/.rels', content: relations([['r1', 'mainDocument', 'ppt/presentation.xml']]) },
  {
    name: 'ppt/presentation.xml',
    content: `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
  },
  {
    name: 'ppt/_rels/presentation.xml.rels',
    content: relations(slides.map((_, at) => [`s${at + 1}`, 'slide', `slides/slide${at + 1}.xml`])),
  },
  ...slides.map((text, at) => ({
    name: `ppt/slides/slide${at + 1}.xml`,
    content: `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`,
  })),
]

/** The parts of an OpenDocument file with a body. */
export const odfParts = (kind: 'text' | 'spreadsheet' | 'presentation', body: string): Part[] => [
  {
    name: 'mimetype',
    content: `application/vnd.oasis.opendocument.${kind}`,
    method: 0,
  },
  {
    name: 'content.xml',
    content: `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d"><office:body>${body}</office:body></office:document-content>`,
  },
]

/** The parts of a book with chapters of HTML. */
export const epubParts = (chapters: readonly string[]): Part[] => [
  { name: 'mimetype', content: 'application/epub+zip', method: 0 },
  {
    name: 'META-INF/container.xml',
    content: '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
  },
  {
    name: 'OPS/book.opf',
    content: `<package><manifest>${chapters
      .map((_, at) => `<item id="c${at}" href="text/c%20${at}.xhtml"/>`)
      .join('')}</manifest><spine>${chapters
      .map((_, at) => `<itemref idref="c${at}"/>`)
      .join('')}</spine></package>`,
  },
  ...chapters.map((content, at) => ({ name: `OPS/text/c ${at}.xhtml`, content })),
]

/** A PDF whose pages have these streams as their content, each with the entries of its dictionary. */
export function makePdf(
  streams: readonly { readonly dictionary?: string; readonly data: Uint8Array | string }[],
  more: { readonly trailer?: string; readonly objects?: readonly string[] } = {},
): Uint8Array {
  const count = streams.length
  const first = 4
  const kids = streams.map((_, at) => `${first + 2 * at} 0 R`).join(' ')
  const fixed = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  // Bytes that are no text, as every program writes them, so that no transfer takes it for text.
  const head = Uint8Array.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', (char) => char.charCodeAt(0))
  const pieces: Uint8Array[] = [head]
  const offsets: number[] = []
  let at = head.length
  const add = (piece: Uint8Array) => {
    pieces.push(piece)
    at += piece.length
  }
  const object = (number: number, body: string | Uint8Array) => {
    offsets[number] = at
    add(ENCODER.encode(`${number} 0 obj\n`))
    add(typeof body === 'string' ? ENCODER.encode(body) : body)
    add(ENCODER.encode('\nendobj\n'))
  }
  fixed.forEach((body, index) => object(index + 1, body))
  streams.forEach(({ dictionary = '', data }, index) => {
    const bytes = typeof data === 'string' ? ENCODER.encode(data) : data
    const number = first + 2 * index
    const resources = '/Resources << /Font << /F1 3 0 R >> >>'
    object(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${resources} /Contents ${number + 1} 0 R >>`,
    )
    object(
      number + 1,
      join([
        ENCODER.encode(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
        bytes,
        ENCODER.encode('\nendstream'),
      ]),
    )
  })
  const next = first + 2 * count
  const { objects = [], trailer = '' } = more
  objects.forEach((body, index) => object(next + index, body))
  const start = at
  const size = next + objects.length
  const rows = Array.from({ length: size }, (_, number) =>
    number === 0
      ? '0000000000 65535 f \n'
      : `${String(offsets[number] ?? 0).padStart(10, '0')} 00000 n \n`,
  )
  add(
    ENCODER.encode(
      `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return join(pieces)
}

/** The content of a page with lines of text. */
export const pageOf = (...lines: readonly string[]) =>
  `BT /F1 12 Tf 14 TL 50 750 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`

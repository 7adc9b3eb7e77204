/**
 * The page of one file: Markdown, a table, code, a picture, the text of a document, or only its download.
 * `test/worker/page-links/render.test.ts` has the cases.
 *
 * @module
 */

import { nameOf } from '#core/path.ts'
import { readType } from '../access/shown-type.ts'
import type { ReadStore } from '../access/workspace.ts'
import { joinHtml, markup, type Html } from '../encoding/html.ts'
import type { FileEntry } from '../store/store.ts'
import type { DocumentText, NoText } from '../texts/document.ts'
import { textFormat } from '../texts/sniff.ts'
import { decodeText, shownText } from '../texts/text.ts'
import { addressOf, type PageAddresses } from './addresses.ts'
import { codeBlock, plainBlock, tableHtml } from './code-html.ts'
import { rowsOf, separatorOf } from './delimited.ts'
import { dateHtml, formatBytes, framedPage, waysHtml } from './layout.ts'
import { MAX_PAGE_TEXT_BYTES } from './limits.ts'
import { markdownHtml } from './markdown-html.ts'
import { linesOf, takeLines, takePart, type Part } from './parts.ts'

/** Pictures that browsers draw without executing anything of them. */
export const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/

/** What a page of a file is made of. */
export interface FilePageParts {
  readonly addresses: PageAddresses
  readonly store: ReadStore
  /** The wanted part, from 1. */
  readonly part: number
}

/** Builds the page of a file; null if it has no such part. */
export async function filePage(file: FileEntry, parts: FilePageParts): Promise<Response | null> {
  const body = await contentHtml(file, parts)
  if (body === null) return null
  const facts = [
    markup`${formatBytes(file.size)}`,
    markup`changed ${dateHtml(file.mtime)}`,
    markup`version ${file.version}`,
  ]
  return framedPage({ path: file.path, facts, isFile: true, body }, parts.addresses)
}

async function contentHtml(file: FileEntry, parts: FilePageParts): Promise<Html | null> {
  const { store, addresses, part } = parts
  const name = nameOf(file.path)
  if (PICTURE.test(await readType(store, file)))
    return part === 1
      ? markup`<figure><img src="${`${addressOf(addresses, file.path)}?image`}" alt="${name}" /></figure>`
      : null
  const document = await store.documentText(file, textFormat(file.path))
  if (document)
    return document.ok ? documentHtml(file, document.value, parts) : noteOf(document.why)
  if (file.size > MAX_PAGE_TEXT_BYTES) return noteOf('too_large')
  const decoded = decodeText(await store.bytes(file))
  return decoded ? textHtml(file, shownText(decoded), parts) : noteOf('unknown_format')
}

const NOTES: Readonly<Record<NoText, string>> = {
  encrypted: 'This file is encrypted, so it cannot be shown here.',
  scanned: 'This document consists of pictures and has no text to show.',
  broken: 'This file is damaged, so it cannot be shown here.',
  too_large: 'This file is too large to be shown here.',
  unknown_format: 'This kind of file cannot be shown here.',
}

const noteOf = (why: NoText): Html =>
  markup`<p class="note">${NOTES[why]} Use Download to save it.</p>`

/** Renders a text by the kind of its file; null if it has no such part. */
export function textHtml(file: FileEntry, text: string, parts: FilePageParts): Html | null {
  const name = nameOf(file.path)
  if (/\.(?:csv|tsv|tab)$/i.test(name)) return valuesHtml(file, text, parts)
  const found = takeLines(text, parts.part)
  if (/\.(?:md|markdown|mdown|mkd)$/i.test(name))
    return withWays(
      file,
      found,
      () => markdownHtml(found.items.join('\n'), file.path, parts.addresses),
      parts,
    )
  const isPlain = !name.includes('.') || /\.(?:txt|text|log)$/i.test(name)
  const body = () => (isPlain ? plainBlock(found.items) : codeBlock(found.items, name))
  return withWays(file, found, body, parts)
}

function withWays(
  file: FileEntry,
  part: Part<unknown>,
  body: () => Html,
  { addresses }: FilePageParts,
): Html | null {
  if (part.items.length === 0) return null
  const ways = waysHtml(addressOf(addresses, file.path), part)
  return ways ? joinHtml([body(), ways]) : body()
}

const lengthOfRow = (row: readonly string[]): number =>
  row.reduce((sum, value) => sum + value.length + 1, 0)

function valuesHtml(file: FileEntry, text: string, parts: FilePageParts): Html | null {
  if (text.trim() === '') return markup`<p class="note">This table is empty.</p>`
  const rows = rowsOf(text, separatorOf(nameOf(file.path), text))[Symbol.iterator]()
  const head: readonly string[] = rows.next().value ?? []
  const found = takePart({ [Symbol.iterator]: () => rows }, parts.part, lengthOfRow)
  // A head alone is a table as well.
  const isHeadAlone = found.items.length === 0 && parts.part === 1
  if (isHeadAlone) return tableHtml(head, [])
  return withWays(file, found, () => tableHtml(head, found.items), parts)
}

/** Renders the text of a document: each page has its name as a heading, and sheets are tables. */
function documentHtml(file: FileEntry, document: DocumentText, parts: FilePageParts): Html | null {
  const { text, pages, format } = document
  if (text.trim() === '') return markup`<p class="note">This document has no text.</p>`
  const found = takePart(linesOf(text.replace(/\n$/, '')), parts.part, (line) => line.length + 1)
  const isSheet = format === 'xlsx' || format === 'ods'
  const names = new Set(pages.length > 1 || isSheet ? pages : [])
  const body = () => {
    const blocks: Html[] = []
    let lines: string[] = []
    const flush = () => {
      if (lines.some((line) => line.trim() !== ''))
        blocks.push(isSheet ? sheetHtml(lines) : plainBlock(lines))
      lines = []
    }
    found.items.forEach((line, index) => {
      if (!names.has(found.before + index + 1)) return void lines.push(line)
      flush()
      blocks.push(markup`<h2 class="page-name">${line}</h2>`)
    })
    flush()
    return joinHtml(blocks)
  }
  return withWays(file, found, body, parts)
}

function sheetHtml(lines: readonly string[]): Html {
  const [head = [], ...rows] = lines.map((line) => line.split('\t'))
  return tableHtml(head, rows)
}

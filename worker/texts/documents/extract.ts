/**
 * Extracts the text of a document. The only entry of the readers: it is loaded late, or runs in another isolate.
 *
 * Whatever happens in a reader, the result is a value: a document of others must not be able to break a caller.
 * `test/worker/texts/documents/mutations.laws.test.ts` tests it with random changes of each fixture.
 *
 * @module
 */

import { hasBytes, type ReadonlyBytes } from '../../encoding/bytes.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import { decodeText, shownText } from '../text.ts'
import { createBudget, tooLarge, type Budget } from './budget.ts'
import {
  DocumentFault,
  type DocumentFormat,
  type DocumentText,
  type Extracted,
} from '../document.ts'
import { readDocx } from './docx.ts'
import { readEpub } from './epub.ts'
import { readHtml } from './html.ts'
import { readIpynb } from './ipynb.ts'
import { readOdf } from './odf.ts'
import { readPptx } from './pptx.ts'
import { readRtf } from './rtf.ts'
import { OLE } from '../sniff.ts'
import { readXlsx } from './xlsx.ts'
import { openArchive, type Archive } from './zip.ts'

/** How a document is read. */
export interface ExtractOptions {
  /** Lets other requests run. */
  readonly turn: () => Promise<void>
  /** The format of a file that is text, which follows from its name. */
  readonly format?: DocumentFormat | null
  /** Whether it runs where a document that takes too much ends nothing else. */
  readonly isIsolated?: boolean
}

/** Extracts the text of a document. `bytes` may be changed. */
export async function extractText(bytes: Uint8Array, options: ExtractOptions): Promise<Extracted> {
  try {
    if (bytes.length > MAX_DOCUMENT_BYTES) throw tooLarge(`${MAX_DOCUMENT_BYTES} bytes`)
    return { ok: true, value: await read(bytes, createBudget(options.turn), options) }
  } catch (error) {
    if (error instanceof DocumentFault) return { ok: false, why: error.why, detail: error.message }
    // The readers, and a library, fail in any way at what is damaged.
    return { ok: false, why: 'broken', detail: 'it is damaged' }
  }
}

async function read(
  bytes: Uint8Array,
  budget: Budget,
  { format, isIsolated = false }: ExtractOptions,
): Promise<DocumentText> {
  if (hasBytes(bytes, 0, '%PDF-')) {
    const { readPdf } = await import('./pdf.ts')
    return readPdf(bytes, budget, isIsolated)
  }
  if (hasBytes(bytes, 0, 'PK')) return readArchive(openArchive(bytes, budget), budget)
  if (hasBytes(bytes, 0, OLE)) throw refuseOle(bytes)
  if (hasBytes(bytes, 0, '{\\rtf')) return readRtf(await latin1(bytes, budget), budget)
  const source = decodeText(bytes)
  if (!source) throw new DocumentFault('unknown_format', 'its format is not read')
  const text = shownText(source)
  if (format === 'ipynb') return readIpynb(text, budget)
  if (format === 'html') return readHtml(text, budget)
  throw new DocumentFault('unknown_format', 'its format is not read')
}

async function latin1(bytes: ReadonlyBytes, budget: Budget): Promise<string> {
  let text = ''
  for (let at = 0; at < bytes.length; at += UNITS) {
    text += String.fromCharCode(...bytes.subarray(at, at + UNITS))
    if (at % TURN_BYTES === 0) await budget.turn()
  }
  return text
}

/** Bytes after which other requests get a turn. */
const TURN_BYTES = 128 * 8_192

/** Bytes that one call turns into a string: arguments of a call are limited. */
const UNITS = 8_192

async function readArchive(archive: Archive, budget: Budget): Promise<DocumentText> {
  const type = archive.has('mimetype') ? (archive.text('mimetype') ?? '').trim() : ''
  const odf = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(type)
  if (odf) return readOdf(archive, budget, ODF[odf[1] ?? ''] ?? 'odt')
  if (type === 'application/epub+zip' || archive.has('META-INF/container.xml'))
    return readEpub(archive, budget)
  const hasPart = (folder: string) => archive.names.some((name) => name.startsWith(folder))
  if (hasPart('word/')) return readDocx(archive, budget)
  if (hasPart('xl/')) return readXlsx(archive, budget)
  if (hasPart('ppt/')) return readPptx(archive, budget)
  throw new DocumentFault('unknown_format', 'its format is not read')
}

const ODF: Readonly<Record<string, 'odt' | 'ods' | 'odp'>> = {
  text: 'odt',
  spreadsheet: 'ods',
  presentation: 'odp',
}

/** A new office file that is encrypted is inside of an old one, in a stream with this name. */
const ENCRYPTED = Array.from('EncryptedPackage', (char) => `${char}\0`).join('')

function refuseOle(bytes: ReadonlyBytes): DocumentFault {
  for (let at = 0; at < bytes.length; at += 64)
    if (hasBytes(bytes, at, ENCRYPTED)) return new DocumentFault('encrypted', 'it needs a password')
  const detail = 'it is of an old office program: save it as DOCX, XLSX or PPTX'
  return new DocumentFault('unknown_format', detail)
}

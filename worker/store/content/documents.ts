/**
 * The texts of documents, kept by their content: a document is read once, whatever it is named and however often it is
 * copied, and its text is indexed and compared like any other.
 *
 * A document that has no text becomes binary content in the store, so that a search names it among the files that it
 * cannot read. Before a document is read, its row tells so: one that ended the object three times is not read again.
 * `test/worker/texts/kept.test.ts` tests it.
 *
 * @module
 */

import { dropOldest } from '../../drop-oldest.ts'
import { toHex, type ReadonlyBytes } from '../../encoding/bytes.ts'
import { INDEX, readMeta, writeMeta } from '../../database/schema.ts'
import { tablesOf, transaction, type Tables } from '../../database/table-groups.ts'
import type { DocumentFormat, DocumentText, Extracted, NoText } from '../../texts/document.ts'
import { createExtract, type Extract } from '../../texts/documents/load.ts'
import type { Markdown } from '../../texts/documents/markdown.ts'
import { numberOf } from '../../texts/encoding.ts'
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT, MAX_KEPT_TEXT } from '../../texts/limits.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { dropText, PARTS, readKept } from './texts.ts'
import { hasRoomFor } from '../disk-space.ts'
import type { Content, FileEntry } from '../store.ts'

/** The content of a document. */
export type DocumentFile = Pick<FileEntry, 'blob' | 'size'>

/** What documents are read from, and with. */
export interface DocumentParts {
  readonly storage: DurableObjectStorage
  readonly bytes: (file: DocumentFile) => MaybePromise<ReadonlyBytes>
  /** Another place that reads documents, if one is bound. */
  readonly place?: Fetcher | undefined
  /** Workers AI, if it is bound to read PDFs. */
  readonly markdown?: Markdown | undefined
  /** Reads documents in its stead; for tests. */
  readonly extract?: Extract | undefined
}

interface DocumentContext extends DocumentParts {
  readonly sql: Tables
  readonly extract: Extract
  /** Texts of documents that no blob had, by their hashes. */
  readonly held: Map<string, Extracted>
  /** Documents that are being read, by their blobs. */
  readonly running: Map<number, Promise<Extracted>>
}

/** The texts of documents of one workspace. */
export type Documents = ReturnType<typeof createDocuments>

/** Keeps the texts of documents. */
export function createDocuments(parts: DocumentParts) {
  const { storage, place, markdown, extract = createExtract(place, markdown) } = parts
  const sql = tablesOf(storage.sql, 'texts')
  const context: DocumentContext = { ...parts, extract, sql, running: new Map(), held: new Map() }
  return {
    /** Returns the text of a document; null if the content is none. */
    documentText: (file: DocumentFile, format: DocumentFormat | null) =>
      readDocument(context, file, format),
    /** Returns the text of content that no blob may have yet. */
    heldDocument: (content: Content, bytes: () => Promise<ReadonlyBytes>) =>
      readHeld(context, content, bytes),
  }
}

/** A document that ended the object so often is taken to be the reason. */
const MAX_ATTEMPTS = 3

interface TextRow extends Record<string, SqlStorageValue> {
  state: string
  format: string
  pages: string
  detail: string
  attempts: number
}

async function readDocument(
  context: DocumentContext,
  file: DocumentFile,
  format: DocumentFormat | null,
): Promise<Extracted | null> {
  const running = context.running.get(file.blob)
  if (running) return running
  const row = findRow(context, file.blob)
  if (row && row.state !== READING) return extractedOf(context, file.blob, row)
  if (!isDocument(context, file.blob)) {
    if (format === null || file.size > MAX_DOCUMENT_BYTES) return null
    return context.extract(new Uint8Array(await context.bytes(file)), format)
  }
  const work = extractNow(context, file, row?.attempts ?? 0)
  context.running.set(file.blob, work)
  try {
    return await work
  } finally {
    context.running.delete(file.blob)
  }
}

/** Texts of held documents in memory: a preview and its change read the same one. */
const MAX_HELD = 4

async function readHeld(
  context: DocumentContext,
  { hash, size }: Content,
  bytes: () => Promise<ReadonlyBytes>,
): Promise<Extracted | null> {
  const query = 'SELECT id FROM blobs WHERE hash = ?'
  const [row] = context.storage.sql.exec<{ id: number }>(query, hash).toArray()
  if (row) return readDocument(context, { blob: row.id, size }, null)
  const { held } = context
  const key = toHex(hash)
  const found = held.get(key) ?? (await context.extract(new Uint8Array(await bytes()), null))
  held.set(key, found)
  dropOldest(held, MAX_HELD)
  return found
}

/** The state of a document that is being read, and of one whose text is kept. Other states are reasons. */
const READING = 'reading'
const TEXT = 'text'

const findRow = ({ sql }: DocumentContext, blob: number): TextRow | undefined =>
  sql
    .exec<TextRow>('SELECT state, format, pages, detail, attempts FROM texts WHERE blob = ?', blob)
    .toArray()[0]

function isDocument({ storage }: DocumentContext, blob: number): boolean {
  const query = 'SELECT 1 FROM blobs WHERE id = ? AND text = ?'
  return storage.sql.exec(query, blob, numberOf('document')).toArray().length > 0
}

function extractedOf({ storage }: DocumentContext, blob: number, row: TextRow): Extracted {
  const { state, format, pages, detail } = row
  // The columns were written here.
  if (state !== TEXT) return { ok: false, why: state as NoText, detail }
  const text = readKept(storage.sql, blob) ?? ''
  const list: unknown = JSON.parse(pages)
  return { ok: true, value: { format: format as DocumentFormat, text, pages: numbersOf(list) } }
}

const numbersOf = (list: unknown): readonly number[] =>
  Array.isArray(list) ? list.filter((page) => typeof page === 'number') : []

async function extractNow(
  context: DocumentContext,
  file: DocumentFile,
  attempts: number,
): Promise<Extracted> {
  const { blob } = file
  if (attempts >= MAX_ATTEMPTS) return keep(context, blob, BROKE)
  context.sql.exec(
    `INSERT OR REPLACE INTO texts (blob, state, format, pages, detail, length, attempts)
     VALUES (?, '${READING}', '', '[]', '', 0, ?)`,
    blob,
    attempts + 1,
  )
  // What is not on disk is lost if the document ends the object.
  await context.storage.sync()
  try {
    const bytes = new Uint8Array(await context.bytes(file))
    return keep(context, blob, await context.extract(bytes, null))
  } catch (error) {
    // Its content cannot be read now, which says nothing of the document.
    dropText(context.storage.sql, blob)
    throw error
  }
}

const BROKE: Extracted = { ok: false, why: 'broken', detail: 'reading it ended the workspace' }

function keep(context: DocumentContext, blob: number, found: Extracted): Extracted {
  transaction(context.storage, () => {
    const isThere = context.storage.sql.exec('SELECT 1 FROM blobs WHERE id = ?', blob).toArray()
    if (isThere.length === 0) dropText(context.storage.sql, blob)
    else if (!found.ok) keepReason(context, blob, found)
    else if (hasRoomFor(2 * found.value.text.length)) keepText(context, blob, found.value)
    else dropText(context.storage.sql, blob)
  })
  return found
}

function keepReason(
  { storage, sql }: DocumentContext,
  blob: number,
  { why, detail }: Extracted & { ok: false },
): void {
  sql.exec('UPDATE texts SET state = ?, detail = ? WHERE blob = ?', why, detail, blob)
  const binary = `UPDATE blobs SET text = ?, indexed = ${INDEX.never} WHERE id = ?`
  storage.sql.exec(binary, numberOf('binary'), blob)
}

/** Characters of one row: a value of SQLite may have 2 MB here. */
const PART = MAX_DOCUMENT_TEXT / (PARTS / 2)

function keepText(context: DocumentContext, blob: number, value: DocumentText): void {
  const { format, text, pages } = value
  const { storage, sql } = context
  sql.exec(
    `UPDATE texts SET state = '${TEXT}', format = ?, pages = ?, length = ? WHERE blob = ?`,
    format,
    JSON.stringify(pages),
    text.length,
    blob,
  )
  for (let at = 0, part = 0; at < text.length; part++) {
    const end = endOfPart(text, at + PART)
    const insert = 'INSERT OR REPLACE INTO text_parts (id, text) VALUES (?, ?)'
    sql.exec(insert, blob * PARTS + part, text.slice(at, end))
    at = end
  }
  const kept = readMeta(storage.sql, 'kept_text') + text.length
  writeMeta(storage.sql, { kept_text: kept })
  if (kept > MAX_KEPT_TEXT) dropFirst(context, kept - MAX_KEPT_TEXT, blob)
}

/** Never inside of a surrogate pair, half of which SQLite would not keep. */
const endOfPart = (text: string, end: number): number =>
  end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end

/** Drops the texts of the oldest contents. They are read again when they are needed. */
function dropFirst({ storage, sql }: DocumentContext, length: number, except: number): void {
  const query = `SELECT blob, length FROM texts WHERE length > 0 AND blob <> ? ORDER BY blob LIMIT 100`
  let left = length
  for (const row of sql.exec<{ blob: number; length: number }>(query, except).toArray()) {
    if (left <= 0) return
    left -= row.length
    dropText(storage.sql, row.blob)
  }
}

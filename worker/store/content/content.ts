/**
 * Content: reads the bytes of files, which are in the row of their blob (`blobs.ts`) or in an object.
 * `test/worker/store/store.test.ts` tests it through the store.
 *
 * @module
 */

import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { encodingAt, isTextEncoding, numberOf } from '../../texts/encoding.ts'
import { searchedText } from '../../texts/text.ts'
import { batchesOf } from '../batches.ts'
import type { DocumentParts } from './documents.ts'
import { createTexts, type Texts } from './texts.ts'
import type { Objects } from './objects.ts'
import type { ByteRange, FileEntry } from '../store.ts'

interface ContentContext {
  readonly storage: DurableObjectStorage
  readonly objects: Objects
  /** How documents are read. */
  readonly reader?: Pick<DocumentParts, 'extract' | 'markdown' | 'place'> | undefined
}

interface Reading extends ContentContext {
  readonly sql: SqlStorage
}

/** Reads the content of one workspace. */
export function createContent(parts: ContentContext) {
  const { storage, reader } = parts
  const context: Reading = { ...parts, sql: storage.sql }
  const bytes = (file: Pick<FileEntry, 'blob' | 'size'>) => readBytes(context, file)
  const documents = createTexts({ storage, bytes, ...reader })
  return {
    ...documents,
    stream: (file: FileEntry, range?: ByteRange) => readStream(context, file, range),
    bytes,
    hashesOf: (blobs: readonly number[]) => readHashes(context.sql, blobs),
    blobText: (blob: number, mayExtract?: () => boolean) =>
      readBlobText(context, blob, { documents, mayExtract }),
  }
}

const HASHES = `SELECT b.id AS blob, lower(hex(b.hash)) AS hash
  FROM json_each(?) p CROSS JOIN blobs b ON b.id = p.value`

function readHashes(sql: SqlStorage, blobs: readonly number[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const some of batchesOf(blobs))
    for (const { blob, hash } of sql.exec<HashRow>(HASHES, JSON.stringify(some)))
      found.set(blob, hash)
  return found
}

interface HashRow extends Record<string, SqlStorageValue> {
  blob: number
  hash: string
}

async function readStream(
  context: Reading,
  file: FileEntry,
  range?: ByteRange,
): Promise<ReadableStream<Uint8Array>> {
  const row = readRow(context.sql, file)
  if (row.key !== null) return readObject(context, row.key, range)
  const inline = new Uint8Array(row.bytes ?? new ArrayBuffer(0))
  const part = range ? inline.subarray(range.offset, range.offset + range.length) : inline
  return new Blob([part]).stream()
}

/** Returns content in SQLite at once, as most reads want it. */
function readBytes(
  context: Reading,
  file: Pick<FileEntry, 'blob' | 'size'>,
): MaybePromise<ReadonlyBytes> {
  const row = readRow(context.sql, file)
  if (row.key !== null) return readWhole(context, row.key, file.size)
  return new Uint8Array(row.bytes ?? new ArrayBuffer(0))
}

async function readWhole(context: Reading, key: string, size: number): Promise<Uint8Array> {
  return exactBytes(await readObject(context, key), size)
}

async function readObject(context: Reading, key: string, range?: ByteRange) {
  const body = await context.objects.get(key, range)
  if (!body) throw new Error('Cannot read an R2 object: it does not exist')
  return body
}

/** For whole contents: each use leaves it as it was. */
const DECODER = new TextDecoder()

/** The number of documents, whose bytes are not what a search reads. */
const DOCUMENT = numberOf('document')

/** How a text is read that may be that of a document. */
interface DocumentReading {
  readonly documents: Texts
  readonly mayExtract: (() => boolean) | undefined
}

/** Returns content as a search reads it: of a document, its text, or nothing if it has none. */
async function readBlobText(
  context: Reading,
  blob: number,
  { documents, mayExtract = () => true }: DocumentReading,
): Promise<string | null> {
  const row = context.sql
    .exec<BlobRow & { text: number; size: number }>(
      `SELECT text, size, key, iif(text = ${DOCUMENT}, NULL, bytes) AS bytes FROM blobs WHERE id = ?`,
      blob,
    )
    .toArray()[0]
  if (!row) return null
  if (encodingAt(row.text) === 'document') {
    const kept = documents.keptText(blob)
    if (kept !== null) return kept
    if (!documents.hasDocumentText(blob) && !mayExtract()) return ''
    const found = await documents.documentText({ blob, size: row.size })
    return found?.ok ? found.value.text : ''
  }
  const bytes = row.bytes ?? (await readWholeObject(context, row.key))
  if (!bytes) return null
  const encoding = encodingAt(row.text)
  return isTextEncoding(encoding)
    ? searchedText(new Uint8Array(bytes), encoding)
    : DECODER.decode(bytes)
}

async function readWholeObject({ objects }: Reading, key: string | null) {
  const body = key === null ? null : await objects.get(key)
  return body && new Response(body).arrayBuffer()
}

/** The bytes of a blob, or the key of its object. */
export interface BlobRow extends Record<string, SqlStorageValue> {
  bytes: ArrayBuffer | null
  key: string | null
}

function readRow(sql: SqlStorage, file: Pick<FileEntry, 'blob'>): BlobRow {
  const row = sql.exec<BlobRow>('SELECT bytes, key FROM blobs WHERE id = ?', file.blob).toArray()[0]
  if (!row) throw new Error('Cannot read the content of a version: its blob does not exist')
  return row
}

/** Reads a stream into memory, and throws unless it has exactly `size` bytes. */
export async function exactBytes(stream: ReadableStream<Uint8Array>, size: number) {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of stream) {
    if (at + chunk.length > size) throw new RangeError(`Expected ${size} bytes and got more`)
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at !== size) throw new RangeError(`Expected ${size} bytes and got ${at}`)
  return bytes
}

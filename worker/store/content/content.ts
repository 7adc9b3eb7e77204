/**
 * Content: reads the bytes of files, which are in the row of their blob (`blobs.ts`) or in an object.
 * `test/worker/store/store.test.ts` tests it through the store.
 *
 * @module
 */

import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { encodingAt, isTextEncoding } from '../../texts/encoding.ts'
import { searchedText } from '../../texts/text.ts'
import { batchesOf } from '../batches.ts'
import type { Objects } from './objects.ts'
import type { ByteRange, FileEntry } from '../store.ts'

interface ContentContext {
  readonly sql: SqlStorage
  readonly objects: Objects
}

/** Reads the content of one workspace. */
export function createContent(context: ContentContext) {
  return {
    stream: (file: FileEntry, range?: ByteRange) => readStream(context, file, range),
    bytes: (file: FileEntry) => readBytes(context, file),
    hashesOf: (blobs: readonly number[]) => readHashes(context.sql, blobs),
    blobText: (blob: number) => readBlobText(context, blob),
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
  context: ContentContext,
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
function readBytes(context: ContentContext, file: FileEntry): MaybePromise<ReadonlyBytes> {
  const row = readRow(context.sql, file)
  if (row.key !== null) return readWhole(context, row.key, file.size)
  return new Uint8Array(row.bytes ?? new ArrayBuffer(0))
}

async function readWhole(context: ContentContext, key: string, size: number): Promise<Uint8Array> {
  return exactBytes(await readObject(context, key), size)
}

async function readObject(context: ContentContext, key: string, range?: ByteRange) {
  const body = await context.objects.get(key, range)
  if (!body) throw new Error('Cannot read an R2 object: it does not exist')
  return body
}

/** For whole contents: each use leaves it as it was. */
const DECODER = new TextDecoder()

/** Returns content as a search reads it. */
async function readBlobText(context: ContentContext, blob: number): Promise<string | null> {
  const row = context.sql
    .exec<BlobRow & { text: number }>('SELECT text, bytes, key FROM blobs WHERE id = ?', blob)
    .toArray()[0]
  if (!row) return null
  const bytes = row.bytes ?? (await readWholeObject(context, row.key))
  if (!bytes) return null
  const encoding = encodingAt(row.text)
  return isTextEncoding(encoding)
    ? searchedText(new Uint8Array(bytes), encoding)
    : DECODER.decode(bytes)
}

async function readWholeObject({ objects }: ContentContext, key: string | null) {
  const body = key === null ? null : await objects.get(key)
  return body && new Response(body).arrayBuffer()
}

/** The bytes of a blob, or the key of its object. */
export interface BlobRow extends Record<string, SqlStorageValue> {
  bytes: ArrayBuffer | null
  key: string | null
}

function readRow(sql: SqlStorage, file: FileEntry): BlobRow {
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

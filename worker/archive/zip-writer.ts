/**
 * The zip writer: an archive as a stream, the same bytes for the same files.
 *
 * A small file is deflated in memory, unless that makes it larger. A large one is deflated while it is read, so its
 * checksum and packed size follow it; its size is known, and is in its header for readers that cannot seek.
 * `test/worker/archive/zip-writer.test.ts` reads it back, `test/e2e/zip.slow.test.ts` with programs of others.
 *
 * @module
 */

import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { INLINE_BYTES, MAX_ZIP_DIRECTORY_BYTES, MAX_ZIP_ENTRIES } from '../limits.ts'
import { chunksOf, EMPTY, type Chunks } from './bytes.ts'
import { PIECE, transform } from './decompress.ts'
import {
  describeEntry,
  writeDescriptor,
  writeEnd,
  writeHeader,
  type Written,
} from './zip-format.ts'
import { METHOD } from './zip-header.ts'

/** A file to add. */
export interface AddedFile {
  readonly name: string
  readonly size: number
  readonly mtime: Date
  /** Permissions of Unix. */
  readonly mode: number
}

/** Writes an archive. Each call waits until the one before has ended, and for the reader. */
export interface ArchiveWriter {
  /** Whether the archive has this name, and can have it once only. */
  readonly has: (name: string) => boolean
  /** Adds a folder, whose name ends in a slash. */
  readonly addFolder: (name: string, mtime: Date) => Promise<void>
  readonly addFile: (file: AddedFile, body: ReadableStream<Uint8Array>) => Promise<void>
  readonly finish: () => Promise<void>
  /** Ends the stream with an error. */
  readonly fail: (error: unknown) => void
}

/** An archive that is being written. */
interface Writing {
  readonly sink: WritableStreamDefaultWriter<Uint8Array>
  readonly names: Set<string>
  readonly directory: Uint8Array[]
  directoryBytes: number
  /** Bytes that were written. */
  at: number
}

/** Creates an archive. */
export function createZipWriter(): {
  readable: ReadableStream<Uint8Array>
  writer: ArchiveWriter
} {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const sink = writable.getWriter()
  const zip: Writing = { sink, names: new Set(), directory: [], directoryBytes: 0, at: 0 }
  const writer: ArchiveWriter = {
    has: (name) => zip.names.has(name),
    addFolder: (name, mtime) => addWhole(zip, { name, mtime, mode: FOLDER }, EMPTY),
    addFile: (file, body) => addFile(zip, file, body),
    finish: () => finish(zip),
    fail: (error) => void sink.abort(error).catch(() => {}),
  }
  return { readable, writer }
}

/** Types in a mode of Unix. */
const [FILE, FOLDER] = [0o100000, 0o040755]

async function addFile(
  zip: Writing,
  file: AddedFile,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const named = { ...file, mode: FILE | file.mode }
  if (file.size > INLINE_BYTES) return addStream(zip, named, body)
  await addWhole(zip, named, new Uint8Array(await new Response(body).arrayBuffer()))
}

type Named = Pick<AddedFile, 'name' | 'mtime' | 'mode'>

async function addWhole(zip: Writing, file: Named, bytes: Uint8Array): Promise<void> {
  const packed = bytes.length > 0 ? deflateRawSync(bytes) : bytes
  const isSmaller = packed.length < bytes.length
  const content = isSmaller ? packed : bytes
  const entry = begin(zip, file, {
    method: isSmaller ? METHOD.deflated : METHOD.stored,
    crc: crc32(bytes),
    packed: content.length,
    size: bytes.length,
    isFollowed: false,
  })
  await write(zip, writeHeader(entry))
  if (content.length > 0) await write(zip, content)
  end(zip, file, entry)
}

async function addStream(
  zip: Writing,
  file: Named & Pick<AddedFile, 'size'>,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const { size } = file
  const sum = { crc: 0, packed: 0 }
  const facts = { method: METHOD.deflated, ...sum, size, isFollowed: true }
  const header = begin(zip, file, facts)
  await write(zip, writeHeader(header))
  const chunks = chunksOf(body)
  const counted: Chunks = {
    async next() {
      const chunk = await chunks.next()
      if (!chunk.done) sum.crc = crc32(chunk.value, sum.crc)
      return chunk
    },
  }
  for await (const piece of transform(createDeflateRaw({ chunkSize: PIECE }), counted)) {
    sum.packed += piece.length
    await write(zip, piece)
  }
  const entry = { ...header, ...sum }
  await write(zip, writeDescriptor(entry))
  end(zip, file, entry)
}

function begin(
  zip: Writing,
  { name, mtime, mode }: Named,
  facts: Pick<Written, 'method' | 'crc' | 'packed' | 'size' | 'isFollowed'>,
): Written {
  return { name: new TextEncoder().encode(name), mtime, mode, offset: zip.at, ...facts }
}

/** Adds an entry to the directory, within the limits. */
function end(zip: Writing, { name }: Named, entry: Written): void {
  zip.names.add(name)
  const described = describeEntry(entry)
  zip.directoryBytes += described.length
  if (zip.directory.push(described) > MAX_ZIP_ENTRIES)
    throw new Error(`Cannot export: a zip archive has at most ${MAX_ZIP_ENTRIES} entries. Use tar`)
  if (zip.directoryBytes > MAX_ZIP_DIRECTORY_BYTES)
    throw new Error(`Cannot export: names of more than ${MAX_ZIP_DIRECTORY_BYTES} bytes. Use tar`)
}

async function finish(zip: Writing): Promise<void> {
  const { directory, directoryBytes: size, at: offset } = zip
  for (const described of directory) await write(zip, described)
  await write(zip, writeEnd({ count: directory.length, size, offset }))
  await zip.sink.close()
}

async function write(zip: Writing, bytes: Uint8Array): Promise<void> {
  await zip.sink.write(bytes)
  zip.at += bytes.length
}

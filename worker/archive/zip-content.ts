/**
 * The content of an entry of a zip archive: stored or deflated, with its sizes before it or after it.
 *
 * What has no size before it is kept in memory as it was sent, up to a limit, until its size is known: a store takes no
 * stream of unknown length. `test/worker/archive/zip.test.ts` has the forms.
 *
 * @module
 */

import { crc32, createInflateRaw } from 'node:zlib'
import { INLINE_BYTES, MAX_ZIP_UNSIZED_BYTES } from '../limits.ts'
import { BrokenBody, createBytes, EMPTY, type Bytes, type Chunks, type Part } from './bytes.ts'
import { createMeter, decompress, PIECE } from './decompress.ts'
import { readDescriptor } from './zip-descriptor.ts'
import { FLAG, METHOD, type EntryHeader } from './zip-header.ts'
import { Contradiction, skipBytes, type ZipRecord, type ZipSource } from './zip-source.ts'

/** The content of an entry. */
export interface ZipContent {
  readonly part: Part
  readonly size: number
  /** Reads what is left of it; returns why what was read is not to be written, or null. */
  readonly finish: () => Promise<string | null>
  /** What it is, if it is too large to be kept until its size is known. */
  readonly tooLarge: string | null
}

/** What was read of a content. */
interface Sum {
  isBegun: boolean
  packed: number
  size: number
  crc: number
}

/** An entry whose content is read. */
interface Reading {
  readonly zip: ZipSource
  readonly header: EntryHeader
  readonly record: ZipRecord
  readonly sum: Sum
  /** Whether the checksum and the sizes follow the content. */
  readonly isFollowed: boolean
}

/** Prepares the content of an entry to be read. */
export async function readContent(
  zip: ZipSource,
  header: EntryHeader,
  record: ZipRecord,
): Promise<ZipContent> {
  const { flags, method, packed, size } = header
  const isFollowed = (flags & FLAG.sizesFollow) !== 0
  const sum = { isBegun: false, packed: 0, size: 0, crc: 0 }
  const reading = { zip, header, record, sum, isFollowed }
  // Some programs write the sizes before such a content as well.
  if (method === METHOD.deflated && isFollowed && size === 0) return keep(reading)
  if (method === METHOD.deflated) return offer(reading, inflate(reading))
  if (method !== METHOD.stored) return leaveOut(reading)
  if (packed !== size) throw new Contradiction('a stored entry has two sizes')
  return offer(reading, readRaw(reading))
}

/** Offers a content whose size is known before it. */
function offer(reading: Reading, source: AsyncGenerator<Uint8Array>): ZipContent {
  const { zip, header, sum } = reading
  const content = createBytes(addUp(source, sum))
  zip.content = content
  const { size } = header
  let damage: Promise<string | null> | undefined
  const finish = () => (damage ??= finishContent(reading, content))
  return { part: content.part(size), size, finish, tooLarge: null }
}

async function finishContent(reading: Reading, content: Bytes): Promise<string | null> {
  const { zip, header, sum, isFollowed } = reading
  if (!sum.isBegun && !isFollowed) {
    zip.meter.addSent(header.packed)
    await skipBytes(zip, header.packed)
    return null
  }
  while ((await content.some(Infinity)) !== null);
  const isPacked = header.packed > 0 || !isFollowed
  if (sum.size !== header.size || (isPacked && sum.packed !== header.packed))
    throw new Contradiction('an entry has another size than its header says')
  return endContent(reading)
}

/** Reads what follows a content, and compares its checksum. */
async function endContent({ zip, record, sum, isFollowed }: Reading): Promise<string | null> {
  if (isFollowed) Object.assign(record, await readDescriptor(zip, sum))
  return sum.crc === record.crc ? null : 'its content is damaged: it has another checksum'
}

/** An entry of an unknown method, whose content is skipped; without a size before it, its end is unknown. */
function leaveOut(reading: Reading): ZipContent {
  const { zip, header, isFollowed } = reading
  const { packed, size, method } = header
  if (isFollowed) throw new BrokenBody(`it has the compression method ${method}. Use deflate`)
  const skip = async () => {
    await skipBytes(zip, packed)
    return null
  }
  let skipped: Promise<null> | undefined
  return {
    part: createBytes(NOTHING).part(0),
    size,
    finish: () => (skipped ??= skip()),
    tooLarge: null,
  }
}

const NOTHING: Chunks = { next: async () => ({ done: true }) }

/** Reads a content that has no size before it to its end, and keeps it as it was sent, or a small one as it is. */
async function keep(reading: Reading): Promise<ZipContent> {
  const { zip, sum } = reading
  const kept: Uint8Array[] = []
  const small: Uint8Array[] = []
  for await (const piece of addUp(inflate(reading, kept), sum))
    if (sum.size <= INLINE_BYTES) small.push(piece)
  const damage = await endContent(reading)
  const { size } = sum
  const pieces = size <= INLINE_BYTES ? small.values() : inflateKept(kept, sum.packed)
  const content = createBytes({ next: async () => pieces.next() })
  zip.content = content
  const tooLarge = sum.packed > MAX_ZIP_UNSIZED_BYTES ? TOO_LARGE : null
  return { part: content.part(size), size, finish: async () => damage, tooLarge }
}

const TOO_LARGE =
  `file of more than ${MAX_ZIP_UNSIZED_BYTES} packed bytes, whose size only follows it. ` +
  'Upload it alone, or send the files as tar'

/** Adds up the size and the checksum of a content. */
async function* addUp(source: AsyncGenerator<Uint8Array>, sum: Sum): AsyncGenerator<Uint8Array> {
  sum.isBegun = true
  for await (const piece of source) {
    sum.size += piece.length
    sum.crc = crc32(piece, sum.crc)
    yield piece
  }
}

/** Reads a stored content. */
async function* readRaw({ zip, header, sum }: Reading): AsyncGenerator<Uint8Array> {
  for (let left = header.size; left > 0;) {
    const piece = await zip.bytes.some(left)
    if (piece === null) throw new BrokenBody('it is truncated')
    left -= piece.length
    sum.packed += piece.length
    zip.at += piece.length
    zip.meter.addSent(piece.length)
    zip.meter.addUnpacked(piece.length)
    yield piece
  }
}

/** Inflates a content up to its own end, and pushes what follows it into `kept` as it was sent, while there is room. */
async function* inflate(
  { zip, header, sum, isFollowed }: Reading,
  kept?: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  const most = isFollowed && header.packed === 0 ? Infinity : header.packed
  let [sent, last] = [0, EMPTY]
  const packed: Chunks = {
    async next() {
      const value = sent < most ? await zip.bytes.some(Math.min(most - sent, PIECE)) : null
      if (value === null) return { done: true }
      sent += value.length
      last = value
      keepPiece(kept, value, sent)
      return { value }
    },
  }
  const stream = createInflateRaw({ chunkSize: PIECE })
  yield* decompress(stream, packed, { meter: zip.meter, format: 'deflate' })
  sum.packed = stream.bytesWritten
  zip.at += sum.packed
  zip.meter.addSent(sum.packed - sent)
  zip.bytes.unread(last.subarray(last.length - (sent - sum.packed)))
}

/** Keeps a piece, unless there are too many already; then none of them are of use. */
function keepPiece(kept: Uint8Array[] | undefined, piece: Uint8Array, sent: number): void {
  if (sent <= MAX_ZIP_UNSIZED_BYTES + PIECE) kept?.push(piece)
  else kept?.splice(0)
}

async function* inflateKept(kept: readonly Uint8Array[], size: number): AsyncGenerator<Uint8Array> {
  let [at, left] = [0, size]
  const packed: Chunks = {
    async next() {
      const piece = kept[at++]?.subarray(0, left)
      if (piece === undefined || left === 0) return { done: true }
      left -= piece.length
      return { value: piece }
    },
  }
  const stream = createInflateRaw({ chunkSize: PIECE })
  yield* decompress(stream, packed, { meter: createMeter(), format: 'deflate' })
}

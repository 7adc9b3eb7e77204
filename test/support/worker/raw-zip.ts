/**
 * Zip archives of which a test sets every field: whole ones as programs make them, and malformed ones.
 *
 * @module
 */

import { crc32, deflateRawSync } from 'node:zlib'
import { bytesOf } from './client.ts'
import { join } from './raw-tar.ts'

/** An entry; what a test leaves out follows from its name and body. */
export interface ZipFields {
  readonly name: string | Uint8Array
  readonly body?: string | Uint8Array
  /** The content as it is in the archive; by default the body, deflated for the method 8. */
  readonly packed?: Uint8Array
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  /** Sizes in the header before the content; a descriptor that follows leaves them 0. */
  readonly sizes?: readonly [packed: number, size: number]
  /** What follows the content: sizes of 4 or 8 bytes, with the signature or without it. */
  readonly descriptor?: 4 | 8 | 'bare 4' | 'bare 8' | Uint8Array
  readonly extra?: Uint8Array
  readonly directoryExtra?: Uint8Array
  /** The system that it was made on: 0 is MS-DOS, 3 Unix, 19 macOS. */
  readonly host?: number
  readonly mode?: number
  readonly dosTime?: readonly [time: number, date: number]
  /** Fields of the directory that differ from those of the header. */
  readonly listed?: Partial<Listed> | null
}

interface Listed {
  name: string | Uint8Array
  method: number
  crc: number
  packed: number
  size: number
  offset: number
}

/** Deflates bytes. */
export const deflate = (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateRawSync(bytes))

/** Numbers in little-endian order, with their widths. */
export function numbers(...all: readonly (readonly [value: number, width: number])[]): Uint8Array {
  const bytes = all.flatMap(([value, width]) =>
    Array.from({ length: width }, (_, at) => Math.floor(value / 2 ** (8 * at)) % 256),
  )
  return new Uint8Array(bytes)
}

const toBytes = (text: string | Uint8Array) => (typeof text === 'string' ? bytesOf(text) : text)

/** Bits of the flag. */
export const UTF8 = 0x800
export const FOLLOWS = 8

/** Jan 1 2020, 12:00:00. */
const NOON = [12 << 11, (40 << 9) | (1 << 5) | 1] as const

/** A field of a header, of any type. */
export const extraField = (type: number, data: Uint8Array) =>
  join(numbers([type, 2], [data.length, 2]), data)

function built(fields: ZipFields) {
  const { method = 0, descriptor, dosTime = NOON } = fields
  const body = toBytes(fields.body ?? '')
  const packed = fields.packed ?? (method === 8 ? deflate(body) : body)
  const name = toBytes(fields.name)
  const flags = fields.flags ?? UTF8 | (descriptor ? FOLLOWS : 0)
  const crc = fields.crc ?? crc32(body)
  return { name, flags, crc, body, packed, method, dosTime }
}

/** The bytes of an entry: its header, its content and what follows it. */
export function zipEntry(fields: ZipFields): Uint8Array {
  const { name, flags, crc, body, packed, method, dosTime } = built(fields)
  const { descriptor, extra = new Uint8Array(0) } = fields
  const [packedSize, size] = fields.sizes ?? (descriptor ? [0, 0] : [packed.length, body.length])
  const header = numbers(
    [0x04034b50, 4],
    [20, 2],
    [flags, 2],
    [method, 2],
    [dosTime[0], 2],
    [dosTime[1], 2],
    [descriptor ? 0 : crc, 4],
    [packedSize, 4],
    [size, 4],
    [name.length, 2],
    [extra.length, 2],
  )
  return join(header, name, extra, packed, descriptorOf(fields, crc, packed.length, body.length))
}

function descriptorOf({ descriptor }: ZipFields, crc: number, packed: number, size: number) {
  if (descriptor === undefined) return new Uint8Array(0)
  if (typeof descriptor === 'object') return descriptor
  const width = String(descriptor).endsWith('8') ? 8 : 4
  const sizes = numbers([crc, 4], [packed, width], [size, width])
  return typeof descriptor === 'string' ? sizes : join(numbers([0x08074b50, 4]), sizes)
}

/** The header of an entry in the directory. */
export function zipListed(fields: ZipFields, at: number): Uint8Array {
  const { flags, dosTime, ...known } = built(fields)
  const { host = 3, mode = 0o100644, directoryExtra = new Uint8Array(0) } = fields
  const listed: Listed = {
    ...known,
    packed: known.packed.length,
    size: known.body.length,
    offset: at,
    ...fields.listed,
  }
  const name = toBytes(listed.name)
  const header = numbers(
    [0x02014b50, 4],
    [20 + host * 256, 2],
    [20, 2],
    [flags, 2],
    [listed.method, 2],
    [dosTime[0], 2],
    [dosTime[1], 2],
    [listed.crc, 4],
    [listed.packed, 4],
    [listed.size, 4],
    [name.length, 2],
    [directoryExtra.length, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [mode * 2 ** 16, 4],
    [listed.offset, 4],
  )
  return join(header, name, directoryExtra)
}

/** The end of an archive. */
export const zipEnd = (count: number, size: number, offset: number, comment = '') =>
  join(
    numbers(
      [0x06054b50, 4],
      [0, 4],
      [count, 2],
      [count, 2],
      [size, 4],
      [offset, 4],
      [comment.length, 2],
    ),
    bytesOf(comment),
  )

/** A whole archive; an entry whose `listed` is null is missing from its directory. */
export function zip(entries: readonly ZipFields[], { comment = '' } = {}): Uint8Array {
  let offset = 0
  const bodies: Uint8Array[] = []
  const directory: Uint8Array[] = []
  for (const fields of entries) {
    const bytes = zipEntry(fields)
    bodies.push(bytes)
    if (fields.listed !== null) directory.push(zipListed(fields, offset))
    offset += bytes.length
  }
  const listed = join(...directory)
  return join(...bodies, listed, zipEnd(directory.length, listed.length, offset, comment))
}

/** A file, stored. */
export const zipFile = (name: string, body = 'x'): ZipFields => ({ name, body })

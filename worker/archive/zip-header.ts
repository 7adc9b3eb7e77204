/**
 * The headers of a zip archive: that of an entry before its content, and that in the directory at the end (APPNOTE.TXT
 * 4.3). A field that cannot be read makes the archive invalid. `test/worker/archive/zip.test.ts` has the forms.
 *
 * @module
 */

import { readUintLe } from '../encoding/bytes.ts'
import { BrokenBody } from './bytes.ts'
import type { ArchiveText, LateFacts } from './entry.ts'
import { decodeName } from './zip-name.ts'

/** The signatures of headers. */
export const SIGNATURE = {
  entry: 0x04034b50,
  descriptor: 0x08074b50,
  directory: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
} as const

/** Sizes, in bytes, of the fixed parts of headers after their signatures. */
export const FIXED = { entry: 26, directory: 42, zip64Locator: 16, end: 18 } as const

/** Bits of the general purpose flag. */
export const FLAG = {
  encrypted: 1,
  sizesFollow: 8,
  patch: 32,
  strong: 64,
  utf8: 2048,
  masked: 8192,
} as const

/** Methods of compression. */
export const METHOD = { stored: 0, deflated: 8 } as const

/** What a header before content and its copy in the directory both say. */
export interface ZipFacts {
  readonly flags: number
  readonly method: number
  readonly crc: number
  /** Bytes of content as they are in the archive. */
  readonly packed: number
  /** Bytes of content. */
  readonly size: number
  /** The bytes of the name, as Latin-1 characters. */
  readonly rawName: string
}

/** The header of an entry. */
export interface EntryHeader extends ZipFacts {
  readonly name: ArchiveText
  /** Milliseconds since 1970; the time without a zone is taken as that of UTC. */
  readonly mtime: number
}

/** A header of the directory. */
export interface DirectoryHeader extends ZipFacts {
  /** Where the header of the entry is, in bytes from the beginning. */
  readonly offset: number
  readonly late: LateFacts
}

/** Largest number of four bytes: the number itself is in the field of zip64. */
export const IN_ZIP64 = 0xffffffff

/** Parses the header of an entry, without its signature. */
export function readEntryHeader(
  fixed: Uint8Array,
  name: Uint8Array,
  extra: Uint8Array,
): EntryHeader {
  const sizes = { packed: readUintLe(fixed, 14, 4), size: readUintLe(fixed, 18, 4) }
  const flags = readUintLe(fixed, 2, 2)
  const fields = readExtra(extra)
  const [size, packed] = readZip64(fields, [sizes.size, sizes.packed])
  return {
    flags,
    method: readUintLe(fixed, 4, 2),
    crc: readUintLe(fixed, 10, 4),
    packed,
    size,
    rawName: latin1(name),
    name: decodeName(name, {
      isUtf8: (flags & FLAG.utf8) !== 0,
      unicodePath: fields.get(FIELD.unicodePath),
    }),
    mtime: readTime(fields) ?? readDosTime(readUintLe(fixed, 6, 2), readUintLe(fixed, 8, 2)),
  }
}

/** Returns the sizes of the name, the extra field and the comment of a header of the directory. */
export const sizesInDirectory = (fixed: Uint8Array) =>
  [24, 26, 28].map((at) => readUintLe(fixed, at, 2))

/** Parses a header of the directory, without its signature. */
export function readDirectoryHeader(
  fixed: Uint8Array,
  name: Uint8Array,
  extra: Uint8Array,
): DirectoryHeader {
  const numbers = [20, 16, 38].map((at) => readUintLe(fixed, at, 4))
  const [size = 0, packed = 0, offset = 0] = readZip64(readExtra(extra), numbers)
  return {
    flags: readUintLe(fixed, 4, 2),
    method: readUintLe(fixed, 6, 2),
    crc: readUintLe(fixed, 12, 4),
    packed,
    size,
    rawName: latin1(name),
    offset,
    late: readLate(readUintLe(fixed, 1, 1), readUintLe(fixed, 36, 2)),
  }
}

/** Parses a number of eight bytes. */
export function readLong(bytes: Uint8Array, at: number): number {
  const value = readUintLe(bytes, at, 4) + readUintLe(bytes, at + 4, 4) * 2 ** 32
  if (!Number.isSafeInteger(value)) throw new BrokenBody('it has an invalid number in a header')
  return value
}

type Fields = ReadonlyMap<number, Uint8Array>

const FIELD = { zip64: 1, ntfs: 0x000a, time: 0x5455, unicodePath: 0x7075 } as const

/** Parses an extra field; the first field of each type counts. Some programs pad it with less than a header. */
function readExtra(extra: Uint8Array): Fields {
  const fields = new Map<number, Uint8Array>()
  for (let at = 0; at + 4 <= extra.length;) {
    const [type, size] = [readUintLe(extra, at, 2), readUintLe(extra, at + 2, 2)]
    at += 4 + size
    if (at > extra.length) throw new BrokenBody('it has an invalid extra field in a header')
    if (!fields.has(type)) fields.set(type, extra.subarray(at - size, at))
  }
  return fields
}

/** Replaces numbers that do not fit four bytes by those of zip64, which has only these. */
function readZip64(fields: Fields, numbers: readonly [number, number]): [number, number]
function readZip64(fields: Fields, numbers: readonly number[]): number[]
function readZip64(fields: Fields, numbers: readonly number[]): number[] {
  const longs = fields.get(FIELD.zip64)
  if (!longs) return [...numbers]
  let at = 0
  return numbers.map((number) => {
    if (number !== IN_ZIP64) return number
    if (at + 8 > longs.length) throw new BrokenBody('it has an invalid zip64 field in a header')
    at += 8
    return readLong(longs, at - 8)
  })
}

const latin1 = (bytes: Uint8Array) => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** Returns the time of Unix or of NTFS, in milliseconds since 1970. */
function readTime(fields: Fields): number | null {
  const unix = fields.get(FIELD.time)
  if (unix && unix.length >= 5 && ((unix[0] ?? 0) & 1) === 1)
    return (readUintLe(unix, 1, 4) | 0) * 1000
  const ntfs = fields.get(FIELD.ntfs)
  if (!ntfs || ntfs.length < 16 || readUintLe(ntfs, 4, 2) !== 1) return null
  const ticks = readUintLe(ntfs, 8, 4) + readUintLe(ntfs, 12, 4) * 2 ** 32
  return Math.floor(ticks / 10_000) - MS_FROM_1601_TO_1970
}

const MS_FROM_1601_TO_1970 = 11_644_473_600_000

function readDosTime(time: number, date: number): number {
  const [year, month, day] = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31]
  return Date.UTC(year, month, day, time >> 11, (time >> 5) & 63, (time & 31) * 2)
}

/** Hosts whose entries have permissions: Unix and macOS. */
const UNIX_HOSTS = [3, 19]

const TYPES: Readonly<Record<number, string>> = {
  0o120: 'symbolic link',
  0o010: 'pipe',
  0o020: 'device',
  0o060: 'device',
  0o140: 'socket',
}

/** Reads permissions and type from the upper half of the external attributes. */
function readLate(host: number, mode: number): LateFacts {
  if (!UNIX_HOSTS.includes(host) || mode === 0) return {}
  const other = TYPES[(mode & 0o170000) >> 9]
  return other ? { other } : { executable: (mode & 0o100) !== 0 }
}

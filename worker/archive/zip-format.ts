/**
 * What a zip archive consists of beside contents, as bytes (APPNOTE.TXT 4.3): headers, descriptors, and the directory at
 * the end, with the fields of zip64 where a number needs them.
 *
 * @module
 */

import { FLAG, IN_ZIP64, SIGNATURE } from './zip-header.ts'

/** An entry that was written, or whose header is to be written. */
export interface Written {
  readonly name: Uint8Array
  readonly mtime: Date
  /** Type and permissions of Unix. */
  readonly mode: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  /** Whether the checksum and the packed size follow the content. */
  readonly isFollowed: boolean
  /** Where its header begins, in bytes. */
  readonly offset: number
}

type Field = readonly [value: number, width: 2 | 4 | 8]

/** Writes numbers in little-endian order. */
function fields(...all: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(all.reduce((sum, [, width]) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, width] of all) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value % 2 ** 32, true)
    if (width === 8) view.setUint32(at + 4, Math.floor(value / 2 ** 32), true)
    at += width
  }
  return bytes
}

/** Joins parts. */
function join(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Version 2.0, and 4.5 with zip64. */
const [NEEDED, NEEDED_ZIP64, UNIX] = [20, 45, 3 << 8]

const TIME_FIELD = 0x5455

/** The time in whole seconds, as Unix has it; nothing where it does not fit. */
function timeField(mtime: Date): Uint8Array {
  const seconds = Math.floor(mtime.getTime() / 1000)
  if (seconds !== (seconds | 0)) return new Uint8Array(0)
  return join(fields([TIME_FIELD, 2], [5, 2]), new Uint8Array([1]), fields([seconds >>> 0, 4]))
}

/** The time of MS-DOS, which begins in 1980 and is taken as that of UTC, as one number. */
function dosTime(mtime: Date): number {
  const year = mtime.getUTCFullYear()
  if (year < 1980) return (1 << 21) | (1 << 16)
  if (year > 2107) return 0xff9fbf7d
  const date = ((year - 1980) << 9) | ((mtime.getUTCMonth() + 1) << 5) | mtime.getUTCDate()
  const time = (mtime.getUTCHours() << 11) | (mtime.getUTCMinutes() << 5)
  return ((date << 16) | time | (mtime.getUTCSeconds() >> 1)) >>> 0
}

/** The fields that a header before content and one of the directory share. */
const sharedFields = ({ mtime, method, isFollowed }: Written): Field[] => [
  [FLAG.utf8 | (isFollowed ? FLAG.sizesFollow : 0), 2],
  [method, 2],
  [dosTime(mtime), 4],
]

/** Writes the header of an entry. */
export function writeHeader(entry: Written): Uint8Array {
  const { name, crc, packed, size, isFollowed, mtime } = entry
  const extra = timeField(mtime)
  return join(
    fields(
      [SIGNATURE.entry, 4],
      [NEEDED, 2],
      ...sharedFields(entry),
      [isFollowed ? 0 : crc, 4],
      [isFollowed ? 0 : packed, 4],
      [size, 4],
      [name.length, 2],
      [extra.length, 2],
    ),
    name,
    extra,
  )
}

/** Writes what follows a content. */
export const writeDescriptor = ({ crc, packed, size }: Omit<Written, 'offset'>): Uint8Array =>
  fields([SIGNATURE.descriptor, 4], [crc, 4], [packed, 4], [size, 4])

const IS_FOLDER = 0x10

/** Writes the header of an entry in the directory. */
export function describeEntry(entry: Written): Uint8Array {
  const { name, mode, crc, packed, size, offset, mtime } = entry
  const isLong = offset >= IN_ZIP64
  const long = isLong ? fields([1, 2], [8, 2], [offset, 8]) : new Uint8Array(0)
  const extra = join(timeField(mtime), long)
  const needed = isLong ? NEEDED_ZIP64 : NEEDED
  return join(
    fields(
      [SIGNATURE.directory, 4],
      [UNIX | needed, 2],
      [needed, 2],
      ...sharedFields(entry),
      [crc, 4],
      [packed, 4],
      [size, 4],
      [name.length, 2],
      [extra.length, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [mode * 2 ** 16 + (name.at(-1) === SLASH ? IS_FOLDER : 0), 4],
      [isLong ? IN_ZIP64 : offset, 4],
    ),
    name,
    extra,
  )
}

const SLASH = 47

/** The directory that ends an archive: its entries, and its size and place in bytes. */
export interface Directory {
  readonly count: number
  readonly size: number
  readonly offset: number
}

/** Writes the end of an archive. */
export function writeEnd({ count, size, offset }: Directory): Uint8Array {
  const isLong = count >= 0xffff || offset >= IN_ZIP64
  const end = fields(
    [SIGNATURE.end, 4],
    [0, 4],
    [Math.min(count, 0xffff), 2],
    [Math.min(count, 0xffff), 2],
    [size, 4],
    [Math.min(offset, IN_ZIP64), 4],
    [0, 2],
  )
  if (!isLong) return end
  const long = fields(
    [SIGNATURE.zip64End, 4],
    [44, 8],
    [UNIX | NEEDED_ZIP64, 2],
    [NEEDED_ZIP64, 2],
    [0, 8],
    [count, 8],
    [count, 8],
    [size, 8],
    [offset, 8],
  )
  const locator = fields([SIGNATURE.zip64Locator, 4], [0, 4], [offset + size, 8], [1, 4])
  return join(long, locator, end)
}

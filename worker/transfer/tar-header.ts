/**
 * The header of a tar entry, in each of the dialects that are about: POSIX with its extended records,
 * GNU with its long names, and the old one. A header is believed when its checksum is right; a number
 * or a record that cannot be read makes the archive a broken one.
 *
 * @module
 */

import { BrokenBody } from './bytes.ts'

/** All of tar is made of blocks. */
export const BLOCK = 512

/** A header as it stands in its block. */
export interface Header {
  /** Null where it is no UTF-8. */
  readonly name: string | null
  /** Bytes that follow. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly mtime: number
  /** One character. */
  readonly type: string
  /** Whether what GNU says of a sparse file goes on in another block. */
  readonly continues: boolean
}

/** What an extended header says of the entry after it. */
export interface Extension {
  readonly name?: string | null
  readonly size?: number
  readonly mtime?: number
  readonly sparse?: true
}

export const isEmptyBlock = (block: Uint8Array) => block.every((byte) => byte === 0)

export function readHeader(block: Uint8Array): Header {
  if (octal(block, 148, 8) !== checksum(block)) throw new BrokenBody('it has a wrong header')
  const name = textAt(block, 0, 100)
  const prefix = isPosix(block) ? textAt(block, 345, 155) : ''
  return {
    name: name === null || prefix === null ? null : prefix === '' ? name : `${prefix}/${name}`,
    size: number(block, 124, 12),
    mtime: number(block, 136, 12) * 1000,
    type: String.fromCharCode(block[156] || ZERO),
    continues: block[482] === 1,
  }
}

/** The same of a block in which it goes on. */
export const goesOn = (block: Uint8Array) => block[504] === 1

const [ZERO, BLANK, NEWLINE] = [48, 32, 10]

/** In GNU's dialect, other things stand where POSIX has the beginning of the name. */
const isPosix = (block: Uint8Array) => textAt(block, 257, 6) === 'ustar'

/** The sum of all bytes, of which those of the sum itself count as blanks. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? BLANK : byte), 0)
}

function textAt(block: Uint8Array, at: number, size: number): string | null {
  return textOf(block.subarray(at, at + size))
}

/** The text before the first NUL; null where it is no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  const end = bytes.indexOf(0)
  return utf8(end === -1 ? bytes : bytes.subarray(0, end))
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

function utf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

/** Octal digits, or, where the first bit is set, bytes of one large number. */
function number(block: Uint8Array, at: number, size: number): number {
  const first = block[at] ?? 0
  if (first < 0x80) return whole(octal(block, at, size))
  // A negative number is one that nobody has a use for.
  const sign = first === 0x80 ? 1 : NaN
  const rest = block.subarray(at + 1, at + size)
  return whole(sign * rest.reduce((sum, byte) => sum * 256 + byte, 0))
}

/** Digits between blanks, up to a NUL; NaN where there is anything else. */
function octal(block: Uint8Array, at: number, size: number): number {
  const text = loose.decode(block.subarray(at, at + size))
  const digits = /^ *([0-7]*) *(?:\0|$)/.exec(text)?.[1]
  return digits === undefined ? NaN : Number(`0o${digits || '0'}`)
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new BrokenBody('it has a number that cannot be read')
  return value
}

/** The records of a POSIX extended header: each tells its length, a key and a value. */
export function readExtension(bytes: Uint8Array): Extension {
  let extension: Extension = {}
  for (let at = 0; at < bytes.length;) {
    // A length has seven digits at most, so nothing is looked at twice.
    const blank = bytes.subarray(at, at + 8).indexOf(BLANK)
    const length = digits(loose.decode(bytes.subarray(at, at + Math.max(blank, 0))))
    const end = at + length
    if (end > bytes.length || length < blank + 2 || bytes[end - 1] !== NEWLINE)
      throw new BrokenBody('it has an extended header that cannot be read')
    extension = { ...extension, ...readRecord(bytes.subarray(at + blank + 1, end - 1)) }
    at = end
  }
  return extension
}

function readRecord(record: Uint8Array): Extension {
  const text = loose.decode(record)
  if (text.startsWith('GNU.sparse.')) return { sparse: true }
  const [, key, value = ''] = /^(path|size|mtime)=(.*)$/s.exec(text) ?? []
  if (key === 'size') return { size: whole(digits(value)) }
  if (key === 'mtime') return { mtime: Number(value) * 1000 }
  // A NUL in a name stays, so that the name is refused and not cut.
  return key === 'path' ? { name: utf8(record.subarray('path='.length)) } : {}
}

const digits = (text: string) => (/^\d{1,16}$/.test(text) ? Number(text) : NaN)

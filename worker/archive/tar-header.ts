/**
 * The header of a tar entry, in each common format: POSIX with extended records, GNU with long names, and the
 * old one. A header is valid if its checksum is; an unreadable size or record makes the archive invalid.
 *
 * @module
 */

import { BrokenBody, EMPTY } from './bytes.ts'
import type { ArchiveText } from './entry.ts'

/** Size of a tar block in bytes. */
export const BLOCK = 512

/** The fields of a header block. */
export interface Header {
  readonly name: ArchiveText
  /** Whether its owner may execute it; undefined where the header has no permissions. */
  readonly executable: boolean | undefined
  /** The earlier entry that a hard link names. */
  readonly link: ArchiveText
  /** Bytes of content after the header. */
  readonly size: number
  /** Milliseconds since 1970; NaN where it is before that or cannot be read, which is no reason to lose the file. */
  readonly mtime: number
  /** The type flag, one character. */
  readonly type: string
  /** Whether a GNU sparse map continues in another block. */
  readonly continues: boolean
}

/** What an extended header sets for the next entry. */
export interface Extension {
  readonly name?: ArchiveText
  readonly link?: ArchiveText
  readonly size?: number
  readonly mtime?: number
  readonly sparse?: true
  /** The name of a sparse file; the other one is a made-up name, for readers that do not know this. */
  readonly sparseName?: ArchiveText
}

/** Whether bytes are all zeros. A loop: a callback takes 18 times as long, and an archive may have GiB of them. */
export function isEmptyBlock(block: Uint8Array): boolean {
  for (let at = 0; at < block.length; at++) if (block[at] !== 0) return false
  return true
}

/** Whether a block is a header, by its checksum. */
export const isHeader = (block: Uint8Array) =>
  block.length === BLOCK && octal(block, 148, 8) === checksum(block)

/** Parses a header block. Throws {@link BrokenBody} for a wrong checksum or an unreadable size. */
export function readHeader(block: Uint8Array): Header {
  if (!isHeader(block)) throw new BrokenBody('it has an invalid header')
  const name = fieldAt(block, 0, 100)
  const prefix = isPosix(block) ? fieldAt(block, 345, 155) : EMPTY
  return {
    name: utf8(prefix.length === 0 ? name : new Uint8Array([...prefix, SLASH, ...name])),
    executable: isExecutable(number(block, 100, 8)),
    link: utf8(fieldAt(block, 157, 100)),
    size: whole(number(block, 124, 12)),
    mtime: number(block, 136, 12) * 1000,
    type: String.fromCharCode(block[156] || ZERO),
    continues: block[482] === 1,
  }
}

/** Whether a GNU sparse map continues after this block of it. */
export const mapContinues = (block: Uint8Array) => block[504] === 1

const [ZERO, BLANK, NEWLINE, SLASH] = [48, 32, 10, 47]

/** A file without any permission comes from a system or a program that has none. */
const isExecutable = (mode: number) => (mode > 0 ? (mode & OWNER_MAY_EXECUTE) !== 0 : undefined)

const OWNER_MAY_EXECUTE = 0o100

/** Whether the format is POSIX: GNU has other fields in place of the name prefix. */
const isPosix = (block: Uint8Array) => utf8(fieldAt(block, 257, 6)) === 'ustar'

/** Sums all bytes of a block, with blanks in place of the checksum field. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? BLANK : byte), 0)
}

const fieldAt = (block: Uint8Array, at: number, size: number) =>
  untilNul(block.subarray(at, at + size))

function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

/** Decodes the text before the first NUL. */
export const textOf = (bytes: Uint8Array): ArchiveText => utf8(untilNul(bytes))

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

function utf8(bytes: Uint8Array): ArchiveText {
  try {
    return strict.decode(bytes)
  } catch {
    return bytes.slice()
  }
}

/** Parses octal digits, or a binary number when the first bit is set; NaN for anything else. */
function number(block: Uint8Array, at: number, size: number): number {
  const first = block[at] ?? 0
  if (first < 0x80) return octal(block, at, size)
  // A negative number has no use here.
  const sign = first === 0x80 ? 1 : NaN
  const rest = block.subarray(at + 1, at + size)
  return sign * rest.reduce((sum, byte) => sum * 256 + byte, 0)
}

/** Parses octal digits between blanks, up to a NUL; NaN for anything else. */
function octal(block: Uint8Array, at: number, size: number): number {
  const text = loose.decode(block.subarray(at, at + size))
  const digits = /^ *([0-7]*) *(?:\0|$)/.exec(text)?.[1]
  return digits === undefined ? NaN : Number(`0o${digits || '0'}`)
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new BrokenBody('it has an invalid number in a header')
  return value
}

/** Parses the records of a POSIX extended header; each has a length, a key and a value. */
export function readExtension(bytes: Uint8Array): Extension {
  let extension: Extension = {}
  for (let at = 0; at < bytes.length;) {
    // A length has at most seven digits, so the search for its end is bounded.
    const blank = bytes.subarray(at, at + 8).indexOf(BLANK)
    const length = digits(loose.decode(bytes.subarray(at, at + Math.max(blank, 0))))
    const end = at + length
    if (end > bytes.length || length < blank + 2 || bytes[end - 1] !== NEWLINE)
      throw new BrokenBody('it has an invalid extended header')
    extension = { ...extension, ...readRecord(bytes.subarray(at + blank + 1, end - 1)) }
    at = end
  }
  return extension
}

const SPARSE_NAME = 'GNU.sparse.name='

function readRecord(record: Uint8Array): Extension {
  const text = loose.decode(record)
  if (text.startsWith(SPARSE_NAME))
    return { sparse: true, sparseName: utf8(record.subarray(SPARSE_NAME.length)) }
  if (text.startsWith('GNU.sparse.')) return { sparse: true }
  const [, key, value = ''] = /^(path|linkpath|size|mtime)=(.*)$/s.exec(text) ?? []
  if (key === 'size') return { size: whole(digits(value)) }
  if (key === 'mtime') return { mtime: Number(value) * 1000 }
  // A NUL in a name stays, so that the name is refused and not cut.
  if (key === 'linkpath') return { link: utf8(record.subarray('linkpath='.length)) }
  return key === 'path' ? { name: utf8(record.subarray('path='.length)) } : {}
}

const digits = (text: string) => (/^\d{1,16}$/.test(text) ? Number(text) : NaN)

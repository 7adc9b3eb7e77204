/**
 * The files of a document that is a zip archive. They are found by its central directory and read one at a time.
 *
 * Nothing is written anywhere, so the names of an archive cannot lead out of it: they are keys of a map.
 * `test/worker/texts/documents/hostile.test.ts` has archives with wrong lengths, cycles and bombs.
 *
 * @module
 */

import { hasBytes, readUintLe, type ReadonlyBytes } from '../../encoding/bytes.ts'
import { MAX_DOCUMENT_PARTS } from '../limits.ts'
import { tooLarge, type Budget } from './budget.ts'
import { DocumentFault } from '../document.ts'
import { inflateRaw } from './inflate.ts'

/** The files of an archive. */
export interface Archive {
  readonly names: readonly string[]
  has(name: string): boolean
  /** The bytes of a file; null if there is none of this name. */
  bytes(name: string): Uint8Array | null
  /** The text of a file, in UTF-8 or UTF-16; null if there is none. */
  text(name: string): string | null
}

interface Entry {
  readonly at: number
  readonly packed: number
  readonly method: number
  readonly isEncrypted: boolean
}

/** Opens an archive. Throws a {@link DocumentFault} if it is none. */
export function openArchive(bytes: ReadonlyBytes, budget: Budget): Archive {
  const entries = readDirectory(bytes)
  const read = (name: string) => {
    const entry = entries.get(name)
    return entry ? readEntry(bytes, entry, budget) : null
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytes: read,
    text: (name) => {
      const found = read(name)
      return found && decode(found)
    },
  }
}

/** XML says its encoding in a byte order mark; without one, all programs write UTF-8. */
function decode(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

const END = 'PK\x05\x06'
const ENTRY = 'PK\x01\x02'
const LOCAL = 'PK\x03\x04'

/** Bytes of the end of an archive, with the longest comment. */
const MAX_END = 22 + 0xffff

function readDirectory(bytes: ReadonlyBytes): ReadonlyMap<string, Entry> {
  const end = findEnd(bytes)
  const count = readUintLe(bytes, end + 10, 2)
  if (count > MAX_DOCUMENT_PARTS) throw tooLarge(`${MAX_DOCUMENT_PARTS} parts`)
  const entries = new Map<string, Entry>()
  let at = readUintLe(bytes, end + 16, 4)
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || !hasBytes(bytes, at, ENTRY)) throw damaged()
    const [name, extra, comment] = [28, 30, 32].map((offset) => readUintLe(bytes, at + offset, 2))
    const start = at + 46
    const text = new TextDecoder().decode(bytes.subarray(start, start + (name ?? 0)))
    if (!entries.has(text)) entries.set(text, readHeader(bytes, at))
    at = start + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

const readHeader = (bytes: ReadonlyBytes, at: number): Entry => ({
  isEncrypted: (readUintLe(bytes, at + 8, 2) & 1) === 1,
  method: readUintLe(bytes, at + 10, 2),
  packed: readUintLe(bytes, at + 20, 4),
  at: readUintLe(bytes, at + 42, 4),
})

function findEnd(bytes: ReadonlyBytes): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - MAX_END); at--)
    if (hasBytes(bytes, at, END)) return at
  throw damaged()
}

function readEntry(bytes: ReadonlyBytes, entry: Entry, budget: Budget): Uint8Array {
  const { at, packed, method, isEncrypted } = entry
  if (isEncrypted) throw new DocumentFault('encrypted', 'it is encrypted')
  if (!hasBytes(bytes, at, LOCAL)) throw damaged()
  const start = at + 30 + readUintLe(bytes, at + 26, 2) + readUintLe(bytes, at + 28, 2)
  if (start + packed > bytes.length) throw damaged()
  const data = new Uint8Array(bytes.subarray(start, start + packed))
  if (method === 8) return inflateRaw(data, budget)
  if (method !== 0)
    throw new DocumentFault('broken', 'a part is compressed in a way that is not read')
  budget.inflate(data.length)
  return data
}

const damaged = () => new DocumentFault('broken', 'its archive is damaged')

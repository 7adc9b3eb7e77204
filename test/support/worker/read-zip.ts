/**
 * Reads a zip archive by its directory, as programs that can seek do, with code of its own.
 *
 * @module
 */

import { crc32, inflateRawSync } from 'node:zlib'

/** An entry as the directory and its header have it. */
export interface FoundEntry {
  readonly name: string
  readonly mode: number
  /** Seconds since 1970, of the field of Unix; null without it. */
  readonly mtime: number | null
  readonly method: number
  readonly body: Uint8Array<ArrayBuffer>
}

/** Reads all entries. Throws for any field that is not right. */
export function readZipDirectory(archive: Uint8Array): FoundEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = archive.length - 22
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error('no end')
  let [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
  if (count === 0xffff || at === 0xffffffff) {
    const long = Number(view.getBigUint64(end - 12, true))
    if (view.getUint32(long, true) !== 0x06064b50) throw new Error('no end of zip64')
    count = Number(view.getBigUint64(long + 32, true))
    at = Number(view.getBigUint64(long + 48, true))
  }
  return Array.from({ length: count }, () => {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error('no entry of a directory')
    const sizes = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const [nameSize = 0, extraSize = 0, commentSize = 0] = sizes
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameSize))
    const found = readEntry(archive, view, at)
    at += 46 + nameSize + extraSize + commentSize
    return { name, ...found }
  })
}

function readEntry(archive: Uint8Array, view: DataView, at: number) {
  const [method, crc, packed, size, offset] = [
    view.getUint16(at + 10, true),
    view.getUint32(at + 16, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 24, true),
    view.getUint32(at + 42, true),
  ]
  const names = view.getUint16(offset + 26, true)
  const extra = view.getUint16(offset + 28, true)
  const from = offset + 30 + names + extra
  const bytes = archive.subarray(from, from + packed)
  const body = method === 8 ? inflateRawSync(bytes, { maxOutputLength: size + 1 }) : bytes
  if (body.length !== size || crc32(body) !== crc) throw new Error('another content')
  const field = offset + 30 + names
  const mtime =
    extra >= 9 && view.getUint16(field, true) === 0x5455 ? view.getInt32(field + 5, true) : null
  return { mode: view.getUint32(at + 38, true) >>> 16, mtime, method, body: new Uint8Array(body) }
}

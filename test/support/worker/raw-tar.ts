/**
 * Malformed archives: every field of a header as the test sets it, with a
 * correct checksum.
 *
 * @module
 */

import { bytesOf } from './client.ts'

export const BLOCK = 512

/** The two empty blocks that end an archive. */
export const END = new Uint8Array(2 * BLOCK)

/** The fields of a header; numbers are written as octal digits. */
export interface Fields {
  readonly name?: string | Uint8Array
  readonly size?: number | string | Uint8Array
  readonly type?: string
  readonly link?: string
  readonly prefix?: string
  readonly magic?: string
  readonly mtime?: number
  /** Permissions. */
  readonly mode?: number
  /** Bytes at places of their own. */
  readonly at?: Readonly<Record<number, number>>
}

export function header(fields: Fields): Uint8Array {
  const { name = '', size = 0, type = '0', link = '', prefix = '', mtime = 1_000 } = fields
  const { mode = 0o644 } = fields
  const block = new Uint8Array(BLOCK)
  const set = (at: number, value: string | Uint8Array) =>
    block.set(typeof value === 'string' ? bytesOf(value) : value, at)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  set(0, name)
  set(100, `${octal(mode, 7)}\u00000000000\u00000000000\u0000`)
  set(124, typeof size === 'number' ? octal(size, 11) : size)
  set(136, octal(mtime, 11))
  set(156, type)
  set(157, link)
  set(257, fields.magic ?? 'ustar\u000000')
  set(345, prefix)
  for (const [at, byte] of Object.entries(fields.at ?? {})) block[Number(at)] = byte
  block.fill(32, 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  set(148, `${octal(sum, 6)}\u0000 `)
  return block
}

/** A body, filled up to whole blocks. */
export function pad(body: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil(body.length / BLOCK) * BLOCK)
  all.set(body)
  return all
}

/** A header with its body. */
export function entry(fields: Fields, body: string | Uint8Array = ''): Uint8Array {
  const bytes = typeof body === 'string' ? bytesOf(body) : body
  return join(header({ size: bytes.length, ...fields }), pad(bytes))
}

export const file = (name: string | Uint8Array, body = 'x') => entry({ name }, body)

/** An extended header with its records, for the next entry or, as `g`, for all. */
export function pax(records: Readonly<Record<string, string>>, type = 'x'): Uint8Array {
  const texts = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    const digits = [1, 2, 3, 4, 5, 6].find(
      (count) => String(bytesOf(rest).length + count).length === count,
    )
    return `${bytesOf(rest).length + (digits ?? 0)}${rest}`
  })
  return entry({ name: 'pax', type }, texts.join(''))
}

/** GNU's long name `L`, or long link name `K`, for the next entry. */
export const gnu = (type: 'L' | 'K', name: string) =>
  entry({ name: '././@LongLink', type, magic: 'ustar  ' }, `${name}\u0000`)

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** A stream that repeats the same bytes, with one copy in memory. */
export function repeat(part: Uint8Array, times: number, end = new Uint8Array(0)) {
  let left = times
  let pulled = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled++
        if (left-- > 0) return controller.enqueue(part.slice())
        if (end.length > 0) controller.enqueue(end)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, pulled: () => pulled }
}

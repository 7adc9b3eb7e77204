/**
 * Bytes that nothing may modify. Content is kept in memory, where later reads share it (`store/read/read-cache.ts`) and its
 * decoded text is remembered (`text.ts`). The compiler refuses a write, and a function that could write.
 *
 * @module
 */

type Shown = 'buffer' | 'byteLength' | 'byteOffset' | 'length' | typeof Symbol.iterator

/** A `Uint8Array` without what modifies it. */
export interface ReadonlyBytes extends Readonly<Pick<Uint8Array, Shown>> {
  readonly [index: number]: number
  subarray(begin?: number, end?: number): ReadonlyBytes
}

/** Whether bytes continue at an offset with the characters of a Latin-1 text. */
export function hasBytes(bytes: ReadonlyBytes, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  return true
}

/** Reads a big-endian number of 1 to 4 bytes. Bytes behind the end count as 0. */
export function readUint(bytes: ReadonlyBytes, at: number, length: number): number {
  let value = 0
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}

/** Reads a little-endian number of 1 to 4 bytes. Bytes behind the end count as 0. */
export function readUintLe(bytes: ReadonlyBytes, at: number, length: number): number {
  let value = 0
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}

/** Writes bytes in lower-case hexadecimal. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Bytes that nothing may modify. Content is kept in memory, where later reads share it (`store/read-cache.ts`) and its
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

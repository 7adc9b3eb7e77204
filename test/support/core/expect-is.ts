/**
 * Assertions for laws, which compare millions of values: one of Vitest costs more than most of what they compare.
 *
 * @module
 */

import { expect } from 'vitest'

/** The same as `expect(found, what).toBe(expected)`, which it calls only to fail. */
export function expectIs<T>(found: T, expected: T, what?: string): void {
  if (!Object.is(found, expected)) expect(found, what).toBe(expected)
}

/** The same as `expect(found).toEqual(expected)`, which takes half a second for 128 KiB. */
export function expectBytes(found: Uint8Array | null | undefined, expected: Uint8Array): void {
  if (!found || !isSameBytes(found, expected)) expect(found).toEqual(expected)
}

/** Whether two arrays have the same bytes. A loop, because `every` calls a function for each of millions. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

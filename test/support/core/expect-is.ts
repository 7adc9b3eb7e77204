/**
 * An assertion for laws, which compare millions of values: one of Vitest costs more than most of what they compare.
 *
 * @module
 */

import { expect } from 'vitest'

/** The same as `expect(found, what).toBe(expected)`, which it calls only to fail. */
export function expectIs<T>(found: T, expected: T, what?: string): void {
  if (!Object.is(found, expected)) expect(found, what).toBe(expected)
}

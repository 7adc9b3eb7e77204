/**
 * Any character, for texts that hold anything: what fast-check draws as `unit: 'binary'`. Its own arbitrary first maps
 * each of a million characters, which takes a second and a hundred megabytes in every process and runtime.
 *
 * @module
 */

import fc from './random.ts'

const MAX_CODE_POINT = 0x10ffff
const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

const characterAt = (index: number): string =>
  String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES)

/** Throws for anything else than one character, as the reverse of an arbitrary must. */
function indexOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  if (code === undefined || value !== String.fromCodePoint(code)) throw new Error('Not a character')
  if (code < FIRST_SURROGATE) return code
  if (code < FIRST_SURROGATE + SURROGATES) throw new Error('Half of a character')
  return code - SURROGATES
}

/** Any code point but surrogates, as a `unit` of `fc.string`. */
export const character: fc.Arbitrary<string> = fc
  .nat(MAX_CODE_POINT - SURROGATES)
  .map(characterAt, indexOf)

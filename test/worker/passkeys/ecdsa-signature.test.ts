/** Signatures in DER: every pair of numbers is found, and what is malformed is refused. */

import { unwrapEC2Signature } from '#worker/passkeys/ecdsa-signature.ts'
import { describe, expect, it } from 'vitest'
import fc from '../../support/core/random.ts'

/** The number of a curve in COSE, and the bytes of its numbers. */
const CURVES = [
  [1, 32],
  [2, 48],
  [3, 66],
] as const

const value = (tag: number, body: readonly number[]) => [
  ...(body.length < 0x80 ? [tag, body.length] : [tag, 0x81, body.length]),
  ...body,
]

/** An INTEGER as DER has it: as short as possible, and not negative. */
function integer(bytes: readonly number[]): number[] {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? [0] : bytes.slice(first)
  return value(0x02, (digits[0] ?? 0) < 0x80 ? digits : [0, ...digits])
}

const signature = (...parts: readonly (readonly number[])[]) => value(0x30, parts.flat())

const unwrap = (bytes: readonly number[], curve = 1) =>
  Array.from(unwrapEC2Signature(Uint8Array.from(bytes), curve))

describe.each(CURVES)('on curve %i', (curve, size) => {
  /** Numbers with zeros at their start, or with a first bit that would make them negative. */
  const number = fc
    .tuple(fc.nat(size), fc.uint8Array({ minLength: size, maxLength: size }))
    .map(([zeros, bytes]) => Array.from(bytes.fill(0, 0, zeros)))

  it('both numbers are found', () => {
    fc.assert(
      fc.property(number, number, (r, s) => {
        expect(unwrap(signature(integer(r), integer(s)), curve)).toEqual([...r, ...s])
      }),
    )
  })

  it('no change of its bytes or of its length makes it read out of bounds', () => {
    const bytes = signature(integer([...Array(size).keys()]), integer(Array(size).fill(0xff)))
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length))
    fc.assert(
      fc.property(change, ([at, byte, length]) => {
        const changed = bytes.with(at, byte).slice(0, length)
        const read = attempt(() => unwrap(changed, curve))
        expect(read?.length ?? 2 * size).toBe(2 * size)
        if (length < bytes.length && at > 2) expect(read).toBeNull()
      }),
    )
  })
})

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

const ONE = integer([1])

it.each([
  ['nothing', []],
  ['a tag alone', [0x30]],
  ['another tag', [0x31, ...signature(ONE, ONE).slice(1)]],
  ['another tag of a number', signature([0x03, 1, 1], ONE)],
  ['one number', signature(ONE)],
  ['three numbers', signature(ONE, ONE, ONE)],
  ['an empty number', signature([0x02, 0], ONE)],
  ['a number that is too long', signature(integer([1, ...Array(32).keys()]), ONE)],
  ['bytes after it', [...signature(ONE, ONE), 0]],
  ['a length of two bytes', [0x30, 0x82, 0, 6, ...ONE, ...ONE]],
  ['a length without an end', [0x30, 0x80, ...ONE, ...ONE, 0, 0]],
])('%s is refused', (_, bytes) => {
  expect(() => unwrap(bytes)).toThrow()
})

it('an unknown curve is refused', () => {
  expect(() => unwrap(signature(ONE, ONE), 8)).toThrow('Unknown curve 8')
})

/** Percent-decoding of untrusted text. */

import { expect, it } from 'vitest'
import { decodePercent } from '#core/percent.ts'

it.each([
  ['', ''],
  ['plain', 'plain'],
  ['a%20b%2Fc', 'a b/c'],
  ['%E2%82%AC', '€'],
  ['a+b', 'a+b'],
  ['100%', '100%'],
  ['%20%', '%20%'],
  ['%E2%82', '%E2%82'],
  ['%C0%AE', '%C0%AE'],
])('decodes %j to %j', (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded)
})

/** Bytes of texts, compared with what the encoder writes. */

import { expect, it } from 'vitest'
import { jsonBytes, MAX_JSON_UNIT_BYTES, utf8Bytes } from '#worker/encoding/json-bytes.ts'
import { bytesOf } from '../../support/worker/client.ts'
import fc from '../../support/core/random.ts'

const unit = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\u0001', 'é'),
)
const texts = fc.array(unit, { maxLength: 300 }).map((units) => units.join(''))

it('are those of UTF-8, and of JSON without quotes', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(utf8Bytes(text)).toBe(bytesOf(text).length)
      expect(jsonBytes(text)).toBe(bytesOf(JSON.stringify(text)).length - 2)
      expect(jsonBytes(text)).toBeLessThanOrEqual(MAX_JSON_UNIT_BYTES * text.length)
    }),
  )
})

it.each(['\u0001', '\ud800'])('of %j are the most for one code unit', (text) => {
  expect(jsonBytes(text)).toBe(MAX_JSON_UNIT_BYTES)
})

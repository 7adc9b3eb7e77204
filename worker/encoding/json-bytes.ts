/**
 * The bytes of texts, in UTF-8 and as JSON. `test/worker/encoding/json-bytes.test.ts` compares them with the encoder.
 *
 * @module
 */

const ENCODER = new TextEncoder()

/** Maximum bytes that one code unit of a string takes in JSON: those of an escape. */
export const MAX_JSON_UNIT_BYTES = 6

/** Maximum length of a text that is tested for ASCII; to encode a longer one is faster than the test. */
const MAX_TESTED_LENGTH = 256

/** Counts the bytes of UTF-8. */
export function utf8Bytes(text: string): number {
  // oxlint-disable-next-line no-control-regex -- the range is what ASCII means
  return text.length <= MAX_TESTED_LENGTH && /^[\x00-\x7f]*$/.test(text)
    ? text.length
    : ENCODER.encode(text).length
}

/** Counts the bytes of the JSON of a value. */
export const bytesOf = (value: unknown): number => utf8Bytes(JSON.stringify(value))

/** Counts the bytes of a text inside a JSON string, without its quotes. */
export const jsonBytes = (text: string): number => bytesOf(text) - 2

/** The beginning of a list that fits one result, as text and as data. `test/worker/mcp/results.test.ts` tests it. @module */

import { bytesOf, jsonBytes } from '../../encoding/json-bytes.ts'
import { MAX_LISTED_BYTES } from './limits.ts'

/**
 * Returns the first items that fit: at least one, so that a reader can go on behind it.
 *
 * @param write Returns the line of an item in the text.
 */
export function firstFitting<T>(
  items: readonly T[],
  write: (item: T) => string,
  most = MAX_LISTED_BYTES,
): readonly T[] {
  let left = most
  const end = items.findIndex((item, index) => {
    left -= bytesOf(item) + jsonBytes(write(item)) + SIGNS
    return left < 0 && index > 0
  })
  return end === -1 ? items : items.slice(0, end)
}

/** Bytes of a comma, of a line break in JSON, and of a space. */
const SIGNS = 4

/**
 * How deep JSON text nests, known before it is parsed: the parser of the runtime recurses.
 *
 * `test/platform/limits.slow.test.ts` has the edge.
 *
 * @module
 */

import { MAX_JSON_DEPTH } from '../limits.ts'

/** Whether JSON text nests deeper than {@link MAX_JSON_DEPTH}, tested before it is parsed. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = endOfString(text, at)
    else if (char === BRACE || char === BRACKET) {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (char === BRACE + 2 || char === BRACKET + 2) depth--
  }
  return false
}

/** Returns the index of the quote that ends a string. Searching for it is faster than looking at each character. */
function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1)
    if (at === -1) return text.length
    let escape = at
    while (text.charCodeAt(escape - 1) === BACKSLASH) escape--
    if ((at - escape) % 2 === 0) return at
  }
}

const QUOTE = 34
const BACKSLASH = 92
const BRACKET = 91
const BRACE = 123

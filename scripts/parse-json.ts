/** JSON from elsewhere, whose reader checks what it is. @module */

/** Parses a text; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

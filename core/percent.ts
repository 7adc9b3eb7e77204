/** Percent-decoding of untrusted text. @module */

/** Percent-decodes text; text that is not valid percent-encoding is returned as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

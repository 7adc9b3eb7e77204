/** The SHA-256 of a text. @module */

/** Returns the SHA-256 of the UTF-8 bytes of a text, in hexadecimal digits. */
export async function digestOfText(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

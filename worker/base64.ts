/** Base64, as MCP carries bytes, and base64url, which fits into a URL. RFC 4648. @module */

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // Arguments of one call are limited, so the bytes go in by pieces.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(binary)
}

/** Base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The bytes of base64 with its padding; null when the text is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

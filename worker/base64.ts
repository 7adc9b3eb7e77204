/** Base64, as MCP carries bytes. @module */

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // Arguments of one call are limited, so the bytes go in by pieces.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(binary)
}

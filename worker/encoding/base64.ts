/** Base64, as MCP carries bytes, and base64url, which fits into a URL. RFC 4648. @module */

import type { ReadonlyBytes } from './bytes.ts'

/** Encodes bytes as base64 with padding. */
export function toBase64(bytes: ReadonlyBytes): string {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).toBase64()
}

/** Encodes bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Decodes base64 with padding; null when the text is not valid base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  // The runtime would also accept white space and missing padding.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  return Uint8Array.fromBase64(text)
}

/** Decodes base64 or base64url with white space, and with or without padding; null when the text is neither. */
export function fromAnyBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const [, digits] = /^([\w+/-]*)={0,2}$/.exec(text.replace(/\s+/g, '')) ?? []
  if (digits === undefined) return null
  const usual = digits.replaceAll('-', '+').replaceAll('_', '/')
  return fromBase64(usual.padEnd(Math.ceil(usual.length / 4) * 4, '='))
}

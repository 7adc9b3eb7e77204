/**
 * The answer to a refresh token, sealed for a repeat: only who has that token can read it.
 *
 * It names the newest tokens of a grant, which the authorization server itself stores as hashes only. So it is
 * encrypted with a key that is derived from the refresh token (HKDF, RFC 5869; AES-GCM).
 * `test/worker/auth/kept-answer.test.ts` tests it.
 *
 * @module
 */

import { fromBase64, toBase64 } from '../encoding/base64.ts'

const IV_BYTES = 12

const encoder = new TextEncoder()

/** Seals an answer for a refresh token; base64 of the initialization vector and the encrypted text. */
export async function sealAnswer(answer: string, token: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const how = { name: 'AES-GCM', iv }
  const sealed = await crypto.subtle.encrypt(how, await keyOf(token), encoder.encode(answer))
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** Opens a sealed answer. Throws if it was sealed for another token. */
export async function openAnswer(sealed: string, token: string): Promise<string> {
  const bytes = fromBase64(sealed) ?? new Uint8Array()
  const how = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES) }
  const opened = await crypto.subtle.decrypt(how, await keyOf(token), bytes.subarray(IV_BYTES))
  return new TextDecoder().decode(opened)
}

async function keyOf(token: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', encoder.encode(token), 'HKDF', false, [
    'deriveKey',
  ])
  const how = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: encoder.encode('edgewise kept answer'),
  }
  return crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}

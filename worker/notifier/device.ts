/**
 * A device as a page sends it: the address at which its push service takes messages, and the keys for which they are
 * encrypted (RFC 8291). Both come from untrusted input, and this server sends requests to the address.
 *
 * `test/worker/notifier/attacks.test.ts` has the addresses, `test/worker/notifier/devices.test.ts` the keys.
 *
 * @module
 */

import { fromAnyBase64, toBase64Url } from '../encoding/base64.ts'
import { isPublicName } from '../outbound.ts'
import { MAX_ENDPOINT_LENGTH } from './limits.ts'

/** A device that is to get notifications. */
export interface NewDevice extends DeviceKeys {
  readonly endpoint: string
  readonly label: string
  /** The endpoint of the device in whose place it comes; null if it is new. */
  readonly replaces: string | null
}

/** The keys of a subscription, in base64url. */
export interface DeviceKeys {
  readonly p256dh: string
  readonly auth: string
}

/** Length of an uncompressed point of P-256, and of a secret, in bytes. */
const POINT_BYTES = 65
const AUTH_BYTES = 16

/** Whether messages may be sent to an address: https at the usual port of a public host name, and no user name. */
export function isEndpoint(text: string): boolean {
  const url = text.length <= MAX_ENDPOINT_LENGTH ? URL.parse(text) : null
  if (!url) return false
  const { protocol, username, password, port, hostname, hash } = url
  const isPlain = username === '' && password === '' && port === '' && hash === ''
  return protocol === 'https:' && isPlain && isPublicName(hostname)
}

/** Reads a public key, and returns it in one form; null if it is no point of the curve. */
export async function readPoint(text: string): Promise<string | null> {
  const bytes = fromAnyBase64(text)
  if (bytes?.length !== POINT_BYTES) return null
  try {
    await crypto.subtle.importKey('raw', bytes, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
    return toBase64Url(bytes)
  } catch {
    return null
  }
}

/** Reads the secret of a subscription, and returns it in one form; null if it has another length. */
export function readAuth(text: string): string | null {
  const bytes = fromAnyBase64(text)
  return bytes?.length === AUTH_BYTES ? toBase64Url(bytes) : null
}

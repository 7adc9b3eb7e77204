/**
 * The keys of the notifier: the pair with which it identifies itself to push services (VAPID, RFC 8292), and a secret for
 * digests that no other party can compute. Both are made once and never leave the object, apart from the public key.
 *
 * `test/worker/notifier/devices.test.ts` tests them.
 *
 * @module
 */

import { fromAnyBase64, toBase64Url } from '../encoding/base64.ts'
import { readValue, writeValue } from './tables.ts'

/** The keys of a notifier, in base64url. */
export interface Identity {
  /** An uncompressed point of P-256, with which a browser subscribes. */
  readonly publicKey: string
  readonly privateKey: string
  /** Computes a digest that depends on the secret of this object. */
  readonly digest: (text: string) => Promise<Uint8Array<ArrayBuffer>>
}

const SECRET_BYTES = 32

/** Reads the keys, or makes them. */
export async function openIdentity(sql: SqlStorage): Promise<Identity> {
  const pair = await openPair(sql)
  const secret = await openSecret(sql)
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.sign('HMAC', secret, new TextEncoder().encode(text)))
  return { ...pair, digest }
}

type Pair = Pick<Identity, 'publicKey' | 'privateKey'>

async function openPair(sql: SqlStorage): Promise<Pair> {
  const [publicKey, privateKey] = [readValue(sql, 'public_key'), readValue(sql, 'private_key')]
  if (publicKey !== null && privateKey !== null) return { publicKey, privateKey }
  const made = await makePair()
  writeValue(sql, 'public_key', made.publicKey)
  writeValue(sql, 'private_key', made.privateKey)
  return made
}

async function makePair(): Promise<Pair> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('The platform has made one key in place of a pair')
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey)
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  if (!(raw instanceof ArrayBuffer) || jwk instanceof ArrayBuffer || jwk.d === undefined)
    throw new Error('The platform has exported a key in another format')
  return { publicKey: toBase64Url(new Uint8Array(raw)), privateKey: jwk.d }
}

async function openSecret(sql: SqlStorage): Promise<CryptoKey> {
  const kept = fromAnyBase64(readValue(sql, 'secret') ?? '')
  const bytes = kept?.length === SECRET_BYTES ? kept : makeSecret(sql)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function makeSecret(sql: SqlStorage): Uint8Array<ArrayBuffer> {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  writeValue(sql, 'secret', toBase64Url(bytes))
  return bytes
}

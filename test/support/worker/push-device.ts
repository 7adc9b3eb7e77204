/**
 * A device with a push subscription, which decrypts what it is sent: RFC 8291 and RFC 8188 by the book, with no code of the
 * sender.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { toBase64Url } from '#worker/encoding/base64.ts'

/** A device. */
export interface PushDevice {
  readonly endpoint: string
  /** What a page sends of it. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Decrypts a message. Throws if it is not for this device. */
  readonly read: (body: ArrayBuffer) => Promise<JsonRecord>
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }

/** Creates a device whose push service takes messages at an address. */
export async function createPushDevice(
  endpoint = `https://push.example/send/${crypto.randomUUID()}`,
): Promise<PushDevice> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])
  if (!('privateKey' in pair)) throw new Error('One key in place of a pair')
  const point = await exportPoint(pair.publicKey)
  const auth = crypto.getRandomValues(new Uint8Array(16))
  return {
    endpoint,
    keys: { p256dh: toBase64Url(point), auth: toBase64Url(auth) },
    read: (body) => decrypt(body, { privateKey: pair.privateKey, point, auth }),
  }
}

async function exportPoint(key: CryptoKey): Promise<Uint8Array<ArrayBuffer>> {
  const raw = await crypto.subtle.exportKey('raw', key)
  if (!(raw instanceof ArrayBuffer)) throw new Error('A key in another format')
  return new Uint8Array(raw)
}

interface Receiver {
  readonly privateKey: CryptoKey
  readonly point: Uint8Array<ArrayBuffer>
  readonly auth: Uint8Array<ArrayBuffer>
}

/** The header of RFC 8188, section 2.1: salt, size of a record, and as the id of the key the point of the sender. */
async function decrypt(body: ArrayBuffer, { privateKey, point, auth }: Receiver) {
  const salt = new Uint8Array(body, 0, 16)
  const size = new DataView(body).getUint32(16)
  const sender = new Uint8Array(body, 21, new Uint8Array(body)[20])
  const record = new Uint8Array(body, 21 + sender.length)
  if (record.length > size) throw new Error('More than one record')
  const algorithm = {
    name: 'ECDH',
    public: await crypto.subtle.importKey('raw', sender, CURVE, false, []),
  }
  const shared = await crypto.subtle.deriveBits(algorithm, privateKey, 256)
  const info = bytesOf('WebPush: info\0', point, sender)
  const secret = await derive(shared, { salt: auth, info }, 32)
  const cek = await derive(secret, { salt, info: infoOf('aes128gcm') }, 16)
  const iv = await derive(secret, { salt, info: infoOf('nonce') }, 12)
  const key = await crypto.subtle.importKey('raw', cek, 'AES-GCM', false, ['decrypt'])
  const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, record))
  return recordOf(JSON.parse(new TextDecoder().decode(withoutPadding(padded))))
}

const infoOf = (name: string) => bytesOf(`Content-Encoding: ${name}\0`)

function bytesOf(text: string, ...more: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...new TextEncoder().encode(text), ...more.flatMap((part) => [...part])])
}

interface Derivation {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly info: Uint8Array<ArrayBuffer>
}

async function derive(secret: ArrayBuffer, { salt, info }: Derivation, length: number) {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return crypto.subtle.deriveBits(algorithm, key, length * 8)
}

/** The last record ends with 2, and then zeros. */
function withoutPadding(padded: Uint8Array): Uint8Array {
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('Not the last record')
  return padded.subarray(0, end)
}

/**
 * A software authenticator: P-256 keys, CBOR and signatures as an authenticator makes them (WebAuthn Level 3,
 * section 6). Each part of an answer can be forged, for the attacks.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'

const encoder = new TextEncoder()

/** What a forged answer has in place of the right value. */
export interface Forgery {
  readonly origin?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  /** Signed for this host name. */
  readonly host?: string
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  readonly counter?: number
  /** The format of an attestation, whose statement is empty. */
  readonly format?: string
  /** The credential that the answer names. */
  readonly id?: string
}

/** An authenticator with one credential. */
export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>

/** Creates an authenticator with a new key for pages of `origin`. */
export async function createAuthenticator(origin = 'http://localhost') {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  if (!('privateKey' in keys)) throw new Error('Expected a key pair')
  const { publicKey, privateKey } = keys
  const credential = crypto.getRandomValues(new Uint8Array(32))
  const id = toBase64Url(credential)
  let count = 0

  /** Answers `PublicKeyCredentialCreationOptionsJSON`. */
  async function create(options: unknown, forgery: Forgery = {}) {
    const { challenge, rp } = recordOf(options)
    const host = forgery.host ?? String(recordOf(rp)['id'])
    const key = await encodeKey(publicKey)
    const authData = await authenticatorData(host, 0x40, forgery, 0, [
      new Uint8Array(16),
      Uint8Array.of(0, credential.length),
      credential,
      key,
    ])
    const clientData = clientDataFor('webauthn.create', String(challenge), origin, forgery)
    const attestation = encodeCbor(
      new Map<unknown, unknown>([
        ['fmt', forgery.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    return {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: toBase64Url(clientData),
        attestationObject: toBase64Url(attestation),
        transports: ['internal'],
      },
    }
  }

  /** Answers `PublicKeyCredentialRequestOptionsJSON`. */
  async function get(options: unknown, forgery: Forgery = {}) {
    const { challenge, rpId } = recordOf(options)
    count++
    const host = forgery.host ?? String(rpId)
    const authData = await authenticatorData(host, 0, forgery, count)
    const clientData = clientDataFor('webauthn.get', String(challenge), origin, forgery)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', clientData))
    const signature = await sign(privateKey, join([authData, hash]))
    const named = forgery.id ?? id
    return {
      ...{ id: named, rawId: named, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: toBase64Url(clientData),
        authenticatorData: toBase64Url(authData),
        signature: toBase64Url(signature),
      },
    }
  }

  return { id, create, get }
}

function clientDataFor(type: string, challenge: string, origin: string, forgery: Forgery) {
  const data = { type, challenge, origin, crossOrigin: false }
  const { type: otherType, challenge: other, origin: elsewhere, crossOrigin } = forgery
  return encoder.encode(
    JSON.stringify({
      ...data,
      ...(otherType !== undefined && { type: otherType }),
      ...(other !== undefined && { challenge: other }),
      ...(elsewhere !== undefined && { origin: elsewhere }),
      ...(crossOrigin !== undefined && { crossOrigin }),
    }),
  )
}

const PRESENT = 0x01
const VERIFIED = 0x04

/** Section 6.1: hash of the RP ID, flags, counter, and the attested credential if there is one. */
async function authenticatorData(
  host: string,
  flags: number,
  { isVerified = true, isPresent = true, counter }: Forgery,
  count: number,
  attested: readonly Uint8Array[] = [],
) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(host)))
  const all = flags | (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0)
  const counted = new Uint8Array(4)
  new DataView(counted.buffer).setUint32(0, counter ?? count)
  return join([hash, Uint8Array.of(all), counted, ...attested])
}

/** Encodes a public key as COSE_Key (RFC 9053, section 7.1). */
async function encodeKey(key: CryptoKey): Promise<Uint8Array> {
  const jwk: unknown = await crypto.subtle.exportKey('jwk', key)
  const { x, y } = recordOf(jwk)
  return encodeCbor(
    new Map<unknown, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, fromBase64Url(String(x))],
      [-3, fromBase64Url(String(y))],
    ]),
  )
}

/** Encodes the CBOR that WebAuthn uses: integers, texts, bytes and maps (RFC 8949). */
function encodeCbor(value: unknown): Uint8Array {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return join([head(3, value.length), encoder.encode(value)])
  if (value instanceof Uint8Array) return join([head(2, value.length), value])
  if (!(value instanceof Map)) throw new Error('Cannot encode this as CBOR')
  const pairs = [...value].flat().map(encodeCbor)
  return join([head(5, value.size), ...pairs])
}

function head(major: number, count: number): Uint8Array {
  const type = major << 5
  if (count < 24) return Uint8Array.of(type | count)
  return count < 256
    ? Uint8Array.of(type | 24, count)
    : Uint8Array.of(type | 25, count >> 8, count & 0xff)
}

/** Signs as authenticators do: ECDSA with SHA-256, in DER. WebCrypto returns the two numbers. */
async function sign(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes)
  const numbers = [raw.slice(0, 32), raw.slice(32)].map((part) => derInteger(new Uint8Array(part)))
  const body = join(numbers)
  return join([Uint8Array.of(0x30, body.length), body])
}

function derInteger(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const short = bytes.subarray(Math.max(start, 0))
  const padded = (short[0] ?? 0) >= 0x80 ? join([Uint8Array.of(0), short]) : short
  return join([Uint8Array.of(0x02, padded.length), padded])
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  )

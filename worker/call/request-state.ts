/**
 * Request state: what a client of the modern era gives back when it calls again. It names the change and is signed
 * (HMAC-SHA-256) with a key of the workspace, bound to caller and arguments, and expires.
 *
 * @module
 */

import { fromBase64, toBase64, toBase64Url } from '../encoding/base64.ts'
import { MAX_REQUEST_STATE_SECONDS } from '../drafts/limits.ts'
import { readSetting, writeSetting } from '../database/schema.ts'

/** What the state of a call says. */
export interface RequestState {
  /** The id of the change that waits. */
  readonly change: string
  /** How often the client has called again. */
  readonly round: number
}

/** Signs and verifies the states of one workspace. */
export type StateSigner = ReturnType<typeof createStateSigner>

/** Creates the signer of a workspace; its key is made when it is first needed. */
export function createStateSigner(sql: SqlStorage) {
  let key: Promise<CryptoKey> | null = null
  const mac = async (text: string, bound: readonly string[]) =>
    new Uint8Array(
      await crypto.subtle.sign('HMAC', await (key ??= importKey(sql)), dataOf(text, bound)),
    )
  return {
    /** Writes a state that is valid only for a request with the same `bound` texts. */
    async sign({ change, round }: RequestState, bound: readonly string[]): Promise<string> {
      const text = `${change}.${round}.${Date.now()}`
      return `${text}.${toBase64Url(await mac(text, bound))}`
    },
    /** Reads a state; null if it is malformed, forged, for another request, or expired. */
    async verify(state: string, bound: readonly string[]): Promise<RequestState | null> {
      const [, text = '', change = '', round, at, given = ''] = STATE.exec(state) ?? []
      const [known, signature] = [await mac(text, bound), bytesOf(given)]
      if (signature.length !== known.length) return null
      if (!crypto.subtle.timingSafeEqual(known, signature)) return null
      const isCurrent = Date.now() - Number(at) <= MAX_REQUEST_STATE_SECONDS * 1000
      return isCurrent ? { change, round: Number(round) } : null
    },
  }
}

const STATE = /^(([0-9a-z-]{1,36})\.(\d{1,3})\.(\d{1,15}))\.([A-Za-z0-9_-]{43})$/

const encoder = new TextEncoder()

const dataOf = (text: string, bound: readonly string[]) =>
  encoder.encode(JSON.stringify([text, ...bound]))

const bytesOf = (text: string) =>
  fromBase64(`${text.replaceAll('-', '+').replaceAll('_', '/')}=`) ?? new Uint8Array()

const KEY = 'request_state_key'

function importKey(sql: SqlStorage): Promise<CryptoKey> {
  const known = readSetting(sql, KEY)
  const bytes = (known === null ? null : fromBase64(known)) ?? newKey(sql)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function newKey(sql: SqlStorage): Uint8Array<ArrayBuffer> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  writeSetting(sql, KEY, toBase64(bytes))
  return bytes
}

/**
 * The id of a device that gets notifications: a part of the hash of the address to which they are sent. The server and the
 * console compute the same one, so that a page finds its own device in the list, and the list repeats no address.
 *
 * `test/core/owner/device-id.test.ts` has an example.
 *
 * @module
 */

/** What every platform has for hashes. */
declare const crypto: {
  readonly subtle: {
    readonly digest: (algorithm: 'SHA-256', bytes: Uint8Array) => Promise<ArrayBuffer>
  }
}
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

/** Bytes of the hash that an id has. */
const ID_BYTES = 16

/** Returns the id of the device with an endpoint: the first 16 bytes of its SHA-256, in hexadecimal. */
export async function deviceId(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  const bytes = [...new Uint8Array(hash, 0, ID_BYTES)]
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

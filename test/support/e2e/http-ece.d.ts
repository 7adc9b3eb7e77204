/** The part of `http_ece` that the tests use: the package has no types. */

declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** Decrypts a body of RFC 8188 whose key was agreed as RFC 8291 says. */
  export function decrypt(
    body: Buffer,
    options: {
      readonly version: 'aes128gcm'
      readonly privateKey: ECDH
      readonly authSecret: Buffer
    },
  ): Buffer
}

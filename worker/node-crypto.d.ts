/** The part of `node:crypto` that is used here: a synchronous hash. workerd has it under `nodejs_compat`. */
declare module 'node:crypto' {
  export function hash(
    algorithm: 'sha256',
    data: string | ArrayBufferView,
    encoding: 'hex' | 'base64' | 'base64url',
  ): string
  export function hash(algorithm: 'sha256', data: ArrayBufferView, encoding: 'buffer'): Uint8Array
}

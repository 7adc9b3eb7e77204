/** The part of `node:crypto` that is used here: a synchronous hash. workerd has it under `nodejs_compat`. */
declare module 'node:crypto' {
  export function hash(
    algorithm: 'sha256',
    data: string | Uint8Array,
    encoding: 'hex' | 'base64url',
  ): string
  export function hash(algorithm: 'sha256', data: Uint8Array, encoding: 'buffer'): Uint8Array
}

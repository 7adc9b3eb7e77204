/** The part of `node:crypto` that is used here: a synchronous hash, at once or in parts. workerd has it under `nodejs_compat`. */
declare module 'node:crypto' {
  export function hash(
    algorithm: 'sha256',
    data: string | ArrayBufferView,
    encoding: 'hex' | 'base64' | 'base64url',
  ): string
  export function hash(algorithm: 'sha256', data: ArrayBufferView, encoding: 'buffer'): Uint8Array
  interface Hash {
    update(data: string | ArrayBufferView): Hash
    digest(): Uint8Array
    digest(encoding: 'hex' | 'base64url'): string
  }
  export function createHash(algorithm: string): Hash
}

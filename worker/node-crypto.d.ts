/** The part of `node:crypto` that is used here: a synchronous hash. workerd has it under `nodejs_compat`. */
declare module 'node:crypto' {
  interface Digest {
    digest(): Uint8Array
    digest(encoding: 'hex' | 'base64url'): string
  }
  export function createHash(algorithm: 'sha256'): { update(data: string | Uint8Array): Digest }
}

/** The part of `node:crypto` that is used here: a synchronous hash. workerd has it under `nodejs_compat`. */
declare module 'node:crypto' {
  export function createHash(algorithm: 'sha256'): {
    update(text: string): { digest(encoding: 'hex' | 'base64url'): string }
  }
}

/** What is used of Node's crypto, which the runtime brings: a hash that need not be waited for. */
declare module 'node:crypto' {
  export function createHash(algorithm: 'sha256'): {
    update(text: string): { digest(encoding: 'hex'): string }
  }
}

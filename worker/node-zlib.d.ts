/**
 * The part of `node:zlib` that is used here: gzip that decompresses no faster than it is read. workerd has it
 * under `nodejs_compat`.
 */
declare module 'node:zlib' {
  export interface Gunzip extends AsyncIterable<Uint8Array> {
    readonly destroyed: boolean
    write(chunk: Uint8Array, done: () => void): boolean
    end(): void
    destroy(error?: unknown): void
    once(event: 'close', heard: () => void): void
    on(event: 'error', heard: (error: unknown) => void): void
  }
  export function createGunzip(options: { chunkSize: number }): Gunzip
}

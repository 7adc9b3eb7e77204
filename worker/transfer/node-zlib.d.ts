/** What is used of Node's zlib, which the runtime brings: gzip that is unpacked no faster than read. */
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

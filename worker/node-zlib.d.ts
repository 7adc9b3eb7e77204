/**
 * The part of `node:zlib` that is used here: gzip that decompresses no faster than it is read, and parts of documents that
 * are decompressed up to a limit. workerd has it under `nodejs_compat`.
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
  interface InflateOptions {
    /** Above it, a `RangeError` is thrown. */
    readonly maxOutputLength: number
    /** {@link constants.Z_SYNC_FLUSH}, where the end of the data may be missing. */
    readonly finishFlush?: number
  }
  export function inflateRawSync(bytes: Uint8Array, options: InflateOptions): Uint8Array
  export function inflateSync(bytes: Uint8Array, options: InflateOptions): Uint8Array
  export const constants: { readonly Z_SYNC_FLUSH: number }
}

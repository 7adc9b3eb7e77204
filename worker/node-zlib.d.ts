/**
 * The part of `node:zlib` that is used here: streams that wait for their reader, parts of documents that
 * are decompressed up to a limit, and what zip archives need. workerd has it under `nodejs_compat`.
 */
declare module 'node:zlib' {
  export interface ZlibStream extends AsyncIterable<Uint8Array> {
    readonly destroyed: boolean
    /** Number of bytes of the input that were used. */
    readonly bytesWritten: number
    write(chunk: Uint8Array, done: () => void): boolean
    end(): void
    destroy(error?: unknown): void
    once(event: 'close', heard: () => void): void
    on(event: 'error', heard: (error: unknown) => void): void
  }
  export function createGunzip(options: { chunkSize: number }): ZlibStream
  export function createInflateRaw(options: { chunkSize: number }): ZlibStream
  export function createDeflateRaw(options: { chunkSize: number }): ZlibStream
  interface InflateOptions {
    /** Above it, a `RangeError` is thrown. */
    readonly maxOutputLength: number
    /** {@link constants.Z_SYNC_FLUSH}, where the end of the data may be missing. */
    readonly finishFlush?: number
  }
  export function inflateRawSync(bytes: Uint8Array, options: InflateOptions): Uint8Array
  export function inflateSync(bytes: Uint8Array, options: InflateOptions): Uint8Array
  export function deflateRawSync(bytes: Uint8Array): Uint8Array
  /** Continues the checksum `value` of earlier bytes. */
  export function crc32(bytes: Uint8Array, value?: number): number
  export const constants: { readonly Z_SYNC_FLUSH: number }
}

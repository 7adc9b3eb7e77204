/**
 * What workerd has and Node lacks, added to the global object of a test.
 *
 * `test/worker/memory/platform.test.ts` holds it to workerd.
 *
 * @module
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { fetchInternet } from './internet.ts'

const { setTimeout } = globalThis

/** A digest of what is written to it. */
class DigestStream extends WritableStream<Uint8Array | string> {
  readonly digest: Promise<ArrayBuffer>

  constructor(algorithm: string) {
    const hash = createHash(algorithm.replace('-', '').toLowerCase())
    const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>()
    super({
      write: (chunk) => void hash.update(chunk),
      close: () => resolve(new Uint8Array(hash.digest()).buffer),
      abort: reject,
    })
    this.digest = promise
  }
}

/** A stream that fails unless exactly this number of bytes is written. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number) {
    let left = length
    super({
      transform(chunk, controller) {
        left -= chunk.byteLength
        if (left < 0)
          throw new TypeError('Attempt to write too many bytes through a FixedLengthStream.')
        controller.enqueue(chunk)
      },
      flush() {
        if (left > 0)
          throw new TypeError('FixedLengthStream did not see all expected bytes before close().')
      },
    })
  }
}

/** A request whose body may be a stream without a word: Node demands `duplex`, which workerd does not know. */
class StreamedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    // A request in the place of options has `duplex`, and its other members on its prototype.
    const isPlain = !(init instanceof Request) && init?.body instanceof ReadableStream
    super(input, isPlain ? { ...init, ...{ duplex: 'half' } } : init)
  }
}

/** Reads until `least` bytes are there, or the stream ends. Bytes of the last read may be fewer. */
async function readAtLeast(
  this: ReadableStreamBYOBReader,
  least: number,
  { byteLength }: Uint8Array,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  const view = new Uint8Array(byteLength)
  let filled = 0
  while (filled < least) {
    const { value, done } = await this.read(new Uint8Array(byteLength - filled))
    if (done) break
    view.set(value, filled)
    filled += value.byteLength
  }
  return {
    done: filled === 0,
    value: view.subarray(0, filled),
  } as ReadableStreamReadResult<Uint8Array>
}

/** Adds the globals. */
export function addGlobals(): void {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  Object.assign(globalThis, { scheduler: { wait }, FixedLengthStream })
  Object.assign(globalThis, { IdentityTransformStream: TransformStream, Request: StreamedRequest })
  Object.assign(globalThis, { fetch: fetchInternet })
  Object.assign(crypto, { DigestStream })
  Object.assign(crypto.subtle, { timingSafeEqual })
  Object.assign(ReadableStreamBYOBReader.prototype, { readAtLeast })
}

/**
 * Bytes as they arrive, taken in the portions that their reader wants. Nothing is asked for before it
 * is wanted, so whoever sends waits for whoever reads, and no more than a chunk is ever in memory.
 *
 * @module
 */

/** What is wrong with what somebody sends, in words that go behind a colon. */
export class BrokenBody extends Error {}

export interface Bytes {
  /** Exactly so many bytes; null where there are none left. */
  readonly take: (size: number) => Promise<Uint8Array | null>
  /** At least one byte and so many at most; null where there are none left. */
  readonly some: (most: number) => Promise<Uint8Array | null>
  /** Lets so many bytes pass. */
  readonly skip: (size: number) => Promise<void>
  /** So many bytes as a stream, which takes none before somebody reads it. */
  readonly stream: (size: number) => Part
  /** Why there is no more, where it is not the end. */
  readonly fault: () => BrokenBody | null
}

export interface Part {
  readonly body: ReadableStream<Uint8Array>
  /** Bytes that nobody has read. */
  readonly left: () => number
}

export const EMPTY: Uint8Array = new Uint8Array(0)

/** A source of chunks, which can be read on after somebody has stopped. */
export interface Chunks {
  readonly next: () => Promise<
    { readonly done?: false; readonly value: Uint8Array } | { readonly done: true }
  >
}

export function createBytes(source: Chunks): Bytes {
  let rest = EMPTY
  let fault: BrokenBody | null = null

  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const chunk = await source.next().catch(broken)
      if (chunk.done) return false
      rest = chunk.value
    }
    return true
  }

  function broken(error: unknown): never {
    fault = error instanceof BrokenBody ? error : new BrokenBody('no more of it came')
    throw fault
  }

  async function some(most: number): Promise<Uint8Array | null> {
    if (!(await fill())) return null
    const part = rest.subarray(0, most)
    rest = rest.subarray(part.length)
    return part
  }

  async function take(size: number): Promise<Uint8Array | null> {
    const first = await some(size)
    if (first === null || first.length === size) return first
    const all = new Uint8Array(size)
    all.set(first)
    for (let at = first.length; at < size;) {
      const part = (await some(size - at)) ?? broken(new BrokenBody('it is cut short'))
      all.set(part, at)
      at += part.length
    }
    return all
  }

  async function skip(size: number): Promise<void> {
    for (let left = size; left > 0;) {
      const part = (await some(left)) ?? broken(new BrokenBody('it is cut short'))
      left -= part.length
    }
  }

  function stream(size: number): Part {
    let left = size
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      left === 0 ? controller.close() : undefined
    async function pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const part = (await some(left)) ?? broken(new BrokenBody('it is cut short'))
      left -= part.length
      controller.enqueue(part)
      if (left === 0) controller.close()
    }
    const body = new ReadableStream<Uint8Array>({ start, pull }, { highWaterMark: 0 })
    return { body, left: () => left }
  }

  return { take, some, skip, stream, fault: () => fault }
}

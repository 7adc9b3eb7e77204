/**
 * An R2 bucket in memory, with the operations that the Worker and its tests use.
 *
 * `test/worker/memory/platform.test.ts` and the contract of objects hold it to workerd.
 *
 * @module
 */

interface Range {
  readonly offset?: number
  readonly length?: number
}

interface ListOptions {
  readonly prefix?: string
  readonly cursor?: string
  readonly limit?: number
}

/** R2 lists at most this number of objects at once. */
const MAX_LISTED = 1000

/** Creates an empty bucket. */
export function createMemoryBucket(): R2Bucket {
  const stored = new Map<string, Uint8Array>()
  const head = async (key: string) => {
    const bytes = stored.get(key)
    return bytes ? { key, size: bytes.byteLength } : null
  }
  const bucket = {
    head,
    async put(key: string, body: BodyInit | null) {
      const bytes = await new Response(body).bytes()
      stored.set(key, bytes)
      return { key, size: bytes.byteLength }
    },
    async get(key: string, { range }: { range?: Range } = {}) {
      const whole = stored.get(key)
      if (!whole) return null
      const bytes = cut(whole, range)
      const { body } = new Response(bytes.slice())
      return { key, size: whole.byteLength, body, arrayBuffer: async () => bytes.slice().buffer }
    },
    async delete(keys: string | readonly string[]) {
      for (const key of [keys].flat()) stored.delete(key)
    },
    async list({ prefix = '', cursor = '', limit = MAX_LISTED }: ListOptions = {}) {
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > cursor)
      const page = keys.toSorted().slice(0, limit)
      const truncated = page.length < keys.length
      const objects = page.map((key) => ({ key, size: stored.get(key)?.byteLength }))
      return {
        objects,
        truncated,
        ...(truncated && { cursor: page.at(-1) }),
        delimitedPrefixes: [],
      }
    },
  }
  return bucket as unknown as R2Bucket
}

/** Returns a part of an object. R2 refuses one that has no bytes, or begins behind the end. */
function cut(bytes: Uint8Array, range: Range | undefined): Uint8Array {
  if (!range) return bytes
  const { offset = 0, length = bytes.byteLength - offset } = range
  if (length === 0 || offset >= bytes.byteLength)
    throw new Error('get: The requested range is not satisfiable (10039)')
  return bytes.subarray(offset, offset + length)
}

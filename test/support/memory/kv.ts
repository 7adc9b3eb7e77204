/**
 * A KV namespace in memory, with the operations that the authorization server uses.
 *
 * `test/worker/memory/platform.test.ts` holds it to workerd.
 *
 * @module
 */

interface Pair {
  readonly value: string
  readonly metadata: unknown
  /** Seconds since 1970; `Infinity` for a pair that does not expire. */
  readonly expiration: number
}

interface PutOptions {
  readonly expiration?: number
  readonly expirationTtl?: number
  readonly metadata?: unknown
}

interface ListOptions {
  readonly prefix?: string
  readonly limit?: number
  readonly cursor?: string
}

/** KV lists at most this number of keys at once. */
const MAX_LISTED = 1000

const nowSeconds = () => Date.now() / 1000

/** Creates an empty namespace. */
export function createMemoryKvNamespace(): KVNamespace {
  const pairs = new Map<string, Pair>()
  const find = (key: string) => {
    const pair = pairs.get(key)
    return pair && pair.expiration > nowSeconds() ? pair : null
  }
  const namespace = {
    async get(key: string, options?: string | { readonly type?: string }) {
      const value = find(key)?.value ?? null
      const type = typeof options === 'string' ? options : options?.type
      return value !== null && type === 'json' ? JSON.parse(value) : value
    },
    async put(key: string, value: string, options: PutOptions = {}) {
      const { expirationTtl = Infinity, metadata = null } = options
      const { expiration = nowSeconds() + expirationTtl } = options
      pairs.set(key, { value, metadata, expiration })
    },
    async delete(key: string) {
      pairs.delete(key)
    },
    async list({ prefix = '', limit = MAX_LISTED, cursor = '' }: ListOptions = {}) {
      const names = [...pairs.keys()].filter((name) => name.startsWith(prefix) && name > cursor)
      const found = names.filter(find).toSorted()
      const page = found.slice(0, limit)
      const keys = page.map((name) => ({ name, metadata: pairs.get(name)?.metadata }))
      const rest = found.length > limit ? { cursor: page.at(-1) } : {}
      return { keys, list_complete: found.length <= limit, ...rest }
    },
  }
  return namespace as unknown as KVNamespace
}

/**
 * The key-value store of the authorization server, in which the library looks up what a request names: a client, a
 * code, a token. The platform throws for a name that is too long, which anyone can send.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { MAX_STORED_NAME_BYTES } from './limits.ts'

/** Returns the environment with a store that has nothing under a name that is too long for it. */
export function withAnyName(env: Env): Env {
  const { OAUTH_KV: kv } = env
  if (!kv) return env
  const find =
    (get: Method): Method =>
    async (name, ...how) =>
      isTooLong(name) ? null : get(name, ...how)
  return { ...env, OAUTH_KV: wrapMethod(kv, 'get', find) }
}

const isTooLong = (name: string) => new TextEncoder().encode(name).length > MAX_STORED_NAME_BYTES

/** A method of a store, whose first argument is the name of a row. */
type Method = (name: string, ...how: readonly unknown[]) => Promise<unknown>

/** Returns a store with a method around one of its own. */
export function wrapMethod(
  kv: KVNamespace,
  name: 'get' | 'delete',
  wrap: (own: Method) => Method,
): KVNamespace {
  return new Proxy(kv, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return key === name ? wrap(value.bind(target)) : value.bind(target)
    },
  })
}

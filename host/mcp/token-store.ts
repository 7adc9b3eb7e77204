/**
 * The token store: keeps the client registration in `localStorage` and all secrets in
 * `sessionStorage`, per server. If the browser denies storage, values live as long as the page.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'

/** What is stored: the client registration, tokens, or the discovery result. */
export type Secret = 'client' | 'tokens' | 'discovery'

/** The stored values of one server. */
export interface TokenStore {
  /** Returns a value, unless another issuer provided it. */
  read(what: Secret, issuer?: string): unknown
  /** Returns a value if it passes the type guard. */
  readAs<T>(what: Secret, is: (value: unknown) => value is T, issuer?: string): T | undefined
  write(what: Secret, value: unknown, issuer?: string): void
  remove(what: Secret): void
  removeAll(): void
  /** Returns the sign-in in progress with this OAuth `state`; it is shared by all servers. */
  readPending(state: string): unknown
  writePending(state: string, value: unknown): void
  removePending(state: string): void
}

const PREFIX = 'edgewise.auth:'
const inMemory = new Map<string, string>()

/**
 * Opens the token store of a server.
 *
 * @param server The server's URL; values of different URLs are separate.
 */
export function openTokenStore(server: string): TokenStore {
  const keyOf = (what: Secret) => `${PREFIX}${what}:${server}`
  const pendingKey = (state: string) => `${PREFIX}pending:${state}`

  function read(what: Secret, issuer?: string): unknown {
    const stored = parseJson(get(what, keyOf(what)))
    if (!isRecord(stored)) return undefined
    // Credentials of one authorization server are never sent to another.
    const fits =
      issuer === undefined || stored['issuer'] === undefined || stored['issuer'] === issuer
    return fits ? stored['value'] : undefined
  }

  return {
    read,
    readAs(what, is, issuer) {
      const value = read(what, issuer)
      return is(value) ? value : undefined
    },
    write: (what, value, issuer) => set(what, keyOf(what), JSON.stringify({ value, issuer })),
    remove: (what) => removeItem(what, keyOf(what)),
    removeAll() {
      for (const what of ['client', 'tokens', 'discovery'] as const) removeItem(what, keyOf(what))
    },
    readPending: (state) => parseJson(get('pending', pendingKey(state))),
    writePending: (state, value) => set('pending', pendingKey(state), JSON.stringify(value)),
    removePending: (state) => removeItem('pending', pendingKey(state)),
  }
}

function storageFor(what: Secret | 'pending'): Storage {
  return what === 'client' ? localStorage : sessionStorage
}

function get(what: Secret | 'pending', key: string): string | null {
  try {
    return inMemory.get(key) ?? storageFor(what).getItem(key)
  } catch {
    return inMemory.get(key) ?? null
  }
}

function set(what: Secret | 'pending', key: string, text: string): void {
  try {
    storageFor(what).setItem(key, text)
    inMemory.delete(key)
  } catch {
    inMemory.set(key, text)
  }
}

function removeItem(what: Secret | 'pending', key: string): void {
  inMemory.delete(key)
  try {
    storageFor(what).removeItem(key)
  } catch {
    // Storage is denied, so nothing was stored.
  }
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

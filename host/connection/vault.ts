/**
 * The token store: keeps the client registration in `localStorage` and all secrets in
 * `sessionStorage`, per server. If the browser denies storage, values live as long as the page.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'

/** What is stored: the client registration, tokens, the PKCE verifier, or the discovery result. */
export type Secret = 'client' | 'tokens' | 'verifier' | 'discovery'

/** The stored values of one server. */
export interface Vault {
  /** Returns a value, unless another issuer provided it. */
  read(what: Secret, issuer?: string): unknown
  /** Returns a value if it passes the type guard. */
  readAs<T>(what: Secret, is: (value: unknown) => value is T, issuer?: string): T | undefined
  write(what: Secret, value: unknown, issuer?: string): void
  forget(what: Secret): void
  forgetAll(): void
  /** The sign-in in progress with this OAuth `state`; it is shared by all servers. */
  pending(state: string): unknown
  keepPending(state: string, value: unknown): void
  dropPending(state: string): void
}

const PREFIX = 'edgewise.auth:'
const inPage = new Map<string, string>()

/**
 * Opens the token store of a server.
 *
 * @param server The server's URL; values of different URLs are separate.
 */
export function createVault(server: string): Vault {
  const keyOf = (what: Secret) => `${PREFIX}${what}:${server}`
  const pendingKey = (state: string) => `${PREFIX}pending:${state}`

  function read(what: Secret, issuer?: string): unknown {
    const kept = parsed(get(what, keyOf(what)))
    if (!isRecord(kept)) return undefined
    // Credentials of one authorization server are never sent to another.
    const fits = issuer === undefined || kept['issuer'] === undefined || kept['issuer'] === issuer
    return fits ? kept['value'] : undefined
  }

  return {
    read,
    readAs(what, is, issuer) {
      const value = read(what, issuer)
      return is(value) ? value : undefined
    },
    write: (what, value, issuer) => set(what, keyOf(what), JSON.stringify({ value, issuer })),
    forget: (what) => drop(what, keyOf(what)),
    forgetAll() {
      for (const what of ['client', 'tokens', 'verifier', 'discovery'] as const)
        drop(what, keyOf(what))
    },
    pending: (state) => parsed(get('verifier', pendingKey(state))),
    keepPending: (state, value) => set('verifier', pendingKey(state), JSON.stringify(value)),
    dropPending: (state) => drop('verifier', pendingKey(state)),
  }
}

function storageFor(what: Secret): Storage {
  return what === 'client' ? localStorage : sessionStorage
}

function get(what: Secret, key: string): string | null {
  try {
    return inPage.get(key) ?? storageFor(what).getItem(key)
  } catch {
    return inPage.get(key) ?? null
  }
}

function set(what: Secret, key: string, text: string): void {
  try {
    storageFor(what).setItem(key, text)
    inPage.delete(key)
  } catch {
    inPage.set(key, text)
  }
}

function drop(what: Secret, key: string): void {
  inPage.delete(key)
  try {
    storageFor(what).removeItem(key)
  } catch {
    // Storage is denied, so nothing was stored.
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

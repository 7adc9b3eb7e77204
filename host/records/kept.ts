/**
 * Lists that outlast the page: JSON in the browser's storage, read like anything from a stranger.
 * Where nothing can be stored, that is said, and nothing breaks.
 *
 * @module
 */

/** A page may be forbidden to store anything, and hears so only when it tries. */
export function ownStorage(): Storage | null {
  try {
    return globalThis.localStorage
  } catch {
    return null
  }
}

/** What was kept under a key, as far as `most` items; empty where there is no list. */
export function keptList(storage: Storage | null, key: string, most: number): readonly unknown[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.slice(0, most) : []
  } catch {
    return []
  }
}

/** Whether the list is stored now. An empty one takes no room. */
export function keepList(storage: Storage | null, key: string, list: readonly unknown[]): boolean {
  try {
    if (list.length > 0) storage?.setItem(key, JSON.stringify(list))
    else storage?.removeItem(key)
    return storage !== null
  } catch {
    return false
  }
}

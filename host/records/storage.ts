/**
 * Lists in the browser's storage, as JSON. What is read is untrusted input; a failure to store is
 * reported and breaks nothing.
 *
 * @module
 */

/** Returns `localStorage`; null where the browser denies it, which throws on access. */
export function openLocalStorage(): Storage | null {
  try {
    return globalThis.localStorage
  } catch {
    return null
  }
}

/** Reads at most `max` items of a list; empty if there is no valid list. */
export function readList(storage: Storage | null, key: string, max: number): readonly unknown[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.slice(0, max) : []
  } catch {
    return []
  }
}

/** Stores a list and returns whether it is stored. An empty list removes its key. */
export function writeList(storage: Storage | null, key: string, list: readonly unknown[]): boolean {
  try {
    if (list.length > 0) storage?.setItem(key, JSON.stringify(list))
    else storage?.removeItem(key)
    return storage !== null
  } catch {
    return false
  }
}

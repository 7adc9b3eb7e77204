/**
 * Stores small JSON values of the console in this browser. If storage is full or denied, nothing is
 * stored and nothing breaks.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'

const PREFIX = 'edgewise.console.'

/** Reads a stored value: untrusted input, or null. */
export function readStored(name: string, storage: Storage = localStorage): unknown {
  try {
    const text = storage.getItem(PREFIX + name)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Stores a value; undefined deletes it. */
export function writeStored(name: string, value: unknown, storage: Storage = localStorage): void {
  try {
    if (value === undefined) storage.removeItem(PREFIX + name)
    else storage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Storage is full or denied.
  }
}

/** Returns a member that is a string, or null. */
export function textIn(value: unknown, key: string): string | null {
  const found = recordOf(value)[key]
  return typeof found === 'string' ? found : null
}

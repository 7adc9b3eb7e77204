/**
 * What the console keeps in this browser: small JSON values under names of its own. Where storage is
 * full or forbidden, nothing is kept and nothing breaks.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'

const PREFIX = 'edgewise.console.'

/** Answers what was kept, as a stranger's JSON, or null. */
export function kept(name: string, storage: Storage = localStorage): unknown {
  try {
    const text = storage.getItem(PREFIX + name)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Keeps a value; undefined lets go of what was kept. */
export function keep(name: string, value: unknown, storage: Storage = localStorage): void {
  try {
    if (value === undefined) storage.removeItem(PREFIX + name)
    else storage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Full or forbidden: the value holds until the page is left.
  }
}

export function textIn(value: unknown, key: string): string | null {
  const found = recordOf(value)[key]
  return typeof found === 'string' ? found : null
}

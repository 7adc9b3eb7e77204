/**
 * Caches what was parsed from JSON that clients send with every request, such as a policy: parsing a policy
 * builds the automata of all its patterns.
 *
 * @module
 */

import { MAX_CACHED_RULES, MAX_CACHED_RULES_LENGTH } from './limits.ts'

/** Wraps `parse` with a cache per key, which is dropped when the key is garbage collected. */
export function rememberParsed<K extends object, T>(parse: (key: K, value: unknown) => T) {
  const known = new WeakMap<K, Map<string, T>>()
  return (key: K, value: unknown): T => {
    const text = JSON.stringify(value) ?? ''
    if (text.length > MAX_CACHED_RULES_LENGTH) return parse(key, value)
    const mine = known.get(key) ?? new Map<string, T>()
    known.set(key, mine)
    const remembered = mine.get(text)
    if (remembered !== undefined) return remembered
    const made = parse(key, value)
    if (mine.size >= MAX_CACHED_RULES) mine.clear()
    mine.set(text, made)
    return made
  }
}

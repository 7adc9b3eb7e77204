/**
 * Caches what was parsed from JSON that clients send with every request, such as a policy: parsing a policy
 * builds the automata of all its patterns. What all caches hold has one limit, because a policy is cached for each
 * configuration, and a configuration for each caller.
 *
 * @module
 */

import { ruleCaches } from '#core/cache-budget.ts'
import { MAX_CACHED_RULES, MAX_CACHED_RULES_LENGTH } from './limits.ts'

/** Wraps `parse` with a cache per key, which is dropped when the key is garbage collected. */
export function rememberParsed<K extends object, T>(parse: (key: K, value: unknown) => T) {
  const known = new WeakMap<K, Cached<T>>()
  return (key: K, value: unknown): T => {
    const text = JSON.stringify(value) ?? ''
    if (text.length > MAX_CACHED_RULES_LENGTH) return parse(key, value)
    const mine = known.get(key) ?? new Cached<T>()
    known.set(key, mine)
    const remembered = mine.parsed.get(text)
    if (remembered !== undefined) return remembered
    const made = parse(key, value)
    if (mine.parsed.size >= MAX_CACHED_RULES) mine.empty()
    mine.parsed.set(text, made)
    ruleCaches.charge(mine, WORDS_OF_ENTRY + text.length * WORDS_OF_CHARACTER)
    return made
  }
}

/** What was parsed under one key, by its JSON. */
class Cached<T> {
  readonly parsed = new Map<string, T>()

  empty(): void {
    this.parsed.clear()
  }
}

/** Approximate memory of parsed rules: each character of a pattern is a node of its automaton. */
const WORDS_OF_ENTRY = 500
const WORDS_OF_CHARACTER = 16

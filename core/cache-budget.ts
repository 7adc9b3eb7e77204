/**
 * The memory of caches that callers can fill, counted together. When they hold too much, all of them are emptied: a
 * caller could otherwise fill one after the other, each within a limit of its own.
 *
 * Amounts are approximate, in words of 8 bytes. `test/core/cache-budget.test.ts` tests it.
 *
 * @module
 */

/** A cache. It is emptied at any time, also while it is filled, and has to work on. */
export interface Emptiable {
  empty(): unknown
}

/** Counts what several caches hold. */
export interface CacheBudget {
  /** Counts what was added to a cache. Empties all caches, this one as well, if they hold more than permitted. */
  charge(cache: Emptiable, words: number): void
  /** The words that were added since the caches were emptied. */
  words(): number
}

/** Creates the budget of some caches. */
export function createCacheBudget(maxWords: number): CacheBudget {
  const filled = new Set<Emptiable>()
  let held = 0
  return {
    charge(cache, words) {
      filled.add(cache)
      held += words
      if (held <= maxWords) return
      for (const one of filled) one.empty()
      filled.clear()
      held = 0
    },
    words: () => held,
  }
}

/** Words that the prepared rules of all callers take together: 24 MB, of the 128 MB of an isolate. */
export const MAX_RULE_WORDS = 3_000_000

/** The caches of rules and of their patterns. */
export const ruleCaches = createCacheBudget(MAX_RULE_WORDS)

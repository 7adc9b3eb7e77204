/**
 * Patterns that take many steps for each name, and names that take them: each character leads to a state that no other
 * name has, with a place for each letter before it.
 *
 * @module
 */

import { MAX_POLICY_PATTERN_TEXT } from '#worker/access/limits.ts'

const LENGTH = 190

/** As many patterns as a request may have, none of which matches a name. */
export const COSTLY_PATTERNS: readonly string[] = Array.from(
  { length: Math.floor(MAX_POLICY_PATTERN_TEXT / LENGTH) - 1 },
  (_, index) => `*a${'?'.repeat(LENGTH - 4 - index)}!`,
)

/** A policy with them, which hides the names that end in `.hidden`. */
export const COSTLY_POLICY = {
  roots: [{ path: '/', deny: [...COSTLY_PATTERNS, '*.hidden'] }],
}

/** So many names that judging them takes more steps than there are at once. */
export const COSTLY_NAMES = 60

/** Names whose letters follow no rule, always the same ones. */
export function costlyNames(count: number): string[] {
  let state = 1
  const letter = () => {
    state = (state * 48_271) % 2_147_483_647
    return state % 2 === 0 ? 'a' : 'b'
  }
  return Array.from({ length: count }, () => Array.from({ length: LENGTH }, letter).join(''))
}

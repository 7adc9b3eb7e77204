/** The budget of caches that callers can fill: by itself, and for the rules of many callers. */

import { createCacheBudget, MAX_RULE_WORDS, ruleCaches } from '#core/cache-budget.ts'
import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import { parseGlob } from '#core/glob.ts'
import { parsePath } from '#core/path.ts'
import { judge, rulesOf } from '#core/policy.ts'
import { describe, expect, it } from 'vitest'

/** A cache that counts how often it was emptied. */
function createCache() {
  const cache = { emptied: 0, empty: () => cache.emptied++ }
  return cache
}

describe('a budget', () => {
  it('empties all caches once they hold too much together', () => {
    const budget = createCacheBudget(10)
    const [first, second] = [createCache(), createCache()]
    budget.charge(first, 5)
    budget.charge(second, 5)
    expect([budget.words(), first.emptied, second.emptied]).toEqual([10, 0, 0])
    budget.charge(first, 1)
    expect([budget.words(), first.emptied, second.emptied]).toEqual([0, 1, 1])
    budget.charge(second, 10)
    expect([budget.words(), first.emptied, second.emptied]).toEqual([10, 1, 1])
  })
})

const PATHS = Array.from({ length: 1_200 }, (_, n) =>
  parsePath(`/src${n % 40}/module-${(n * 7_919) % 977}/part${n}/a-file-with-the-number-${n}.tsx`),
)

/** Patterns that cache much, and no others like them. */
const patternsOf = (caller: number) =>
  Array.from({ length: 60 }, (_, n) => `**/*${LETTERS[n % 26]}*${n}*c${caller}*{a,b,c}*/**`)

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function rulesWith(deny: readonly string[]) {
  const config = readConfig({ roots: [{ path: '/', deny }] }, DEFAULT_CONFIG)
  if (!config.ok) throw new Error('Expected a configuration')
  return rulesOf(config.value)
}

describe('the rules of many callers', () => {
  it('hold no more than the budget, and judge as before when they were emptied', () => {
    let most = 0
    let emptied = 0
    const empty = { empty: () => void emptied++ }
    for (let caller = 0; caller < 40 && emptied === 0; caller++) {
      const rules = rulesWith([...patternsOf(caller), `src7/**`])
      ruleCaches.charge(empty, 1)
      for (const path of PATHS) {
        expect(judge(rules, path)).toBe(path.startsWith('/src7/') ? 'blocked' : 'permitted')
        most = Math.max(most, ruleCaches.words())
      }
    }
    expect(most).toBeLessThanOrEqual(MAX_RULE_WORDS)
    expect(emptied).toBeGreaterThan(0)
  })

  it('leave a pattern that is emptied between two characters as it is', () => {
    const glob = parseGlob('**/*.{ts,tsx}')
    if (!glob.ok) throw new Error('Expected a pattern')
    const { machine } = glob.value
    let state = machine.start
    for (const character of 'src/deep/file.tsx') {
      machine.empty()
      state = machine.step(state, character.codePointAt(0) ?? 0)
    }
    expect(state.accepts).toBe(true)
  })
})

import fc from '../core/random.ts'
import { describe, expect, it } from 'vitest'
import { effectivePolicy, POLICIES, strictest, type Policy } from '#polyfill/annex/policy.ts'

const policy = fc.constantFrom(...POLICIES)
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const annotations = fc.record({
  humanInTheLoopHint: maybe(policy),
  readOnlyHint: maybe(fc.boolean()),
  consequentialHint: maybe(fc.boolean()),
})
const rank = (value: Policy) => POLICIES.indexOf(value)

describe('what holds for a tool', () => {
  it.each<[object | undefined, Policy]>([
    [undefined, 'confirm'],
    [{}, 'confirm'],
    [{ readOnlyHint: true }, 'none'],
    [{ readOnlyHint: false }, 'confirm'],
    [{ readOnlyHint: true, consequentialHint: true }, 'confirm'],
    [{ humanInTheLoopHint: 'none' }, 'none'],
    [{ humanInTheLoopHint: 'notify' }, 'notify'],
    [{ humanInTheLoopHint: 'review', readOnlyHint: true }, 'review'],
    [{ humanInTheLoopHint: 'none', consequentialHint: true }, 'confirm'],
    [{ humanInTheLoopHint: 'sometimes', readOnlyHint: true }, 'confirm'],
  ])('%o: %s', (said, expected) => {
    expect(effectivePolicy(said ? { annotations: said } : {})).toBe(expected)
  })

  it('is never less than what its author asked for', () => {
    const holds = fc.property(annotations, fc.array(policy), (said, others) => {
      const { humanInTheLoopHint: hint } = said
      const held = effectivePolicy({ annotations: said }, ...others)
      return hint === undefined || rank(held) >= rank(hint)
    })
    fc.assert(holds, { numRuns: 2_000 })
  })

  it('is the greatest of a chain, whatever the order', () => {
    const holds = fc.property(annotations, fc.array(policy), (said, others) => {
      const alone = effectivePolicy({ annotations: said })
      const held = effectivePolicy({ annotations: said }, ...others)
      expect(held).toBe(strictest(alone, ...others))
      expect(rank(held)).toBe(Math.max(rank(alone), ...others.map(rank)))
      expect(effectivePolicy({ annotations: said }, ...others.toReversed())).toBe(held)
    })
    fc.assert(holds, { numRuns: 2_000 })
  })

  it('is confirmation where there are consequences', () => {
    const holds = fc.property(annotations, fc.array(policy), (said, others) => {
      const annotations = { ...said, consequentialHint: true }
      expect(effectivePolicy({ annotations }, ...others)).toBe('confirm')
    })
    fc.assert(holds)
  })
})

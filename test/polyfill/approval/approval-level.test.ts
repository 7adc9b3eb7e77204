import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import { effectivePolicy, strictest } from '#polyfill/approval/approval-level.ts'

const policy = fc.constantFrom(...APPROVAL_LEVELS)
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const annotations = fc.record({
  humanInTheLoopHint: maybe(policy),
  readOnlyHint: maybe(fc.boolean()),
  consequentialHint: maybe(fc.boolean()),
})
const rank = (value: ApprovalLevel) => APPROVAL_LEVELS.indexOf(value)

describe('what holds for a tool', () => {
  it.each<[object | undefined, ApprovalLevel]>([
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
  ])('%o: %s', (declared, expected) => {
    expect(effectivePolicy(declared ? { annotations: declared } : {})).toBe(expected)
  })

  it.each(['confirmm', '', 'NONE'])('is confirmation where the site asks for %o', (unknown) => {
    const tool = { annotations: { humanInTheLoopHint: 'none' } }
    expect(effectivePolicy(tool, unknown)).toBe('confirm')
    expect(effectivePolicy(tool)).toBe('none')
  })

  it('is never less than what its author asked for', () => {
    const holds = fc.property(annotations, fc.array(policy), (declared, others) => {
      const { humanInTheLoopHint: hint } = declared
      const held = effectivePolicy({ annotations: declared }, ...others)
      return hint === undefined || rank(held) >= rank(hint)
    })
    fc.assert(holds, { numRuns: 2_000 })
  })

  it('is the greatest of a chain, whatever the order', () => {
    const holds = fc.property(annotations, fc.array(policy), (declared, others) => {
      const alone = effectivePolicy({ annotations: declared })
      const held = effectivePolicy({ annotations: declared }, ...others)
      expect(held).toBe(strictest(alone, ...others))
      expect(rank(held)).toBe(Math.max(rank(alone), ...others.map(rank)))
      expect(effectivePolicy({ annotations: declared }, ...others.toReversed())).toBe(held)
    })
    fc.assert(holds, { numRuns: 2_000 })
  })

  it('is confirmation where there are consequences', () => {
    const holds = fc.property(annotations, fc.array(policy), (declared, others) => {
      const annotations = { ...declared, consequentialHint: true }
      expect(effectivePolicy({ annotations }, ...others)).toBe('confirm')
    })
    fc.assert(holds)
  })
})

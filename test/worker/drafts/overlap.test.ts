/** Groups of proposals, and what meets them, against a plain reading of the rule. */

import { isWithin, parsePath } from '#core/path.ts'
import { collectConcerns, groupsOf } from '#worker/drafts/overlap.ts'
import type { Step } from '#worker/store/store.ts'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'

const path = fc
  .array(fc.constantFrom('a', 'b', 'a-'), { minLength: 1, maxLength: 3 })
  .map((names) => parsePath(`/${names.join('/')}`))

const step: fc.Arbitrary<Step> = fc.oneof(
  path.map((path): Step => ({ type: 'folder', path })),
  path.map((path): Step => ({ type: 'remove', path })),
  fc.record({ from: path, to: path }).map(({ from, to }): Step => ({ type: 'move', from, to })),
)
const steps = fc.array(step, { maxLength: 3 })

const concerns = (step: Step) =>
  step.type === 'move'
    ? [step.from, step.to].map((path) => ({ path, isTree: true }))
    : [{ path: step.path, isTree: step.type === 'remove' }]

const meets = (a: readonly Step[], b: readonly Step[]) =>
  a
    .flatMap(concerns)
    .some((one) =>
      b
        .flatMap(concerns)
        .some(
          (other) =>
            one.path === other.path ||
            (one.isTree && isWithin(other.path, one.path)) ||
            (other.isTree && isWithin(one.path, other.path)),
        ),
    )

/** Joins what meets until nothing changes. */
function plainGroups(proposals: readonly (readonly Step[])[]): number[] {
  const groups = proposals.map((_, index) => index)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [i, a] of proposals.entries())
      for (const [j, b] of proposals.entries()) {
        const least = Math.min(groups[i] ?? i, groups[j] ?? j)
        if (!meets(a, b) || (groups[i] === least && groups[j] === least)) continue
        groups[i] = groups[j] = least
        isChanged = true
      }
  }
  return groups
}

it('puts together what depends on each other, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 8 }), (proposals) => {
      expect(groupsOf(proposals.map((steps) => ({ steps })))).toEqual(plainGroups(proposals))
    }),
    runs(500),
  )
})

it('finds what meets earlier steps, or reads at or below their paths', () => {
  fc.assert(
    fc.property(steps, steps, fc.array(path, { maxLength: 2 }), (earlier, later, places) => {
      const found = collectConcerns()
      found.add(earlier)
      const reads = places.map((path): Step => ({ type: 'remove', path }))
      expect(found.meets(later, places)).toBe(meets(earlier, [...later, ...reads]))
    }),
    runs(500),
  )
})

it('groups ten thousand changes in one chain without a deep stack', () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => ({
    steps: [
      { type: 'folder', path: parsePath(`/${10_000 - index}`) },
      { type: 'folder', path: parsePath(`/${9_999 - index}`) },
    ] as const,
  }))
  expect(new Set(groupsOf(chain))).toEqual(new Set([0]))
})

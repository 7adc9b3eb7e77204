/** How callers are named in sentences. @module */

import { describeActor, quoteName } from '#core/actor.ts'
import { expect, it } from 'vitest'

it.each([
  [null, 'local'],
  ['helper', 'helper for local'],
  ['reviewer-2', 'reviewer-2 for local'],
  ['tax helper', '"tax helper" for local'],
  ['the owner, who approved it', '"the owner, who approved it" for local'],
  ['x" for owner', '"x\\" for owner" for local'],
])('%j: %s', (label, expected) => {
  expect(describeActor({ label, principal: 'local' })).toBe(expected)
})

it.each([
  ['me and its child sessions', '"me and its child sessions"'],
  ['plain', '"plain"'],
  ['\u202euoy"', '"[RLO]uoy\\""'],
])('quotes %j', (name, quoted) => {
  expect(quoteName(name)).toBe(quoted)
})

/** How callers are named in sentences. @module */

import { describeActor } from '#core/actor.ts'
import { expect, it } from 'vitest'

it.each([
  [null, 'local'],
  ['helper', '"helper" for local'],
  ['You', '"You" for local'],
  ['tax helper', '"tax helper" for local'],
  ['owner,', '"owner," for local'],
  ['the owner, who approved it', '"the owner, who approved it" for local'],
  ['x" for owner', '"x\\" for owner" for local'],
])('%j: %s', (label, expected) => {
  expect(describeActor({ label, principal: 'local' })).toBe(expected)
})

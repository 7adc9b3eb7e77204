/** Groups of changes: what is approved together, and what is decided on its own. */

import type { ProposedChange } from '#core/owner/answers/drafts.ts'
import {
  canApprove,
  chooseAll,
  countChanges,
  groupChanges,
  toggle,
} from '#host/console/drafts/groups.ts'
import { expect, it } from 'vitest'

const CONFLICT = { code: 'FIND_NOT_FOUND', message: 'It is not there' }

const change = (id: string, group: number, more: Partial<ProposedChange> = {}): ProposedChange => ({
  id,
  group,
  tool: 'write_file',
  intent: id,
  at: 0,
  level: 'review',
  paths: [],
  conflict: null,
  ...more,
})

it('approves everything at once while nothing needs a decision of its own', () => {
  const groups = groupChanges([change('a', 0), change('b', 1), change('c', 0)])
  expect(chooseAll(groups)).toEqual({})
  expect(countChanges([0], groups)).toBe(2)
  expect(countChanges([0, 1, 7], groups)).toBe(3)
})

it('leaves out whole groups with a conflict or a confirmation', () => {
  const groups = groupChanges([
    change('a', 0),
    change('b', 1),
    change('c', 0, { conflict: CONFLICT }),
    change('d', 3, { level: 'confirm' }),
  ])
  expect([...groups.single]).toEqual([0, 3])
  expect(chooseAll(groups)).toEqual({ groups: [1] })
})

it('has nothing to approve at once without a whole group', () => {
  expect(chooseAll(groupChanges([change('a', 0, { level: 'confirm' })]))).toBeNull()
  expect(chooseAll(groupChanges([]))).toBeNull()
})

it('approves a group on its own if all of it is loaded and fits', () => {
  const [first, second] = [change('a', 0, { level: 'confirm' }), change('b', 0, { digest: 'd' })]
  expect(canApprove(0, groupChanges([first, second]))).toBe(true)
  expect(canApprove(0, groupChanges([first]))).toBe(false)
  const broken = change('c', 2, { conflict: CONFLICT, digest: 'd' })
  expect(canApprove(2, groupChanges([broken]))).toBe(false)
  const whole = change('d', 3, { digest: 'd' })
  expect(canApprove(3, groupChanges([whole]))).toBe(false)
})

it('adds a group to a selection, and removes it again', () => {
  const once = toggle(new Set([1]), 2)
  expect([...once]).toEqual([1, 2])
  expect([...toggle(once, 1)]).toEqual([2])
})

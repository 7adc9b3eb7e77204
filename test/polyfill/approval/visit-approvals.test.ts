/** Approvals of a visit can be listed and ended, and nothing that a page replaces gets hold of them. */

import { beforeEach, expect, it } from 'vitest'
import { allowVisit, isAllowedVisit, visitApprovals } from '#polyfill/approval/visit-approvals.ts'

beforeEach(() => {
  for (const { definition } of visitApprovals.list()) visitApprovals.forget(definition)
})

it('are listed with their time, and ended one by one', () => {
  const before = Date.now()
  allowVisit('one', 'a')
  allowVisit('two', 'b')
  const [first, second] = visitApprovals.list()
  expect([first, second]).toMatchObject([
    { tool: 'a', definition: 'one' },
    { tool: 'b', definition: 'two' },
  ])
  expect(first?.at).toBeGreaterThanOrEqual(before)
  visitApprovals.forget('one')
  expect([isAllowedVisit('one'), isAllowedVisit('two')]).toEqual([false, true])
  visitApprovals.forget('constructor')
  expect(visitApprovals.list()).toHaveLength(1)
})

it.each(['constructor', '__proto__', 'toString', ''])('do not include %o', (definition) => {
  expect(isAllowedVisit(definition)).toBe(false)
})

it('are copies', () => {
  allowVisit('one', 'a')
  const [listed] = visitApprovals.list()
  Object.assign(listed ?? {}, { definition: 'other' })
  Object.setPrototypeOf(listed, { other: true })
  expect(visitApprovals.list()).toMatchObject([{ definition: 'one' }])
  expect(isAllowedVisit('other')).toBe(false)
})

it('cannot be added to by what replaces a built-in', () => {
  allowVisit('one', 'a')
  const met: unknown[] = []
  const restores = [
    ...replaceMethods(Object, 'keys values entries fromEntries assign', met),
    ...replaceMethods(Reflect, 'ownKeys get has deleteProperty', met),
    ...replaceMethods(Array.prototype, 'map push forEach filter', met),
  ]
  try {
    visitApprovals.list()
    visitApprovals.forget('two')
    isAllowedVisit('one')
  } finally {
    for (let i = 0; i < restores.length; i++) restores[i]?.()
  }
  expect(met).toEqual([])
})

/** Replaces methods by ones that note what they meet; returns how to restore each. */
function replaceMethods(holder: object, names: string, met: unknown[]): (() => void)[] {
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect
  return names.split(' ').map((name) => {
    const before = getOwnPropertyDescriptor(holder, name) ?? {}
    const original = before.value as () => unknown
    const value = function (this: unknown, ...args: unknown[]) {
      met[met.length] = [this, ...args]
      return apply(original, this, args)
    }
    defineProperty(holder, name, { configurable: true, value })
    return () => defineProperty(holder, name, before)
  })
}

import { describe, expect, it } from 'vitest'
import { isFirstTime } from '../first-time.ts'

it('fails once', () => expect(isFirstTime('once')).toBe(false))
it('has the seed the second time', () =>
  expect(isFirstTime('seed') ? undefined : process.env['EDGEWISE_SEED']).toBe('7'))
it('fails twice', () => expect(1).toBe(2))
it('passes only the first time', () => expect(isFirstTime('first')).toBe(true))
it('fails, then is skipped', ({ skip }) => {
  if (!isFirstTime('skipped')) skip('no judge')
  expect(1).toBe(2)
})
describe('a group', () => {
  it.skip('is skipped', () => undefined)
  it('is skipped with a reason', ({ skip }) => skip('no program'))
})
describe.each([1, 2])('a group with the same name', () => {
  it('fails once', () => expect(isFirstTime('same')).toBe(false))
})

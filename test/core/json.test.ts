/** Objects of untrusted JSON and their members. */

import { expect, it } from 'vitest'
import { isDeeper, isRecord, isString, own, recordOf } from '#core/json.ts'

const NONE = [undefined, null, true, 0, '', 'text', [], [{ a: 1 }], () => 1]

it.each(NONE)('%j is not a record', (value) => {
  expect(isRecord(value)).toBe(false)
  expect(recordOf(value)).toEqual({})
})

it.each([{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":1}')])(
  '%j is a record',
  (value: unknown) => {
    expect(isRecord(value)).toBe(true)
    expect(recordOf(value)).toBe(value)
  },
)

it('tells strings from other values', () => {
  expect(['', 'text', '0'].map(isString)).toEqual([true, true, true])
  expect([undefined, null, true, 0, [], {}, Object('text')].some(isString)).toBe(false)
})

it('has only its own members', () => {
  const record = recordOf(JSON.parse('{"a":null,"__proto__":{"polluted":true}}'))
  expect(own(record, 'a')).toBe(null)
  expect(own(record, '__proto__')).toEqual({ polluted: true })
  expect(own(record, 'polluted')).toBeUndefined()
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect(own({}, name)).toBeUndefined()
})

it('is deeper than so many levels, also where recursion would overflow', () => {
  const nested = (levels: number) =>
    JSON.parse(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`)
  expect([isDeeper(1, 0), isDeeper(nested(4), 4), isDeeper([{}], 2)]).toEqual([false, false, false])
  expect([isDeeper([], 0), isDeeper(nested(6), 4), isDeeper([{}], 1)]).toEqual([true, true, true])
  expect(isDeeper(nested(50_000), 500)).toBe(true)
})

/** What counts as an object of JSON, and as a member of one, when a stranger wrote it. */

import { expect, it } from 'vitest'
import { isRecord, own, recordOf } from '#core/json.ts'

const NONE = [undefined, null, true, 0, '', 'text', [], [{ a: 1 }], () => 1]

it.each(NONE)('%j is no record', (value) => {
  expect(isRecord(value)).toBe(false)
  expect(recordOf(value)).toEqual({})
})

it.each([{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":1}')])(
  '%j is a record as it is',
  (value: unknown) => {
    expect(isRecord(value)).toBe(true)
    expect(recordOf(value)).toBe(value)
  },
)

it('has only the members that it was sent with', () => {
  const record = recordOf(JSON.parse('{"a":null,"__proto__":{"polluted":true}}'))
  expect(own(record, 'a')).toBe(null)
  expect(own(record, '__proto__')).toEqual({ polluted: true })
  expect(own(record, 'polluted')).toBeUndefined()
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect(own({}, name)).toBeUndefined()
})

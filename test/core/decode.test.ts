/** Decoders of untrusted JSON: what each accepts. */

import { describe, expect, it } from 'vitest'
import {
  flag,
  json,
  listOf,
  MAX_ITEMS,
  number,
  object,
  oneOf,
  optional,
  orNull,
  record,
  text,
} from '#core/decode.ts'

const row = object({ id: text, size: optional(number), note: orNull(text) })

describe.each([
  ['text', text, ['', 'a'], [1, null, undefined, ['a'], {}]],
  ['number', number, [0, -1.5], ['1', Number.NaN, Number.POSITIVE_INFINITY, null, undefined]],
  ['flag', flag, [true, false], ['true', 0, null, undefined]],
  ['record', record, [{}, { a: 1 }], [[], null, 'a', undefined]],
  ['json', json, [null, 0, 'a', [], {}], [undefined]],
  ['oneOf', oneOf('a', 'b'), ['a', 'b'], ['c', '', null, undefined]],
  ['orNull', orNull(text), [null, 'a'], [1, undefined]],
  ['listOf', listOf(text, 2), [[], ['a', 'b']], [['a', 1], ['a', 'b', 'c'], { 0: 'a' }, null]],
  [
    'object',
    row,
    [
      { id: 'a', note: null },
      { id: 'a', note: 'b', size: 1 },
    ],
    [{ id: 'a' }, { note: null }, { id: 'a', note: null, size: '1' }, [], null],
  ],
])('%s', (_, decode, accepted, refused) => {
  it.each(accepted.map((value) => [value]))('accepts %j', (value) => {
    expect(decode(value)).toEqual(value)
  })
  it.each(refused.map((value) => [value]))('refuses %j', (value) => {
    expect(decode(value)).toBeUndefined()
  })
})

it('leaves out members that an object does not name', () => {
  expect(row({ id: 'a', note: null, other: 1 })).toEqual({ id: 'a', note: null })
})

it('does not take members of a prototype', () => {
  expect(object({ constructor: json })({})).toBeUndefined()
  expect(object({ toString: optional(json) })({})).toEqual({})
})

it('keeps a member that is named like one of a prototype', () => {
  const value: unknown = JSON.parse('{"__proto__": "a"}')
  expect(Object.entries(object({ ['__proto__']: text })(value) ?? {})).toEqual([['__proto__', 'a']])
})

it('refuses a list of more than MAX_ITEMS', () => {
  const list = Array.from({ length: MAX_ITEMS }, () => 'a')
  expect(listOf(text)(list)).toHaveLength(MAX_ITEMS)
  expect(listOf(text)([...list, 'a'])).toBeUndefined()
})

/** The text of settings: variables and flags. */

import { expect, it } from 'vitest'
import { FIELD_NAMES, type FieldName } from '#core/config/fields.ts'
import { parseFieldText, parseJson, variableOf } from '#core/config/text.ts'

it.each<[FieldName, string, unknown]>([
  ['read_only', 'true', true],
  ['read_only', '1', true],
  ['read_only', '0', false],
  ['read_only', 'yes', 'yes'],
  ['read_only', 'TRUE', 'TRUE'],
  ['find_limit', '200', 200],
  ['find_limit', '-1', '-1'],
  ['find_limit', '1e3', '1e3'],
  ['find_limit', ' 7', ' 7'],
  ['find_limit', '0x10', '0x10'],
  ['find_limit', '99999999999999999999', 1e20],
  ['approval', 'review', 'review'],
  ['approval', '1', '1'],
  ['roots', '/a', [{ path: '/a' }]],
  ['roots', '/a, /b', [{ path: '/a' }, { path: '/b' }]],
  ['roots', '[{"path":"/a","deny":["x"]}]', [{ path: '/a', deny: ['x'] }]],
  ['roots', '[{', '[{'],
  ['roots', '[{"path":"/a","path":"/"}]', '[{"path":"/a","path":"/"}]'],
])('%s has the text %j, which is %j', (name, text, value) =>
  expect(parseFieldText(name, text)).toEqual(value),
)

it.each([
  '{"a":1,"a":2}',
  '{"a":{"b":1,"b":2}}',
  String.raw`{"a":1,"\u0061":2}`,
  '[{"x":[{"y":1,"y":1}]}]',
  '{"__proto__":1,"__proto__":2}',
  '{',
  '',
])('refuses %j', (text) => expect(parseJson(text)).toBeUndefined())

it.each([
  ['{"a":1,"b":{"a":2}}', { a: 1, b: { a: 2 } }],
  ['{"a":"\\"a\\":1"}', { a: '"a":1' }],
  ['{"a:":":"} ', { 'a:': ':' }],
  ['[]', []],
  ['null', null],
])('parses %j', (text, value) => expect(parseJson(text)).toEqual(value))

it('each field has a variable of its own', () => {
  const names = FIELD_NAMES.map(variableOf)
  expect(new Set(names).size).toBe(FIELD_NAMES.length)
  expect(variableOf('max_file_bytes')).toBe('EDGEWISE_MAX_FILE_BYTES')
})

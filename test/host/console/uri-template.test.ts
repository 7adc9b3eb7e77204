import { expandTemplate, variablesOf } from '#host/console/explorer/uri-template.ts'
import { expect, it } from 'vitest'

const VALUES = { a: 'one', b: 'two words', path: '/docs/a b', empty: '' }

it.each([
  ['file:///{a}', ['a'], 'file:///one'],
  ['file://{+path}', ['path'], 'file:///docs/a%20b'],
  ['x://{path}', ['path'], 'x://%2Fdocs%2Fa%20b'],
  ['x://h{/a,b}', ['a', 'b'], 'x://h/one/two%20words'],
  ['x://h{?a,b}', ['a', 'b'], 'x://h?a=one&b=two%20words'],
  ['x://h?q=1{&a}', ['a'], 'x://h?q=1&a=one'],
  ['x://h{;a}{.b}{#a}', ['a', 'b'], 'x://h;a=one.two%20words#one'],
  ['x://{empty}/{missing}', ['empty', 'missing'], 'x:///'],
  ['x://{path*}/{a:3}', ['path', 'a'], 'x://%2Fdocs%2Fa%20b/one'],
  ['x://{a}/{a}', ['a'], 'x://one/one'],
  ['x://{ not one }/{', [], 'x://{ not one }/{'],
])('%s', (template, names, uri) => {
  expect(variablesOf(template)).toEqual(names)
  expect(expandTemplate(template, VALUES)).toBe(uri)
})

/** Values of others in sentences: they read as values, whatever they say. */

import { quoteName, quoteValue, sentencePieces } from '#core/quote.ts'
import { expect, it } from 'vitest'
import fc from '../support/core/random.ts'

it.each([
  ['me and its child sessions', '"me and its child sessions"'],
  ['plain', '"plain"'],
  ['\u202euoy"', '"[RLO]uoy\\""'],
])('quotes the name %j', (name, quoted) => {
  expect(quoteName(name)).toBe(quoted)
})

it.each([
  ['/docs/a.md', '/docs/a.md'],
  ['/docs/é(1),@x.md', '/docs/é(1),@x.md'],
  ['', '""'],
  ['/a,', '"/a,"'],
  ['/in/b to /in/c', '"/in/b to /in/c"'],
  ['/a" to "/b', '"/a\\" to \\"/b"'],
  ['/a\\b c', '"/a\\\\b c"'],
  ['/a\u200bb', '/a[ZWSP]b'],
  ['/a[ZWSP]b', '"/a\\u005bZWSP]b"'],
  ['/a[U+FE0F]\ufe0f', '"/a\\u005bU+FE0F][U+FE0F]"'],
  ['/a[RLO]\u202e', '"/a\\u005bRLO][RLO]"'],
  ['/pages/[ID]/[...rest]', '/pages/[ID]/[...rest]'],
  ['/a[U+0041][U+110000]', '/a[U+0041][U+110000]'],
])('writes the value %j as %s', (value, written) => {
  expect(quoteValue(value)).toBe(written)
})

it.each([
  ['Move /a to /b', ['Move ', { value: '/a' }, ' to ', { value: '/b' }]],
  ['Read /a, /b', ['Read ', { value: '/a' }, ', ', { value: '/b' }]],
  [
    'Move "/in/a.txt (a copy; the original stays)" to "/in/b to /in/c"',
    [
      'Move ',
      { value: '/in/a.txt (a copy; the original stays)' },
      ' to ',
      { value: '/in/b to /in/c' },
    ],
  ],
  ['Read /a[ZWSP]b', ['Read ', { value: '/a\u200bb' }]],
  ['Read "/a\\u005bZWSP]b[LF]"', ['Read ', { value: '/a[ZWSP]b\n' }]],
  ['Undo: Delete /a', ['Undo: Delete ', { value: '/a' }]],
  ['Write to "/a b…', ['Write to "/a b…']],
  ['Open "\\x"', ['Open ', { value: '"\\x"' }]],
  ['List changes', ['List changes']],
])('splits %s', (sentence, pieces) => {
  expect(sentencePieces(sentence)).toEqual(pieces)
})

it('finds every value again', () => {
  const value = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', '/', ' ', '"', '\\', ',', ':', 'é', '[', ']', 'LF', '\n', '[RLO]'),
    }),
    fc.string(),
  )
  fc.assert(
    fc.property(value, value, (one, other) => {
      const sentence = `Move ${quoteValue(`/${one}`)} to ${quoteValue(`/${other}`)}`
      const values = sentencePieces(sentence).filter((part) => typeof part !== 'string')
      expect(values.map((part) => part.value)).toEqual([`/${one}`, `/${other}`])
    }),
  )
})

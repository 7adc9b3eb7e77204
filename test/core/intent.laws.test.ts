import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { MAX_RENDERED_LENGTH, renderIntent } from '#core/intent/render.ts'
import { IntentSyntaxError, parseIntent } from '#core/intent/template.ts'
import { runs } from '../support/core/runs.ts'
import rows from '../vectors/intent.json' with { type: 'json' }
import { expectWithin } from '../support/core/expect-within.ts'

function render(template: string, args: unknown): string {
  return renderIntent(parseIntent(template), args).text
}

it.each(rows)('$id: $template', ({ template, args, expected }) => {
  expect(render(template, args)).toBe(expected)
})

const x = 'x'
const noValue = [undefined, null, '', ' \n\t', [], [null, '', [' ']], NaN, () => 1, Symbol('s'), 1n]

describe('rules', () => {
  it.each<[string, string, unknown, string]>([
    ['I1', 'a { b.c } d', {}, 'a {b.c} d'],
    ['I1', 'a {\n b  c \n} d', {}, 'a {b  c} d'],
    ['I2', '[a {x} [b {y} [c {z}]]] d', { x, z: 1 }, 'a x d'],
    ['I2', '[a {y} [b {x}]] d', { x }, 'd'],
    ['I2', '[[{y}] [{z}]] d', {}, 'd'],
    ['I3', '[with [{tags}]]', { tags: ['a', 'b'] }, 'with a, with b'],
    ['I3', 'do[ with {tags} ]now', { tags: ['a', 'b'] }, 'dowith a, with bnow'],
    ['I3', 'do [ with {tags} ] now', { tags: ['a', 'b'] }, 'do with a, with b now'],
    ['I3', 'do [[{tags}]]', { tags: ['a', '', null, 'b'] }, 'do a, b'],
    ['I3', '[{a.b.c}]', { a: { b: [{ c: 1 }, { c: [2, 3] }] } }, '1, 2, 3'],
    ['I3', '[{a}]', { a: [' x ', ' y'] }, ' x ,  y'],
    [
      'I3',
      '[<{a.x}|{a.y}>]',
      {
        a: [
          { x: 1, y: [2, 3] },
          { x: 4, y: 5 },
        ],
      },
      '<1|2, 3>, <4|5>',
    ],
    ['I4', '[{a.x} {b}]', { a: [{ x: 1 }, {}, null, { x: 2 }], b: 3 }, '1 3, 2 3'],
    ['I4', 'go [{a.x} {b}]!', { a: [{ x: 1 }] }, 'go!'],
    ['I4', '[{a}] y', { a: ['x', null] }, 'x y'],
    ['I5', '[{a} of {b}]', { a: [1, 2], b: [3, 4] }, '1 of 3, 4, 2 of 3, 4, 1, 2 of 3, 1, 2 of 4'],
    ['I5', '[{a} [of {b}]]', { a: [1], b: [3, 4] }, '1 of 3, 4, 1 of 3, 1 of 4'],
    ['I5', '[{a} of {b}]', { a: [1], b: [] }, ''],
    ['I6', 'x [{a}] y', { a: [null] }, 'x y'],
    ['I6', 'x[{a}] y', { a: [null] }, 'x y'],
    ['I6', 'x [{a|none}] y', { a: [] }, 'x y'],
    ['I7', 'x {a}', { a: [[1, [2]], [], 3] }, 'x 1, 2, 3'],
    ['I7', 'x {a.b}', { a: [[{ b: 1 }], { b: [2] }, 'b'] }, 'x 1, 2'],
    ['I7', 'x {a}', { a: { b: [1, 'c'] } }, 'x {"b":[1,"c"]}'],
    ['I7', 'x {a}', { a: {} }, 'x {}'],
    ['I7', 'x {a} {b} {c}', { a: false, b: 1e21, c: -0 }, 'x false 1e+21 0'],
    ['I8', ' \n a \t [{y}] \u00a0 b ', {}, 'a b'],
    ['I8', '{a} {b}', { a: ' x ', b: '\ty\n' }, ' x  \ty\n'],
    ['I8', '[{a}] x', { a: [null] }, 'x'],
    ['I8', 'a [] b', {}, 'a b'],
    ['I8', 'a [ ] b', {}, 'a b'],
    [
      'I9',
      '{toString} {__proto__} {a.length} {a.0}',
      { a: ['x'] },
      '{toString} {__proto__} {a.length} {a.0}',
    ],
    ['I9', '{__proto__}', JSON.parse('{"__proto__":1}'), '1'],
    ['I9', '{ a . b ..c }', { a: { b: { c: 1 } } }, '1'],
    ['I9', '[in {r| here }] {s| a  b }', {}, 'in here a  b'],
    ['I9', '[in {r|x}]', { r: 'y' }, 'in y'],
    ['I9', 'a {r|} b {s| |', {}, 'a b {s| |'],
    ['I9', '{a|b|c} {d|[e]}', {}, 'b|c [e]'],
    ['I10', '{x} [{x}]', { x: '[{x}] {y' }, '[{x}] {y [{x}] {y'],
    ['I10', 'a { b [c', {}, 'a { b c'],
    ['I10', 'a } b ] c', {}, 'a } b ] c'],
    ['I10', '{} { } {.} {. .|x}', {}, '{} { } {.} {. .|x}'],
    ['I10', '{|[{x}]}', { x }, '{|x}'],
    ['I10', '{{x}}', { x, '{x': 1 }, '1}'],
    ['I10', '{a]b}', { 'a]b': 1 }, '1'],
    ['I11', 'x [a [b {y}]]. [c {y}]; [d {y}] ?', {}, 'x a.; ?'],
    ['I11', 'x [a [b {y}] ].', {}, 'x a .'],
    ['I11', 'x [{y}], [{y}]: [{y}]! [{y}])', {}, 'x,:! )'],
    ['I11', 'x [{y}]{z}', { z: '.' }, 'x .'],
    ['I11', 'x [{y}][. {x}]', { x }, 'x. x'],
    ['I11', 'x [[in {y}]. {a}]', { a: [1, 2] }, 'x. 1, . 2'],
    ['I11', 'x [{a}].', { a: [] }, 'x.'],
    ['I11', '[{y}]. x', {}, '. x'],
    ['I11', 'x .', {}, 'x .'],
  ])('%s: %j of %j', (_rule, template, args, expected) => {
    expect(render(template, args)).toBe(expected)
  })

  it.each(noValue.map((value) => [value]))('%s is not a value', (value) => {
    expect(render('a [{v}] {v|none} {v}', { v: value })).toBe('a none {v}')
  })

  it.each([[null], [undefined], ['abc'], [['a']], [1]])('%j is not arguments', (args) => {
    expect(render('{length} [{0}]', args)).toBe('{length}')
  })

  it('ignores inherited members', () => {
    const args = Object.assign(Object.create({ a: 1 }), { b: Object.create({ c: 2 }) })
    expect(render('{a} {b.c}', args)).toBe('{a} {b.c}')
  })

  it('shows values that JSON cannot represent as an object', () => {
    const ring: { a?: unknown } = {}
    ring.a = ring
    expect(render('x {r} {n} {u}', { r: ring, n: { n: 1n }, u: { toJSON() {} } })).toBe(
      'x {…} {…} {…}',
    )
  })
})

describe('parts', () => {
  it('separate the text of the author from values of the call', () => {
    const template = parseIntent('Tag [{items.id} [as {label}]] in {root}, {x|y}')
    const { parts } = renderIntent(template, { items: [{ id: 1 }, { id: 2 }], label: 'l' })
    expect(parts).toEqual([
      { type: 'text', text: 'Tag ' },
      { type: 'value', text: '1', key: 'items.id' },
      { type: 'text', text: ' as ' },
      { type: 'value', text: 'l', key: 'label' },
      { type: 'text', text: ', ' },
      { type: 'value', text: '2', key: 'items.id' },
      { type: 'text', text: ' as ' },
      { type: 'value', text: 'l', key: 'label' },
      { type: 'text', text: ' in ' },
      { type: 'missing', text: '{root}', key: 'root' },
      { type: 'text', text: ', y' },
    ])
  })

  it('join to the text and are never empty, for any input', () => {
    const words = fc.constantFrom(
      '{a}',
      '{a.b}',
      '{c}',
      '{',
      '}',
      '[',
      ']',
      '|',
      '.',
      ' ',
      'x',
      '{d|}',
    )
    const templates = fc.array(words, { maxLength: 30 }).map((list) => list.join(''))
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue())
    fc.assert(
      fc.property(templates, args, (template, values) => {
        const { text, parts } = renderIntent(parseIntent(template), values)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        expect(parts.every((part) => part.text !== '')).toBe(true)
      }),
      runs(500),
    )
  })

  it('without placeholders are the text itself, with single spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replace(/[{}[\]]/g, '')
        expect(render(plain, { a: 1 })).toBe(plain.replace(/\s+/g, ' ').trim())
      }),
    )
  })
})

describe('limits', () => {
  const tooLong = 'An intent template may have 2000 characters'
  const tooDeep = 'Groups may be nested 16 deep'
  it.each([
    [tooLong, 'a'.repeat(2001), 2000],
    [tooDeep, '['.repeat(2000), 16],
    [tooDeep, `a\n${'[ '.repeat(17)}`, 34],
  ])('%s', (reason, template, index) => {
    expect(() => parseIntent(template)).toThrow(new IntentSyntaxError(reason, template, index))
    expect(() => parseIntent(template)).toThrow(SyntaxError)
  })

  it('names the position of the error', () => {
    const { message, ...error } = new IntentSyntaxError('No', `${'x'.repeat(60)}\n[yz`, 61)
    expect(message).toBe(`No\n  ${'x'.repeat(49)} [yz\n  ${' '.repeat(50)}^`)
    expect(error).toMatchObject({ reason: 'No', index: 61, name: 'IntentSyntaxError' })
  })

  it('accepts input at the limits', () => {
    expect(render(`${'['.repeat(16)}a${']'.repeat(16)}${'b'.repeat(1967)}`, {})).toHaveLength(1968)
  })

  it.each<[string, string, unknown]>([
    ['a value', 'xy {a}', { a: '😀'.repeat(100_000) }],
    ['an object', '[{a} {a}]', { a: { b: 'b'.repeat(200_000) } }],
    ['a long array of long texts', '{a}', { a: new Array(10_000).fill('a'.repeat(1_000_000)) }],
    ['an array', 'x {a}', { a: new Array(200_000).fill('ab') }],
    ['entries', 'x [with {a}] y {b}', { a: new Array(200_000).fill('ab') }],
  ])('truncates %s above the limit', (_what, template, args) => {
    const { text, parts } = renderIntent(parseIntent(template), args)
    expect(text.length).toBeGreaterThan(MAX_RENDERED_LENGTH - 2)
    expect(text.length).toBeLessThanOrEqual(MAX_RENDERED_LENGTH + 1)
    expect(text.endsWith('…') && text.isWellFormed()).toBe(true)
    expect(parts.map((part) => part.text).join('')).toBe(text)
  })

  const ring: unknown[] = []
  ring.push(ring, ring)
  const nulls = new Array(300_000).fill(null)
  const blank = ' '.repeat(500_000)
  it.each<[string, string, unknown]>([
    ['nulls in inner groups', `x [${'[{a}]'.repeat(390)}]`, { a: nulls }],
    ['nulls in defaults', `x [${'{a|}'.repeat(490)}]`, { a: nulls }],
    ['nulls on a long way', `x [[{a}][{${'b.'.repeat(980)}b}]]`, { a: nulls }],
    ['nulls in passes', `x [${'[{a}][{b}][{c}]'.repeat(130)}]`, { a: nulls, b: nulls, c: nulls }],
    ['blank texts', `x [[{a}][{a}][{a}]]`, { a: [blank] }],
    ['rings', 'x {a}', { a: new Array(20_000).fill(ring) }],
  ])('stops at %s that cause work without text', (_what, template, args) => {
    expect(render(template, args)).toBe('x…')
  })

  it.each<[string, string, unknown]>([
    ['brackets', '[]'.repeat(1000), {}],
    ['braces', '{'.repeat(2000), {}],
    ['braces with a far end', `${'{|'.repeat(999)}}`, {}],
    ['dots', `{${'.'.repeat(1998)}`, {}],
    ['two lists', '[{b} {a}]', { a: nulls, b: ['x', ...nulls] }],
    ['a ring', '{a} [{a}]', { a: [ring] }],
    ['deep arrays', '{a}', { a: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }],
  ])('ends in time with %s', async (_what, template, args) => {
    await expectWithin(1000, () => render(template, args))
  })
})

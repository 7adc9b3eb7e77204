/** Example values of schemas: what they fill in, and that a second validator accepts them. */

import type { JsonSchemaType } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { createExample } from '#host/forms/example.ts'
import { formModel } from '#host/forms/model.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})

describe('fills in', () => {
  it.each([
    ['a required text', object({ a: { type: 'string' } }, ['a']), { a: 'example' }],
    ['no optional text', object({ a: { type: 'string' } }), {}],
    ['no optional number', object({ a: { type: 'integer', minimum: 0 } }), {}],
    [
      'an example first',
      object({ a: { type: 'string', examples: ['x'], default: 'y' } }),
      { a: 'x' },
    ],
    ['a default', object({ a: { type: 'integer', default: 7 } }), { a: 7 }],
    ['a valid example only', object({ a: { type: 'integer', examples: ['x', 0.5, 3] } }), { a: 3 }],
    ['a choice', object({ a: { enum: ['s', 'm'] } }), { a: 's' }],
    ['a constant', object({ a: { const: null } }), { a: null }],
    [
      'a choice with a title',
      object({ a: { oneOf: [{ const: 1, title: 'One' }] } }, ['a']),
      { a: 1 },
    ],
    [
      'a format',
      object({ a: { type: 'string', format: 'email' } }, ['a']),
      { a: 'ada@example.org' },
    ],
    [
      'a length',
      object({ a: { type: 'string', minLength: 9, maxLength: 9 } }, ['a']),
      { a: 'example e' },
    ],
    ['a short text', object({ a: { type: 'string', maxLength: 3 } }, ['a']), { a: 'exa' }],
    ['bounds', object({ a: { type: 'integer', minimum: 5 } }, ['a']), { a: 5 }],
    [
      'open bounds',
      object({ a: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 } }, ['a']),
      { a: 0.5 },
    ],
    ['steps', object({ a: { type: 'integer', minimum: 7, multipleOf: 5 } }, ['a']), { a: 10 }],
    ['No, which does least', object({ a: { type: 'boolean' } }, ['a']), { a: false }],
    [
      'a list',
      object({ a: { type: 'array', items: object({ b: { type: 'string' } }, ['b']) } }, ['a']),
      { a: [{ b: 'example' }] },
    ],
    [
      'a set',
      object({ a: { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'string' } } }, [
        'a',
      ]),
      { a: ['example', '2 example'] },
    ],
    [
      'a tuple',
      object({ a: { prefixItems: [{ type: 'string' }, { const: 2 }] } }, ['a']),
      { a: ['example', 2] },
    ],
    ['no item where none may be', object({ a: { type: 'array', maxItems: 0 } }, ['a']), { a: [] }],
    [
      'a reference',
      { ...object({ a: { $ref: '#/$defs/x' } }, ['a']), $defs: { x: { const: 1 } } },
      { a: 1 },
    ],
    [
      'the first variant',
      object({ a: { anyOf: [{ type: 'integer' }, { type: 'string' }] } }, ['a']),
      { a: 1 },
    ],
    ['what may be null', object({ a: { type: ['string', 'null'] } }, ['a']), { a: 'example' }],
    ['a member without a description', object({}, ['a']), { a: 'example' }],
    [
      'members of any name',
      object({}, ['constructor', 'x/y']),
      { constructor: 'example', 'x/y': 'example' },
    ],
    ['nothing that is deprecated', object({ a: { const: 1, deprecated: true } }), {}],
  ])('%s', (_name, schema, value) => {
    expect(createExample(schema)).toEqual({ value, problems: [] })
  })

  it('a whole configuration of this product', () => {
    expect(createExample(CONFIG_SCHEMA).problems).toEqual([])
  })
})

describe('says that it cannot', () => {
  it.each([
    ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d+$' }],
    ['no value at all', false],
    ['contradicting bounds', { type: 'integer', minimum: 5, maximum: 3 }],
    ['contradicting lengths', { type: 'string', minLength: 5, maxLength: 3 }],
    ['a format that is too long', { type: 'string', format: 'uuid', maxLength: 4 }],
    [
      'a set of too few choices',
      { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'boolean' } },
    ],
    ['a very long list', { type: 'array', minItems: 1_000 }],
    ['a variant that is not the only one', { oneOf: [{ type: 'string' }, { type: 'string' }] }],
    ['a keyword that the form does not check', { type: 'string', not: { const: 'example' } }],
    ['itself', { $ref: '#' }],
  ])('%s', (_name, a) => {
    const { value, problems } = createExample(object({ a, b: { const: 1 } }, ['a', 'b']))
    expect(problems.map(({ pointer }) => pointer.slice(0, 2))).toContain('/a')
    expect(value).toMatchObject({ b: 1 })
  })

  it('at the top', () => {
    expect(createExample({ type: 'string', pattern: 'x' })).toMatchObject({
      value: undefined,
      problems: [{ pointer: '' }],
    })
  })
})

/** Bounds or lengths, which may contradict each other. */
const range = (low: string, high: string) =>
  fc.record(
    { [low]: fc.integer({ min: 0, max: 12 }), [high]: fc.integer({ min: 0, max: 12 }) },
    { requiredKeys: [] },
  )

const merged = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((each) => Object.assign({}, ...each) as object)

const FORMATS = ['email', 'uri', 'date', 'date-time', 'uuid', 'time', 'ipv4', 'ipv6', 'hostname']
const scalar = fc.oneof(fc.string({ maxLength: 5 }), fc.integer({ min: -9, max: 20 }), fc.boolean())

/** What an author gives; it may be invalid. */
const given = fc.record(
  { default: scalar, examples: fc.array(scalar, { maxLength: 3 }) },
  { requiredKeys: [] },
)

const text = merged(
  fc.constant({ type: 'string' }),
  range('minLength', 'maxLength'),
  fc.record({ pattern: fc.constantFrom('^[a-z]+$', '\\d') }, { requiredKeys: [] }),
  given,
)
/** The form is more lenient about formats, so an author's example beside one is believed. */
const formatted = merged(
  fc.record({ type: fc.constant('string'), format: fc.constantFrom(...FORMATS) }),
  range('minLength', 'maxLength'),
)
const number = merged(
  fc.record({ type: fc.constantFrom('number', 'integer') }),
  range('minimum', 'maximum'),
  range('exclusiveMinimum', 'exclusiveMaximum'),
  fc.record({ multipleOf: fc.constantFrom(0.5, 2, 5, 12) }, { requiredKeys: [] }),
  given,
)
const choice = fc.oneof(
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ const: scalar }),
)
const other = fc.constantFrom<object>(
  { type: 'boolean' },
  { type: 'null' },
  { type: ['string', 'null'] },
  { type: ['integer', 'boolean'] },
  {},
  { $ref: '#/$defs/name' },
  { $ref: '#' },
  { not: { type: 'string' } },
  { type: 'object', minProperties: 2 },
  { type: 'object', patternProperties: { a: false } },
  { type: 'array', contains: { const: 1 } },
)

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'x/y'), { maxLength: 4 })

const { tree } = fc.letrec<{ tree: object; list: object; record: object; variant: object }>(
  (tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      formatted,
      number,
      choice,
      other,
      tie('list'),
      tie('record'),
      tie('variant'),
    ),
    list: merged(
      fc.record({ type: fc.constant('array'), items: tie('tree') }),
      range('minItems', 'maxItems'),
      fc.record({ uniqueItems: fc.boolean() }, { requiredKeys: [] }),
    ),
    record: fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'x/y'), tie('tree')), names, fc.boolean())
      .map(([properties, required, isClosed]) => ({
        ...object(properties, required),
        ...(isClosed && { additionalProperties: false }),
      })),
    variant: fc
      .tuple(
        fc.constantFrom('oneOf', 'anyOf'),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      )
      .map(([keyword, list]) => ({ [keyword]: list })),
  }),
)

const schemas = tree.map((schema) => ({
  ...object({ value: schema }, ['value']),
  $defs: { name: { type: 'string', minLength: 1 } },
}))

const validator = new AjvJsonSchemaValidator()

/** Validates a value with the validator of the SDK, which shares no code with the form. */
function judge(schema: object, value: unknown) {
  const plain: JsonSchemaType = JSON.parse(JSON.stringify(schema))
  return validator.getValidator(plain)(value)
}

it('is accepted by another validator, or names what it lacks', () => {
  let made = 0
  fc.assert(
    fc.property(schemas, (schema) => {
      const { value, problems } = createExample(schema)
      if (problems.length > 0) return
      made++
      expect(formModel(schema, value).valid).toBe(true)
      expect(judge(schema, value)).toMatchObject({ valid: true })
    }),
    { numRuns: 1_000 },
  )
  expect(made).toBeGreaterThan(300)
})

it('is made for every schema of plain members', () => {
  const plain = fc.oneof(
    fc.constantFrom<object>({ type: 'string' }, { type: 'boolean' }, { type: 'number' }),
    fc.integer({ min: 0, max: 50 }).map((maxLength) => ({ type: 'string', maxLength })),
    fc
      .tuple(fc.integer({ min: -99, max: 99 }), fc.nat({ max: 99 }))
      .map(([minimum, width]) => ({ type: 'integer', minimum, maximum: minimum + width })),
    fc.constantFrom(...FORMATS).map((format) => ({ type: 'string', format })),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), plain), (properties) => {
      const schema = object(properties, Object.keys(properties))
      const { value, problems } = createExample(schema)
      expect(problems).toEqual([])
      expect(Object.keys(Object(value)).toSorted()).toEqual(Object.keys(properties).toSorted())
    }),
  )
})

/** Form models: the fields of schemas and values, and laws that hold for all of them. */

import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { innerFields } from '#host/forms/fields.ts'
import { configurationSchema, policySchema } from '#host/forms/filter.ts'
import { formModel, startArguments, startValue } from '#host/forms/model.ts'
import type { Field } from '#host/forms/types.ts'
import { getValueAt, setValueAt } from '#host/forms/value.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { expectWithin, within } from '../../support/core/expect-within.ts'

const rootOf = (schema: unknown, value?: unknown) => formModel(schema, value).root
const faults = (schema: unknown, value?: unknown) => formModel(schema, value).problems

function objectOf(schema: unknown, value: unknown = {}): Field[] {
  const root = rootOf(schema, value)
  if (root.kind !== 'object') throw new Error(`It is a ${root.kind}`)
  return [...root.fields]
}

describe('kinds', () => {
  it.each([
    ['a text', { type: 'string' }, 'text'],
    ['a number', { type: 'number' }, 'number'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['numbers of both kinds', { type: ['number', 'integer'] }, 'number'],
    ['yes or no', { type: 'boolean' }, 'boolean'],
    ['an enum', { enum: ['a', 1, null] }, 'choice'],
    ['a constant', { const: 7 }, 'choice'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'list'],
    ['a list without a type', { items: { type: 'string' } }, 'list'],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, 'list'],
    [
      'a set of values',
      { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } },
      'choices',
    ],
    ['an object', { type: 'object' }, 'object'],
    ['an object without a type', { properties: {} }, 'object'],
    ['choices with titles', { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }, 'choice'],
    ['several types', { type: ['string', 'number'] }, 'variant'],
    ['several schemas', { anyOf: [{ type: 'string' }, { type: 'object' }] }, 'variant'],
    ['one variant', { anyOf: [{ type: 'string' }] }, 'text'],
    ['all of', { allOf: [{ type: 'string' }, { minLength: 2 }] }, 'text'],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'boolean' } } }, 'boolean'],
    ['an old reference', { $ref: '#/definitions/a', definitions: { a: { enum: [1] } } }, 'choice'],
    ['an anchor', { $ref: '#there', $defs: { x: { $anchor: 'there', type: 'string' } } }, 'text'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 'json'],
    ['anything', {}, 'json'],
    ['true', true, 'json'],
    ['no schema at all', 'nonsense', 'json'],
    ['null', null, 'json'],
  ])('%s', (_name, schema, kind) => {
    expect(rootOf(schema).kind).toBe(kind)
  })

  it('may be null', () => {
    for (const schema of [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'string', nullable: true },
    ]) {
      expect(rootOf(schema)).toMatchObject({ kind: 'text', nullable: true, isSet: false })
      expect(rootOf(schema, null)).toMatchObject({ kind: 'text', value: null, isSet: true })
      expect(faults(schema, null)).toEqual([])
    }
    const several = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }
    expect(rootOf(several)).toMatchObject({ kind: 'variant', nullable: true })
  })

  it('describes', () => {
    const schema = {
      properties: {
        maxFileBytes: {
          type: 'integer',
          description: 'Bytes',
          default: 5,
          examples: [7],
          deprecated: true,
        },
        query: { title: 'Search for', type: 'string', readOnly: true },
        search_URL: { type: 'string', format: 'uri' },
      },
      required: ['query'],
    }
    expect(objectOf(schema)).toMatchObject([
      {
        label: 'Max file bytes',
        description: 'Bytes',
        defaultValue: 5,
        example: '7',
        deprecated: true,
      },
      { label: 'Search for', readOnly: true, required: true },
      { label: 'Search URL', input: 'url' },
    ])
  })
})

describe('problems', () => {
  const person = {
    type: 'object',
    required: ['name', 'tags'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
      age: { type: 'integer', minimum: 0, exclusiveMaximum: 150 },
      price: { type: 'number', multipleOf: 0.01 },
      mail: { type: 'string', format: 'email' },
      tags: {
        type: 'array',
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        items: { type: 'string' },
      },
      size: { enum: ['s', 'm'] },
    },
  }

  it.each([
    ['nothing', {}, { '/name': 'This is required', '/tags': 'This is required' }],
    ['too short', { name: 'a', tags: ['x'] }, { '/name': 'At least 2 characters' }],
    ['too long', { name: 'abcde', tags: ['x'] }, { '/name': 'At most 4 characters' }],
    ['wrong form', { name: 'A1', tags: ['x'] }, { '/name': 'Does not match the required pattern' }],
    ['not a number', { name: 'ab', tags: ['x'], age: 'ten' }, { '/age': 'Enter a whole number' }],
    [
      'not a whole number',
      { name: 'ab', tags: ['x'], age: 1.5 },
      { '/age': 'Enter a whole number' },
    ],
    ['too small', { name: 'ab', tags: ['x'], age: -1 }, { '/age': 'At least 0' }],
    ['too large', { name: 'ab', tags: ['x'], age: 150 }, { '/age': 'Less than 150' }],
    [
      'too large to be exact',
      { name: 'ab', tags: ['x'], age: 2 ** 60 },
      { '/age': 'This number is too large to be exact' },
    ],
    [
      'not a multiple',
      { name: 'ab', tags: ['x'], price: 0.105 },
      { '/price': 'A multiple of 0.01' },
    ],
    [
      'not an address',
      { name: 'ab', tags: ['x'], mail: 'me' },
      { '/mail': 'Enter an e-mail address' },
    ],
    ['too few', { name: 'ab', tags: [] }, { '/tags': 'At least 1 entry' }],
    ['too many', { name: 'ab', tags: ['x', 'y', 'z'] }, { '/tags': 'At most 2 entries' }],
    ['twice', { name: 'ab', tags: ['x', 'x'] }, { '/tags': 'Entries must be unique' }],
    ['in a list', { name: 'ab', tags: [1] }, { '/tags/0': 'Must be a text' }],
    [
      'none of the choices',
      { name: 'ab', tags: ['x'], size: 'l' },
      { '/size': 'Not one of the allowed values' },
    ],
    [
      'an unknown member',
      { name: 'ab', tags: ['x'], nick: 'b' },
      { '/nick': 'No member of this name is allowed' },
    ],
    ['not a list', { name: 'ab', tags: 'x' }, { '/tags': 'Must be a list' }],
  ])('%s', (_name, value, expected) => {
    const found = faults(person, value).map(({ pointer, message }) => [pointer, message])
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  it('finds none in a valid value', () => {
    const value = { name: 'abc', age: 0, price: 19.99, mail: 'a@b.c', tags: ['x'], size: 'm' }
    expect(formModel(person, value)).toMatchObject({ valid: true, problems: [] })
  })

  it.each([
    [{ minimum: 2, exclusiveMinimum: 0 }, 1, 'At least 2'],
    [{ minimum: 2, exclusiveMinimum: 2 }, 2, 'More than 2'],
    [{ maximum: 0, exclusiveMaximum: 2 }, 1, 'At most 0'],
    [{ maximum: 5, exclusiveMaximum: true }, 5, 'Less than 5'],
  ])('counts the narrower of two bounds: %j', (bounds, value, message) => {
    expect(faults({ type: 'number', ...bounds }, value)).toEqual([{ pointer: '', message }])
  })

  it('shows a value of another type as JSON', () => {
    expect(rootOf({ type: 'string' }, { a: 1 })).toMatchObject({ kind: 'json', value: { a: 1 } })
    expect(rootOf(person, [1])).toMatchObject({ kind: 'json', problems: ['Must be an object'] })
  })
})

describe('variants', () => {
  const shape = {
    oneOf: [
      {
        title: 'Circle',
        type: 'object',
        required: ['kind', 'radius'],
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      },
      {
        type: 'object',
        required: ['kind', 'side'],
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
      },
      { type: 'string' },
    ],
  }

  it('are named, and found by the value', () => {
    const root = rootOf(shape, { kind: 'square', side: 2 })
    expect(root).toMatchObject({
      kind: 'variant',
      chosen: 1,
      variants: [{ label: 'Circle' }, { label: 'square' }, { label: 'Text' }],
    })
    expect(rootOf(shape, 'free')).toMatchObject({ chosen: 2 })
    expect(
      rootOf(shape, 'free').kind === 'variant' && innerFields(rootOf(shape, 'free')),
    ).toMatchObject([{ kind: 'text' }])
  })

  it('follow the choice of the user where the value fits several', () => {
    const chosen = new Map([['', 2]])
    expect(formModel(shape, undefined, { chosen }).root).toMatchObject({ chosen: 2 })
    expect(rootOf(shape)).toMatchObject({ variants: [{ start: { kind: 'circle' } }, {}, {}] })
  })

  it('keep the keywords beside them', () => {
    const schema = {
      properties: { a: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    }
    expect(faults(schema, {})).toEqual([{ pointer: '/a', message: 'This is required' }])
  })
})

describe('recursive schemas', () => {
  const tree = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
  }

  it('are followed as deep as the value goes', () => {
    const value = { name: 'a', children: [{ name: 'b', children: [{}] }] }
    expect(faults(tree, value)).toEqual([
      { pointer: '/children/0/children/0/name', message: 'This is required' },
    ])
  })

  it.each([
    ['itself', { $ref: '#' }],
    [
      'each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['itself twice', { allOf: [{ $ref: '#' }, { $ref: '#' }] }],
    [
      'itself in every member',
      { type: 'object', required: ['a', 'b'], properties: { a: { $ref: '#' }, b: { $ref: '#' } } },
    ],
    [
      'itself in every variant',
      {
        anyOf: Array.from({ length: 20 }, () => ({
          type: 'object',
          required: ['a'],
          properties: { a: { $ref: '#' } },
        })),
      },
    ],
    [
      'names of the prototype',
      { $ref: '#/__proto__/constructor', properties: { constructor: { type: 'string' } } },
    ],
  ])('ends: %s', async (_name, schema) => {
    const build = () => {
      formModel(schema, {})
      startValue(schema)
    }
    await expectWithin(1_000, build)
  })
})

describe('initial values', () => {
  it('are constants and defaults', () => {
    const schema = {
      type: 'object',
      required: ['kind', 'size', 'name', 'inner', 'list'],
      properties: {
        kind: { const: 'x' },
        size: { type: 'number', default: 3 },
        name: { type: 'string' },
        optional: { default: 1 },
        inner: { type: 'object', required: ['a'], properties: { a: { const: null } } },
        list: { type: 'array', minItems: 1, items: { type: 'string' } },
      },
    }
    expect(startValue(schema)).toEqual({ kind: 'x', size: 3, inner: { a: null }, list: [''] })
  })

  it('of a tool have the defaults of optional arguments, too', () => {
    const schema = {
      type: 'object',
      required: ['text'],
      $defs: { speed: { type: 'number', default: 2 } },
      properties: {
        text: { type: 'string' },
        shader: { type: 'string', default: 'void main() {}' },
        loop: { type: 'boolean', default: false },
        speed: { $ref: '#/$defs/speed' },
        colours: { type: 'array', default: ['red'] },
        tags: { type: 'array', default: [] },
        note: { default: '' },
        other: { type: 'string' },
      },
    }
    expect(startArguments(schema)).toEqual({
      shader: 'void main() {}',
      loop: false,
      speed: 2,
      colours: ['red'],
    })
    let deep: unknown = 1
    for (let level = 0; level < 5_000; level++) deep = { a: deep }
    const hostile = { properties: { a: { default: deep }, b: { default: 2 } }, required: ['c'] }
    expect(startArguments({ type: 'object', ...hostile })).toEqual({ b: 2 })
    expect(startValue({ type: 'object', default: deep })).toEqual({})
    expect(startArguments({ type: 'object', default: { a: 1 } })).toEqual({ a: 1 })
    expect(startArguments(null)).toEqual({})
  })
})

describe('configuration and policy', () => {
  const names = (schema: unknown) => objectOf(schema).map(({ pointer }) => pointer.slice(1))

  it('each offer the fields that they may set', () => {
    expect(names(configurationSchema(CONFIG_SCHEMA))).toContain('allow_escape')
    expect(names(policySchema(CONFIG_SCHEMA))).not.toContain('allow_escape')
    expect(names(policySchema(CONFIG_SCHEMA))).toContain('find_limit')
    expect(names(policySchema(CONFIG_SCHEMA, 'llm'))).not.toContain('find_limit')
  })

  it('have a field for every member', () => {
    const value = { roots: [{ path: '/a', deny: ['*.key'] }], approval: 'review', find_limit: 10 }
    const { root, problems } = formModel(configurationSchema(CONFIG_SCHEMA), value)
    expect(problems).toEqual([])
    const kinds = (field: Field): string[] => [field.kind, ...innerFields(field).flatMap(kinds)]
    expect(kinds(root)).not.toContain('json')
    expect(formModel(configurationSchema(CONFIG_SCHEMA), { find_limit: -1 }).problems).toEqual([
      { pointer: '/find_limit', message: 'At least 0' },
    ])
  })
})

// Laws

/** Schemas, each with a valid value. */
const fitting: fc.Arbitrary<{ schema: object; value: unknown }> = fc.letrec<{
  one: { schema: object; value: unknown }
}>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.string().map((value) => ({ schema: { type: 'string' }, value })),
    fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ schema: { type: 'number' }, value })),
    fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
    fc.jsonValue().map((value) => ({ schema: {}, value })),
    fc.constant({ schema: { type: ['string', 'null'] }, value: null }),
    fc.constantFrom('a', 'b').map((value) => ({ schema: { enum: ['a', 'b'] }, value })),
    tie('one').map(({ schema, value }) => ({
      schema: { anyOf: [schema, { type: 'null' }] },
      value,
    })),
    tie('one').map(({ schema, value }) => ({
      schema: { type: 'array', items: schema },
      value: [value, value],
    })),
    fc.dictionary(fc.string(), tie('one'), { maxKeys: 4 }).map((members) => {
      const entries = Object.entries(members)
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
        },
        value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
      }
    }),
  ),
})).one

/** Rebuilds the value from the fields. */
function valueOf(field: Field): unknown {
  if (field.value === null && field.nullable) return null
  if (!field.isSet) return undefined
  if (field.kind === 'variant') return valueOf(field.field)
  if (field.kind === 'list') return field.items.map(valueOf)
  if (field.kind !== 'object') return field.value
  const rows = [...field.fields, ...(field.extra?.rows ?? []).map((row) => row.field)]
  return Object.fromEntries(
    rows
      .filter(({ isSet }) => isSet)
      .map((row) => [
        row.pointer
          .slice(field.pointer.length + 1)
          .replaceAll('~1', '/')
          .replaceAll('~0', '~'),
        valueOf(row),
      ]),
  )
}

function allFields(field: Field): Field[] {
  return [field, ...innerFields(field).flatMap(allFields)]
}

describe('laws', () => {
  it('a valid value is unchanged by its form', () => {
    fc.assert(
      fc.property(fitting, ({ schema, value }) => {
        const { root, problems } = formModel(schema, value)
        expect(problems).toEqual([])
        expect(valueOf(root)).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })

  it('the pointer of every field leads to its value', () => {
    fc.assert(
      fc.property(fitting, ({ schema, value }) => {
        for (const field of allFields(formModel(schema, value).root)) {
          if (field.kind === 'variant') continue
          expect(field.value).toEqual(getValueAt(value, field.pointer))
          if (field.isSet) expect(setValueAt(value, field.pointer, field.value)).toEqual(value)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('any schema has a form for any value within the time limit', () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue(), (schema, value) => {
        const model = within(2_000, () => {
          startValue(schema)
          return formModel(schema, value)
        })
        expect(model.root.pointer).toBe('')
        expect(model.root.value).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })
})

const KEYWORDS = [
  'type',
  'properties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  '$defs',
  'enum',
  'const',
  'required',
  'additionalProperties',
  'minimum',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'uniqueItems',
  'default',
  'title',
  'description',
  'examples',
  'nullable',
  'multipleOf',
  'exclusiveMinimum',
]

/** Hostile schemas: known keywords with arbitrary values. */
const anySchema: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(
      '#',
      '#/$defs/a',
      'string',
      'object',
      'array',
      ['string', 'null'],
      true,
      false,
      -1,
    ),
    fc.dictionary(fc.constantFrom(...KEYWORDS, 'a', '__proto__'), tie('schema'), { maxKeys: 5 }),
    fc.array(tie('schema'), { maxLength: 3 }),
  ),
})).schema

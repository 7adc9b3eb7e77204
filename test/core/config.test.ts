import { describe, expect, it } from 'vitest'
import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { MAX_PROBLEMS } from '#core/config/problem.ts'
import {
  DEFAULT_CONFIG,
  defaultRoot,
  formatConfig,
  readConfig,
  type ConfigProblem,
} from '#core/config.ts'
import { readPolicy, rulesOf } from '#core/policy.ts'
import { filterSchema, type Json } from '#core/policy/form.ts'
import vectors from '../vectors/schema-filter.json' with { type: 'json' }
import { given } from '../support/core/policy-laws.ts'

const read = (value: unknown) => formatConfig(given(readConfig(value, DEFAULT_CONFIG)))
const root = (fields: object) => ({ roots: [{ path: '/w', ...fields }] })
const plain = { approval: 'none', deny: [], allow: [], immutable: [] }

describe('readConfig', () => {
  it.each<[unknown, string, ConfigProblem['code'], string]>([
    [null, 'config must be an object', 'WRONG_TYPE', ''],
    [undefined, 'config must be an object', 'WRONG_TYPE', ''],
    [[], 'config must be an object', 'WRONG_TYPE', ''],
    ['{}', 'config must be an object', 'WRONG_TYPE', ''],
    [{ rots: [] }, 'unknown config key: rots', 'UNKNOWN_FIELD', '/rots'],
    [{ otel_enabled: true }, 'unknown config key: otel_enabled', 'UNKNOWN_FIELD', '/otel_enabled'],
    [{ blocked: true }, 'unknown config key: blocked', 'UNKNOWN_FIELD', '/blocked'],
    [{ 'a/b~c': 1 }, 'unknown config key: a/b~c', 'UNKNOWN_FIELD', '/a~1b~0c'],
    [
      { hasOwnProperty: 1 },
      'unknown config key: hasOwnProperty',
      'UNKNOWN_FIELD',
      '/hasOwnProperty',
    ],
    [
      JSON.parse('{"__proto__":{"allow_escape":true}}'),
      'unknown config key: __proto__',
      'UNKNOWN_FIELD',
      '/__proto__',
    ],
    [{ roots: {} }, 'roots must be an array', 'WRONG_TYPE', '/roots'],
    [{ roots: null }, 'roots must be an array', 'WRONG_TYPE', '/roots'],
    [{ roots: [] }, 'roots must not be empty', 'INVALID_VALUE', '/roots'],
    [{ roots: ['/w'] }, 'root entries must be objects', 'WRONG_TYPE', '/roots/0'],
    [{ roots: [[]] }, 'root entries must be objects', 'WRONG_TYPE', '/roots/0'],
    [{ roots: [{}] }, 'root.path is required', 'MISSING_FIELD', '/roots/0/path'],
    [
      { roots: [Object.create({ path: '/w' })] },
      'root.path is required',
      'MISSING_FIELD',
      '/roots/0/path',
    ],
    [
      { roots: [{ path: '/w' }, { path: null }] },
      'root.path must be a string',
      'WRONG_TYPE',
      '/roots/1/path',
    ],
    [
      { roots: [{ path: '' }] },
      'root.path "" is no path: it is empty',
      'INVALID_PATH',
      '/roots/0/path',
    ],
    [
      { roots: [{ path: 'C:\\w' }] },
      'root.path "C:\\\\w" is no path: write it as /w',
      'INVALID_PATH',
      '/roots/0/path',
    ],
    [root({ default: 'yes' }), 'root.default must be a boolean', 'WRONG_TYPE', '/roots/0/default'],
    [root({ default: null }), 'root.default must be a boolean', 'WRONG_TYPE', '/roots/0/default'],
    [
      root({ binding_leases: 1 }),
      'root.binding_leases must be a boolean',
      'WRONG_TYPE',
      '/roots/0/binding_leases',
    ],
    [root({ deny: 'a' }), 'root.deny must be an array', 'WRONG_TYPE', '/roots/0/deny'],
    [root({ allow: null }), 'root.allow must be an array', 'WRONG_TYPE', '/roots/0/allow'],
    [
      root({ immutable: {} }),
      'root.immutable must be an array',
      'WRONG_TYPE',
      '/roots/0/immutable',
    ],
    [
      root({ allow: [1] }),
      'root.allow must hold a pattern or be empty',
      'INVALID_VALUE',
      '/roots/0/allow',
    ],
    [root({ depth: 1 }), 'unknown root field: depth', 'UNKNOWN_FIELD', '/roots/0/depth'],
    [
      root({ deny: [1, '[bad'] }),
      'invalid glob [bad: the [ at character 1 is never closed',
      'INVALID_GLOB',
      '/roots/0/deny/1',
    ],
    [
      root({ allow: new Array(201).fill('a') }),
      'root.allow must not hold more than 200 patterns',
      'TOO_MANY',
      '/roots/0/allow',
    ],
    [
      { roots: new Array(101).fill({ path: '/' }) },
      'roots must not hold more than 100 entries',
      'TOO_MANY',
      '/roots',
    ],
    [{ allow_escape: 1 }, 'allow_escape must be a boolean', 'WRONG_TYPE', '/allow_escape'],
    [{ allow_escape: null }, 'allow_escape must be a boolean', 'WRONG_TYPE', '/allow_escape'],
    [
      { approval: 'always' },
      'approval must be one of none, notify, review, confirm',
      'INVALID_VALUE',
      '/approval',
    ],
    [
      { approval: null },
      'approval must be one of none, notify, review, confirm',
      'WRONG_TYPE',
      '/approval',
    ],
    [
      { approval: ['review'] },
      'approval must be one of none, notify, review, confirm',
      'WRONG_TYPE',
      '/approval',
    ],
    ...['always', null, ['review'], 2].map(
      (approval): [unknown, string, ConfigProblem['code'], string] => [
        root({ approval }),
        'root.approval must be one of none, notify, review, confirm',
        typeof approval === 'string' ? 'INVALID_VALUE' : 'WRONG_TYPE',
        '/roots/0/approval',
      ],
    ),
  ])('refuses %j: %s', (value, message, code, pointer) => {
    const problem = { code, message, pointer }
    expect(readConfig(value, DEFAULT_CONFIG)).toEqual({ ok: false, error: [problem] })
  })

  it('reports unknown fields, then one problem of each invalid field, up to a number', () => {
    const roots = [{ path: '/' }, { path: '', deny: 7 }]
    const read = readConfig({ find_limit: -1, roots, rots: 1, read_only: true }, DEFAULT_CONFIG)
    expect(read.ok || read.error.map(({ pointer }) => pointer)).toEqual([
      '/rots',
      '/find_limit',
      '/roots/1/deny',
    ])
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}`, at]))
    const refused = readConfig(many, DEFAULT_CONFIG)
    expect(refused.ok || refused.error).toHaveLength(MAX_PROBLEMS)
  })

  const numbers = Object.keys(DEFAULT_CONFIG).filter((key) =>
    /_(limit|top|bytes|size|seconds|versions)$/.test(key),
  )

  it.each(numbers)('reads %s', (field) => {
    for (const [value, expected] of [
      [0, 0],
      [null, 0],
      [7, 7],
      [2 ** 53 - 1, 2 ** 53 - 1],
      [-0, 0],
    ])
      expect(read({ [field]: value })).toEqual({ ...read({}), [field]: expected })
    for (const value of [-1, 1.5, '5', true, [], {}, 2 ** 53, NaN, Infinity])
      expect(readConfig({ [field]: value }, DEFAULT_CONFIG)).toEqual({
        ok: false,
        error: [
          {
            code: typeof value === 'number' ? 'INVALID_VALUE' : 'WRONG_TYPE',
            message: `${field} must be a non-negative integer`,
            pointer: `/${field}`,
          },
        ],
      })
  })

  it('reads the approval level of a folder, which adds nothing if it is absent', () => {
    expect(read(root({ approval: undefined }))).toEqual(read(root({ approval: 'none' })))
    expect(read(root({ approval: 'review' }))['roots']).toMatchObject([{ approval: 'review' }])
  })

  it('reads whether leases in a folder are binding, which they are not if it is absent', () => {
    expect(read(root({ binding_leases: false }))).toEqual(read(root({})))
    expect(read(root({ binding_leases: true }))['roots']).toMatchObject([{ binding_leases: true }])
  })

  it('replaces each given field, and roots as a whole', () => {
    const base = given(readConfig({ ...root({ deny: ['a'] }), find_limit: 3 }, DEFAULT_CONFIG))
    expect(given(readConfig({}, base))).toEqual(base)
    expect(given(readConfig({ find_limit: undefined }, base))).toEqual(base)
    const next = given(readConfig({ roots: [{ path: '/x' }], approval: 'review' }, base))
    expect(formatConfig(next)).toEqual({
      ...formatConfig(base),
      roots: [{ path: '/x', default: true, ...plain }],
      approval: 'review',
    })
  })

  it('takes the first root with default: true as the default, else the first root', () => {
    const paths = (...flags: readonly unknown[]) =>
      given(
        readConfig(
          { roots: flags.map((flag, index) => ({ path: `/${index}`, default: flag })) },
          DEFAULT_CONFIG,
        ),
      )
    expect(defaultRoot(paths(undefined, undefined))).toBe('/0')
    expect(defaultRoot(paths(false, true, true))).toBe('/1')
    expect(paths(false, true, true).roots.map((one) => one.default)).toEqual([false, true, false])
  })

  it('normalises paths and patterns, and drops values that are not strings', () => {
    const value = { roots: [{ path: 'a/./b//../e\u0301/', deny: ['x', 1, null, 'e\u0301'] }] }
    expect(read(value)['roots']).toEqual([
      { path: '/a/\u00e9', default: true, ...plain, deny: ['x', '\u00e9'] },
    ])
  })

  it('refuses the fields of policies, unless they are empty', () => {
    expect(read(root({ blocked: false }))).toEqual(read(root({})))
    for (const blocked of [true, 'x', null, 0]) {
      const message = 'root.blocked may only be set by a policy'
      const problem = { code: 'NOT_ALLOWED', message, pointer: '/roots/0/blocked' }
      expect(readConfig(root({ blocked }), DEFAULT_CONFIG)).toEqual({ ok: false, error: [problem] })
    }
  })

  it('reads its own output, and leaves the base unchanged', () => {
    const value = {
      ...root({ allow: ['{a,b}/**'], immutable: ['**'], binding_leases: true }),
      max_file_bytes: 0,
    }
    const before = formatConfig(DEFAULT_CONFIG)
    expect(read(read(value))).toEqual(read(value))
    expect(formatConfig(DEFAULT_CONFIG)).toEqual(before)
  })
})

describe('the schema', () => {
  const fields = Object.entries(CONFIG_SCHEMA.properties)

  it('has every field with its default, title, description and both annotations', () => {
    expect(Object.keys(CONFIG_SCHEMA.properties).toSorted()).toEqual(
      Object.keys(DEFAULT_CONFIG).toSorted(),
    )
    for (const [key, field] of fields) {
      expect(field, key).toMatchObject({
        title: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/\.$/),
        scope: expect.stringMatching(/^(configuration|policy|any)$/),
        audience: expect.stringMatching(/^(human|llm|any)$/),
      })
    }
    const defaults = Object.fromEntries(fields.map(([key, field]) => [key, field['default']]))
    expect(read(defaults)).toEqual(read({}))
  })

  it('is JSON', () => {
    expect(JSON.parse(JSON.stringify(CONFIG_SCHEMA))).toEqual(CONFIG_SCHEMA)
  })

  it('is enforced: a policy may set only the fields of its form', () => {
    const rules = rulesOf(DEFAULT_CONFIG)
    for (const requester of ['human', 'llm'] as const) {
      const form = filterSchema(CONFIG_SCHEMA, 'policy', requester)
      for (const [key, field] of fields) {
        const value = key === 'roots' ? [] : field['default']
        const accepted = readPolicy({ [key]: value ?? null }, rules, requester).ok
        expect(at(form, 'properties', key) !== undefined, `${key} by ${requester}`).toBe(accepted)
      }
    }
  })

  it('offers no default root in a policy, and no blocked list in a configuration', () => {
    const names = (form: Json) =>
      Object.keys(at(form, 'properties', 'roots', 'items', 'properties') ?? {})
    const policy = filterSchema(CONFIG_SCHEMA, 'policy')
    const configuration = filterSchema(CONFIG_SCHEMA, 'configuration')
    expect(names(policy)).toEqual(['path', 'allow', 'deny', 'immutable', 'approval', 'blocked'])
    expect(names(configuration)).toEqual([
      'path',
      'default',
      'allow',
      'deny',
      'immutable',
      'approval',
      'binding_leases',
    ])
  })
})

describe('filterSchema', () => {
  const rows: readonly Row[] = vectors
  it.each(rows)('$id', ({ form, requester, schema, expected }) => {
    const by = requester === 'llm' ? 'llm' : 'human'
    const asked = form === 'policy' ? 'policy' : 'configuration'
    expect(filterSchema(schema, asked, by)).toEqual(expected)
  })

  const hidden = { type: 'string', scope: 'configuration' }
  const left = (schema: Json) => filterSchema(schema, 'policy')

  it.each<[string, Json, Json]>([
    ['a property named scope', { properties: { scope: hidden } }, { properties: {} }],
    [
      'a property named scope that stays',
      { properties: { scope: { type: 'string' } }, required: ['scope'] },
      { properties: { scope: { type: 'string' } }, required: ['scope'] },
    ],
    ['data', { default: hidden, enum: [hidden] }, { default: hidden, enum: [hidden] }],
    ['definitions', { $defs: { a: hidden, b: true } }, { $defs: { b: true } }],
    ['one schema', { not: hidden, items: hidden, contains: true }, { contains: true }],
    ['a place in a row', { prefixItems: [hidden, false] }, { prefixItems: [true, false] }],
    [
      'deep inside',
      { allOf: [{ then: { oneOf: [hidden, {}] } }] },
      { allOf: [{ then: { oneOf: [{}] } }] },
    ],
    [
      'what was required and never there',
      { required: ['a'], properties: {} },
      { required: ['a'], properties: {} },
    ],
    ['nothing that is no schema', ['x'], ['x']],
    ['true', true, true],
  ])('visits only subschemas: %s', (_name, schema, expected) => {
    expect(left(schema)).toEqual(expected)
  })

  it('keeps a property named __proto__ a property', () => {
    const schema: Json = JSON.parse('{"properties":{"__proto__":{"type":"string","scope":"any"}}}')
    expect(JSON.stringify(left(schema))).toBe('{"properties":{"__proto__":{"type":"string"}}}')
  })

  it('omits what is too deep for a form', () => {
    let schema: Json = hidden
    for (let depth = 0; depth < 100_000; depth++) schema = { not: schema }
    expect(JSON.stringify(left(schema)).length).toBeLessThan(1000)
  })
})

interface Row {
  readonly id: string
  readonly form: string
  readonly requester?: string
  readonly schema: Json
  readonly expected: Json
}

function at(value: Json, ...keys: readonly string[]): Json | undefined {
  let found: unknown = value
  for (const key of keys) found = Object(found)[key]
  return found as Json | undefined
}

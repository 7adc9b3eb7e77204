import { afterEach, describe, expect, it, vi } from 'vitest'
import { membersOf, viewTool } from '#polyfill/approval/tool.ts'
import { viewStrings } from '#polyfill/approval/views.ts'

afterEach(() => vi.restoreAllMocks())

const untouched = (execute: unknown) => execute as () => unknown

function viewed(tool: object) {
  const { view, record } = viewTool(tool, untouched)
  return { view: view as Record<string, unknown>, record }
}

describe('a tool as it is registered', () => {
  it('is read when it is asked for, and once', () => {
    const log: string[] = []
    const tool = { name: 'a', description: 'd', execute() {} }
    const spy = new Proxy(tool, {
      get: (target, key) => (log.push(String(key)), Reflect.get(target, key)),
    })
    const { view } = viewed(spy)
    expect(log).toEqual([])
    expect([view['name'], view['name'], view['description']]).toEqual(['a', 'a', 'd'])
    expect(log).toEqual(['name', 'description'])
  })

  it('comes out as Web IDL would convert it', () => {
    const annotations = { consequentialHint: 1, readOnlyHint: '', humanInTheLoopHint: ['review'] }
    const { view, record } = viewed({ name: 42, description: null, title: undefined, annotations })
    expect([view['name'], view['description'], view['title']]).toEqual(['42', 'null', undefined])
    expect({ ...(view['annotations'] as object) }).toEqual({
      consequentialHint: true,
      debugging: false,
      readOnlyHint: false,
      untrustedContentHint: false,
    })
    expect(membersOf(record)).toEqual({ humanInTheLoopHint: 'review' })
  })

  it.each(['consequentialHint', 'debugging', 'readOnlyHint', 'untrustedContentHint'] as const)(
    'keeps %s, for which an approval holds',
    (key) => {
      const { view, record } = viewed({ annotations: { [key]: true } })
      expect({ ...(view['annotations'] as object) }).toHaveProperty(key, true)
      expect(record.annotations[key]).toBe(true)
    },
  )

  it.each([undefined, null, 'text', 3])('accepts annotations that are %s', (annotations) => {
    const { view, record } = viewed({ annotations })
    expect(view['annotations']).toBe(annotations)
    expect(membersOf(record)).toBeNull()
  })

  it('passes a value that is not a function on, for its own error', () => {
    expect(viewed({ execute: 3 }).view['execute']).toBe(3)
    expect(() => viewed({ preview: 3 }).view['title']).toThrow(TypeError)
  })

  it('throws what the author’s own getters throw', () => {
    const fault = new RangeError('mine')
    const tool = {
      get name() {
        throw fault
      },
    }
    expect(() => viewed(tool).view['name']).toThrow(fault)
  })
})

/** What an approval holds for: it is fixed when the browser has read it. */
describe('the record of a tool', () => {
  class Schema {
    readonly #schema: object
    constructor(schema: object) {
      this.#schema = schema
    }
    toJSON() {
      return this.#schema
    }
  }
  const TEXT = '{"type":"object"}'

  it('has all members from the start, and no prototype', () => {
    const { record } = viewTool({}, untouched)
    expect(Object.getPrototypeOf(record)).toBeNull()
    expect(Object.keys(record).toSorted()).toEqual([
      'annotations',
      'description',
      'exposedTo',
      'intent',
      'name',
      'outputSchema',
      'preview',
      'schema',
      'title',
    ])
  })

  it.each([
    ['a plain object', { type: 'object' }],
    ['an instance of a class', new Schema({ type: 'object' })],
  ])('has a schema that is %s as the JSON that is stored', (_, schema) => {
    const { view, record } = viewed({ inputSchema: schema, outputSchema: schema })
    for (const key of ['inputSchema', 'outputSchema']) expect(JSON.stringify(view[key])).toBe(TEXT)
    expect([record.schema, record.outputSchema]).toEqual([TEXT, TEXT])
  })

  it('has the schema as it was, when it changes after the registration', () => {
    const inputSchema: Record<string, unknown> = { type: 'object' }
    const { view, record } = viewed({ inputSchema })
    inputSchema['title'] = 'Before'
    const text = JSON.stringify(view['inputSchema'])
    inputSchema['title'] = 'After'
    expect(record.schema).toBe(text)
    expect(text).toContain('Before')
  })

  it('has the schema to which the page adds nothing by a prototype', () => {
    const { view, record } = viewed({ inputSchema: { type: 'object', items: {} } })
    const copy: unknown = (view['inputSchema'] as Schema).toJSON()
    let text = ''
    try {
      Object.assign(Object.prototype, { toJSON: () => 'other' })
      text = JSON.stringify(copy)
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toJSON')
    }
    expect(text).toBe(record.schema)
  })

  it.each([
    ['throws', () => JSON.parse('{')],
    ['gives nothing', () => undefined],
  ])('has no schema whose toJSON %s', (_, toJSON) => {
    const written = (schema: unknown) => {
      try {
        return JSON.stringify(schema)
      } catch (error) {
        return String(error)
      }
    }
    const { view, record } = viewed({ inputSchema: { toJSON } })
    const schema = view['inputSchema']
    expect(record.schema).toBeNull()
    expect(written(schema)).toBe(written({ toJSON }))
    expect(record.schema).toBeNull()
  })

  it.each([undefined, null, 'text', 3])('passes a schema on that is %s', (inputSchema) => {
    const { view, record } = viewed({ inputSchema })
    expect(view['inputSchema']).toBe(inputSchema)
    expect(record.schema).toBeNull()
  })
})

describe('a list of strings', () => {
  const keep = vi.fn<(text: string) => void>()
  const strings = (given: unknown) => viewStrings(given, keep) as Iterable<unknown>

  it.each<[string, () => unknown]>([
    ['strings', () => ['https://a.example/', 'https://b.example/']],
    ['addresses', () => [new URL('https://a.example'), new URL('https://b.example')]],
    ['a set', () => new Set(['https://a.example/', 'https://b.example/'])],
    ['an iterator', () => ['https://a.example/', 'https://b.example/'].values()],
  ])('is converted once: %s', (_, given) => {
    const list = strings(given())
    const text = '["https://a.example/","https://b.example/"]'
    expect(keep).toHaveBeenLastCalledWith(text)
    expect(JSON.stringify([...list])).toBe(text)
    expect(JSON.stringify([...list])).toBe(text)
  })

  it('reads each item before the next one, and none again', () => {
    const log: string[] = []
    const item = (name: string) => ({ toString: () => (log.push(name), name) })
    const list = strings([item('a'), item('b')])
    expect([[...list], log]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('is passed on without the iterator of arrays, which a page can replace', () => {
    const list = strings(['a', 'b'])
    vi.spyOn(Array.prototype, Symbol.iterator).mockImplementation(() => {
      throw new Error('replaced')
    })
    const found: unknown[] = []
    for (const one of list) found[found.length] = one
    vi.restoreAllMocks()
    expect(found).toEqual(['a', 'b'])
  })

  it.each([undefined, null, 'text', 3])('is passed on that is %s', (given) => {
    expect(viewStrings(given, keep)).toBe(given)
  })

  it.each([[{}], [[Symbol('a')]]])('refuses what cannot be converted', (given) => {
    expect(() => strings(given)).toThrow(TypeError)
  })
})

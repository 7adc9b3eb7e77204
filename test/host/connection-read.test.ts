/** The door: what strangers send, and what becomes of it. */

import { configSchemaIn, offers, offersTo, supportsPolicyIn } from '#host/connection/definition.ts'
import { addressOf } from '#host/connection/address.ts'
import {
  callResultOf,
  contentsOf,
  promptsPage,
  resourcesPage,
  serverOf,
  templatesPage,
  toolsPage,
} from '#host/connection/read.ts'
import fc from '../core/random.ts'
import { describe, expect, it } from 'vitest'

it('keeps what is there of an odd tool, and leaves out what has no name', () => {
  const tools = [
    null,
    7,
    {},
    { name: '' },
    { name: 'a', title: 5, inputSchema: [], annotations: 'x' },
  ]
  expect(toolsPage({ tools, nextCursor: 3 })).toEqual({
    items: [
      {
        name: 'a',
        title: 'a',
        description: '',
        inputSchema: {},
        outputSchema: null,
        annotations: {},
        meta: {},
        raw: tools[4],
      },
    ],
    next: null,
  })
})

it('finds the title of a tool where it may stand', () => {
  const tools = [
    { name: 'a', title: 'One', annotations: { title: 'Two' } },
    { name: 'b', annotations: { title: 'Two' } },
  ]
  expect(toolsPage({ tools }).items.map(({ title }) => title)).toEqual(['One', 'Two'])
})

it('takes an empty cursor for a cursor', () => {
  expect(resourcesPage({ resources: [], nextCursor: '' }).next).toBe('')
})

it('reads results, whatever they are', () => {
  expect(callResultOf({})).toMatchObject({
    content: [],
    isError: false,
    structuredContent: undefined,
  })
  expect(
    callResultOf({ content: [{ type: 'text' }, 1, { text: 'x' }], isError: 'yes' }),
  ).toMatchObject({
    content: [{ type: 'text' }],
    isError: false,
  })
})

it('never throws', () => {
  const readers = [
    toolsPage,
    resourcesPage,
    templatesPage,
    promptsPage,
    contentsOf,
    callResultOf,
    configSchemaIn,
    supportsPolicyIn,
  ]
  const names = [
    'tools',
    'resources',
    'resourceTemplates',
    'prompts',
    'contents',
    'content',
    'capabilities',
    '_meta',
    'arguments',
  ]
  const odd = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(
      fc.jsonValue(),
      fc.array(fc.dictionary(fc.constantFrom(...names, 'name', 'uri'), fc.jsonValue())),
    ),
  )
  fc.assert(
    fc.property(odd, (value) => {
      for (const read of readers) read(value)
      serverOf(value, 'https://example.com/mcp')
    }),
  )
})

describe('a definition', () => {
  it.each([
    [{ capabilities: { experimental: { policy: {} } } }, true],
    [{ capabilities: { experimental: { policy: true } } }, true],
    [{ capabilities: { experimental: { policy: { enabled: true } } } }, true],
    [{ capabilities: { experimental: { policy: { enabled: false } } } }, false],
    [{ capabilities: { experimental: {} } }, false],
    [{ capabilities: [] }, false],
    [{}, false],
  ])('%j: policy %s', (definition, expected) => {
    expect(supportsPolicyIn(definition)).toBe(expected)
  })

  it('has its schema at the top or among the capabilities', () => {
    expect(
      configSchemaIn({ configSchema: { title: 'a' }, capabilities: { configSchema: {} } }),
    ).toEqual({ title: 'a' })
    expect(
      configSchemaIn({ configSchema: 'no', capabilities: { configSchema: { title: 'b' } } }),
    ).toEqual({ title: 'b' })
    expect(configSchemaIn({})).toBe(null)
  })

  it('offers what it says', () => {
    const definition = { capabilities: { tools: {}, resources: { listChanged: true } } }
    expect(offers(definition, 'tools')).toBe(true)
    expect(offers(definition, 'constructor')).toBe(false)
    expect(offersTo(definition, 'resources', 'listChanged')).toBe(true)
    expect(offersTo(definition, 'tools', 'listChanged')).toBe(false)
  })
})

describe('addresses', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    [' example.com/mcp ', 'https://example.com/mcp'],
    ['localhost:8787/mcp', 'http://localhost:8787/mcp'],
    ['127.0.0.1:1/mcp', 'http://127.0.0.1:1/mcp'],
    ['http://me:secret@example.com/mcp?a=1#b', 'http://example.com/mcp?a=1'],
  ])('%s', (typed, url) => {
    expect(addressOf(typed)).toBe(url)
  })

  it.each(['', '   ', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', 'a b', 'ftp://x/y'])(
    'refuses %j',
    (typed) => {
      expect(() => addressOf(typed)).toThrow(
        expect.objectContaining({ problem: expect.objectContaining({ kind: 'bad-url' }) }),
      )
    },
  )
})

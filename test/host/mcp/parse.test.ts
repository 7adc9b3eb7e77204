/** Results of a server are untrusted input: odd and hostile values. */

import {
  readConfigSchema,
  hasCapability,
  hasCapabilityOption,
  hasPolicySupport,
} from '#host/mcp/server-info.ts'
import { parseAddress } from '#host/mcp/address.ts'
import {
  parseCallResult,
  parseContents,
  parsePrompts,
  parseResources,
  parseServer,
  parseTemplates,
  parseTools,
} from '#host/mcp/parse.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'

it('keeps the valid members of an odd tool, and leaves out tools without a name', () => {
  const tools = [
    null,
    7,
    {},
    { name: '' },
    { name: 'a', title: 5, inputSchema: [], annotations: 'x' },
  ]
  expect(parseTools({ tools, nextCursor: 3 })).toEqual({
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

it('finds the title of a tool in both places', () => {
  const tools = [
    { name: 'a', title: 'One', annotations: { title: 'Two' } },
    { name: 'b', annotations: { title: 'Two' } },
  ]
  expect(parseTools({ tools }).items.map(({ title }) => title)).toEqual(['One', 'Two'])
})

it('accepts an empty cursor', () => {
  expect(parseResources({ resources: [], nextCursor: '' }).next).toBe('')
})

it('parses any call result', () => {
  expect(parseCallResult({})).toMatchObject({
    content: [],
    isError: false,
    structuredContent: undefined,
  })
  expect(
    parseCallResult({ content: [{ type: 'text' }, 1, { text: 'x' }], isError: 'yes' }),
  ).toMatchObject({
    content: [{ type: 'text' }],
    isError: false,
  })
})

it('never throws', () => {
  const readers = [
    parseTools,
    parseResources,
    parseTemplates,
    parsePrompts,
    parseContents,
    parseCallResult,
    readConfigSchema,
    hasPolicySupport,
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
      parseServer(value, 'https://example.com/mcp')
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
    expect(hasPolicySupport(definition)).toBe(expected)
  })

  it('has its configuration schema at the top or among the capabilities', () => {
    expect(
      readConfigSchema({ configSchema: { title: 'a' }, capabilities: { configSchema: {} } }),
    ).toEqual({ title: 'a' })
    expect(
      readConfigSchema({ configSchema: 'no', capabilities: { configSchema: { title: 'b' } } }),
    ).toEqual({ title: 'b' })
    expect(readConfigSchema({})).toBe(null)
  })

  it('lists its capabilities', () => {
    const definition = { capabilities: { tools: {}, resources: { listChanged: true } } }
    expect(hasCapability(definition, 'tools')).toBe(true)
    expect(hasCapability(definition, 'constructor')).toBe(false)
    expect(hasCapabilityOption(definition, 'resources', 'listChanged')).toBe(true)
    expect(hasCapabilityOption(definition, 'tools', 'listChanged')).toBe(false)
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
    expect(parseAddress(typed)).toBe(url)
  })

  it.each(['', '   ', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', 'a b', 'ftp://x/y'])(
    'refuses %j',
    (typed) => {
      expect(() => parseAddress(typed)).toThrow(
        expect.objectContaining({ problem: expect.objectContaining({ kind: 'bad-url' }) }),
      )
    },
  )
})

import { convertContent, convertTool, recoverStructured } from '#host/console/apps/older-forms.ts'
import { describe, expect, it } from 'vitest'

const URI = 'ui://widget/list.html'

describe('a tool', () => {
  it('gets the view that the older key names', () => {
    const meta = { 'openai/outputTemplate': URI, ui: { visibility: ['model'] } }
    expect(convertTool({ name: 'list', _meta: meta })).toEqual({
      name: 'list',
      _meta: { ...meta, ui: { visibility: ['model'], resourceUri: URI } },
    })
  })

  it.each([
    [{ 'openai/outputTemplate': URI, ui: { resourceUri: 'ui://other' } }],
    [{ 'openai/outputTemplate': URI, 'ui/resourceUri': 'ui://other' }],
    [{ 'openai/outputTemplate': 'https://evil.example/' }],
    [{ 'openai/outputTemplate': 7 }],
    [undefined],
  ])('stays as it is with %j', (_meta) => {
    const tool = { name: 'list', _meta }
    expect(convertTool(tool)).toBe(tool)
  })
})

describe('a resource', () => {
  it('gets the media type and the metadata of MCP Apps', () => {
    const csp = {
      connect_domains: ['https://api.example'],
      resource_domains: ['https://x.example'],
    }
    const _meta = { 'openai/widgetCSP': csp, 'openai/widgetPrefersBorder': true }
    const content = { uri: URI, mimeType: 'text/html+skybridge', text: '<p>', _meta }
    expect(convertContent(content)).toMatchObject({
      uri: URI,
      mimeType: 'text/html;profile=mcp-app',
      text: '<p>',
      _meta: {
        ui: {
          csp: {
            connectDomains: ['https://api.example'],
            resourceDomains: ['https://x.example'],
            frameDomains: [],
          },
          prefersBorder: true,
        },
      },
    })
  })

  it.each([[{ mimeType: 'text/html' }], [{ mimeType: 'text/html;profile=mcp-app' }], [null]])(
    'stays as it is: %j',
    (content) => expect(convertContent(content)).toBe(content),
  )
})

describe('structured content', () => {
  const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })

  it.each([
    [text({ structuredContent: { a: 1 } }), { a: 1 }],
    [text({ type: 'chart', version: '1', b: 2 }), { type: 'chart', version: '1', b: 2 }],
    [
      { content: [{ type: 'text', text: 'Done' }, ...text({ type: 't', version: 1 }).content] },
      {
        type: 't',
        version: 1,
      },
    ],
  ])('is recovered from %j', (result, expected) => {
    expect(recoverStructured(result)).toEqual({ ...result, structuredContent: expected })
  })

  it.each([
    [text({ a: 1 })],
    [text([{ type: 't', version: 1 }])],
    [{ content: [{ type: 'text', text: '{"type": "t", "version"' }] }],
    [{ ...text({ structuredContent: {} }), isError: true }],
    [{ ...text({ structuredContent: { a: 1 } }), structuredContent: {} }],
    [{}],
  ])('is not recovered from %j', (result) => {
    expect(recoverStructured(result)).toBe(result)
  })
})

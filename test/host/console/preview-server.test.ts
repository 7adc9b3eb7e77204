/** What the page of a preview can reach: its data and calls that only read, and nothing else. */

import { describe, expect, it } from 'vitest'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { createPreviewServer } from '#host/console/new-app/preview-server.ts'
import { parseTools } from '#host/mcp/parse.ts'
import { callTool } from '#host/view/tools.ts'
import type { ViewHost } from '#host/view/types.ts'

const DATA = { content: [], structuredContent: { files: [] } }
const { signal } = new AbortController()

const { items: tools } = parseTools({
  tools: [
    { name: 'read_file', inputSchema: {}, annotations: { readOnlyHint: true } },
    { name: 'edit_file', inputSchema: {}, annotations: { readOnlyHint: false } },
    { name: 'silent', inputSchema: {} },
    {
      name: 'model_only',
      inputSchema: {},
      annotations: { readOnlyHint: true },
      _meta: { ui: { visibility: ['model'] } },
    },
  ],
})

/** The server of a preview, with a record of what passes it. */
function withServer() {
  const sent: unknown[] = []
  const server = createPreviewServer({
    open: {
      tools,
      async request(method: string, params?: JsonRecord) {
        sent.push([method, params])
        return { contents: [{ uri: 'file:///a.md', text: 'a' }] }
      },
    },
    source: () => ({ name: 'tasks', title: 'Tasks', readData: async () => DATA }),
    async call({ tool, args }) {
      sent.push([tool.name, args])
      return args['path'] === '/denied.md' ? null : { content: [] }
    },
  })
  return { server, sent }
}

describe('the page of a preview', () => {
  it('gets the data of the app that it previews', async () => {
    const { server, sent } = withServer()
    expect(await server.callTool({ name: 'open_tasks' }, { signal })).toBe(DATA)
    expect(sent).toEqual([])
  })

  it('makes calls that only read', async () => {
    const { server, sent } = withServer()
    await server.callTool({ name: 'read_file', arguments: { path: '/a.md' } }, { signal })
    expect(sent).toEqual([['read_file', { path: '/a.md' }]])
  })

  it.each(['edit_file', 'silent'])(
    'is refused %s, which does not say that it only reads',
    async (name) => {
      const { server, sent } = withServer()
      const result = await server.callTool({ name }, { signal })
      expect(result.isError).toBe(true)
      expect(recordOf(result._meta)['dev.edgewise/error']).toEqual({ code: 'PREVIEW_READS_ONLY' })
      expect(sent).toEqual([])
    },
  )

  it('learns that the person denied a call', async () => {
    const { server } = withServer()
    const call = { name: 'read_file', arguments: { path: '/denied.md' } }
    const result = await server.callTool(call, { signal })
    expect(recordOf(result._meta)['dev.edgewise/error']).toEqual({ code: 'DENIED_BY_PERSON' })
  })

  it('calls no tool that the server does not list', async () => {
    const { server } = withServer()
    await expect(server.callTool({ name: 'open_other' }, { signal })).rejects.toThrow(
      'no such tool',
    )
  })

  it('calls its own tool and those that are for apps, as an approved app', async () => {
    const { server, sent } = withServer()
    const view = Object.assign(document.createElement('div'), { server }) as unknown as ViewHost
    expect(await callTool(view, { name: 'open_tasks' }, signal)).toBe(DATA)
    await callTool(view, { name: 'read_file' }, signal)
    await expect(callTool(view, { name: 'model_only' }, signal)).rejects.toThrow('not for apps')
    expect(sent).toEqual([['read_file', {}]])
  })

  it('reads files, and no other resource', async () => {
    const { server, sent } = withServer()
    const read = await server.readResource('file:///a.md', { signal })
    expect(read.contents).toHaveLength(1)
    await expect(server.readResource('ui://edgewise/files', { signal })).rejects.toThrow(
      'only files',
    )
    expect(sent).toHaveLength(1)
  })

  it('can send nothing else', () => {
    const { server } = withServer()
    expect(Object.keys(server)).toEqual(['readResource', 'tools', 'callTool'])
  })
})

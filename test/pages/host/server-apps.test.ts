/**
 * The views of the product in any client, in both eras of the protocol: on tools, in the list of
 * resources, and when read.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/e2e/folder.ts'
import { useServer } from '../../support/e2e/server.ts'
import { inspect } from '../../support/slow/inspector.ts'
import { startConformanceServer } from '../../support/pages/conformance-server.ts'

const server = useServer()

const MIME = 'text/html;profile=mcp-app'

/** The view of each tool. */
const VIEW_OF: Readonly<Record<string, string>> = {
  write_file: 'ui://edgewise/review',
  edit_file: 'ui://edgewise/review',
  move_file: 'ui://edgewise/review',
  copy_file: 'ui://edgewise/review',
  delete_file: 'ui://edgewise/review',
  list_roots: 'ui://edgewise/files',
  find_files: 'ui://edgewise/files',
  search_files: 'ui://edgewise/files',
}

const CLOSED = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }

const UI_CAPABILITY = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME] } } }

describe.each([
  ['auto', 'auto', true],
  ['legacy', 'legacy', true],
  ['auto, without the extension', 'auto', false],
] as const)('%s', (_, mode, showsApps) => {
  let client: Client

  beforeAll(async () => {
    const info = { name: 'other-client', version: '1' }
    const capabilities = showsApps ? UI_CAPABILITY : {}
    client = new Client(info, { capabilities, versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  })
  afterAll(() => client.close())

  it('tools name their view under both keys and who may call them, to hosts that show it', async () => {
    const { tools } = await client.listTools()
    const named = tools.filter(({ _meta }) => _meta?.['ui/resourceUri'] !== undefined)
    expect(
      Object.fromEntries(named.map(({ name, _meta }) => [name, _meta?.['ui/resourceUri']])),
    ).toEqual(showsApps ? VIEW_OF : {})
    for (const { _meta } of named) {
      const resourceUri = _meta?.['ui/resourceUri']
      expect(_meta?.['ui']).toEqual({ resourceUri, visibility: ['model', 'app'] })
    }
  })

  it('app-only tools are marked, and listed only to clients that show views', async () => {
    const { tools } = await client.listTools()
    const hidden = tools.filter(({ _meta }) => JSON.stringify(_meta?.['ui'])?.includes('["app"]'))
    expect(hidden.length > 2).toBe(showsApps)
    if (!showsApps) expect(tools.map(({ name }) => name)).not.toContain('list_folder')
    const names = hidden.map(({ name }) => name)
    for (const name of ['read_file', 'write_file', 'delegate']) expect(names).not.toContain(name)
  })

  it('views are listed as applications, with type, policy and border', async () => {
    const { resources } = await client.listResources()
    const views = resources.filter(({ uri }) => uri.startsWith('ui://edgewise/'))
    expect(views.map(({ uri }) => uri)).toEqual(['ui://edgewise/review', 'ui://edgewise/files'])
    for (const view of views)
      expect(view).toMatchObject({
        mimeType: MIME,
        title: expect.any(String),
        description: expect.any(String),
        _meta: { ui: { csp: CLOSED, prefersBorder: true }, 'dev.edgewise/type': 'application' },
      })
  })

  it.each(['ui://edgewise/review', 'ui://edgewise/files'])(
    '%s is one page that needs nothing',
    async (uri) => {
      const { contents } = await client.readResource({ uri })
      expect(contents).toHaveLength(1)
      const [content] = contents
      expect(content).toMatchObject({ uri, mimeType: MIME, _meta: { ui: { csp: CLOSED } } })
      const html = content && 'text' in content ? content.text : ''
      expect(html).toMatch(/^<!doctype html>/i)
      expect(html).not.toMatch(/<(?:script|img|iframe|link)[^>]+(?:src|href)=/i)
    },
  )

  it('a view that does not exist is an error', async () => {
    await expect(client.readResource({ uri: 'ui://edgewise/none' })).rejects.toThrow()
  })

  it('the result of a tool is readable without a view', async () => {
    const made = { name: 'write_file', arguments: { path: '/a.txt', content: 'one' } }
    const { content } = await client.callTool(made)
    expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('a.txt') })
  })
})

it('shows the tag of an application on the wire, which clients drop from annotations', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'other-client', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/list',
      params: { _meta: meta },
    }),
  })
  expect(await answer.json()).toMatchObject({
    result: { resources: expect.arrayContaining([expect.objectContaining(TAGGED)]) },
  })
})

const TAGGED = {
  uri: 'ui://edgewise/files',
  annotations: expect.objectContaining({ type: 'application' }),
}

it('the conformance server works with any host', async () => {
  const tables: unknown[] = []
  const judge = await startConformanceServer((table) => tables.push(table))
  const client = new Client({ name: 'other-client', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(judge.url)))
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_conformance')
  const { contents } = await client.readResource({ uri: 'ui://conformance/runner' })
  expect(contents).toMatchObject([{ mimeType: MIME, text: expect.stringContaining('<h1>Host') }])
  await client.callTool({ name: 'conformance_report', arguments: { finished: true } })
  expect(tables).toEqual([{ finished: true }])
  await client.close()
  await judge.close()
})

describe('the official Inspector', () => {
  const home = temporaryFolder()
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it.each([
    ['write_file', 0, 'ui://edgewise/review'],
    ['list_roots', 0, 'ui://edgewise/files'],
    ['delegate', 2, 'no_app'],
    ['nothing', 5, 'tool_not_found'],
  ])('%s: exit %d, %s', async (tool, code, text) => {
    const { exitCode, stdout, stderr } = await inspect(`${server.url}/mcp`, {
      era: 'modern',
      method: 'tools/call',
      args: ['--tool-name', tool, '--app-info', '--advertise-apps'],
      home,
    })
    expect(exitCode).toBe(code)
    expect(stdout + stderr).toContain(text)
  })
})

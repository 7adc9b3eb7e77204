/** A stateless MCP server with apps as resources, for tests of the console as a host. @module */

import { text } from 'node:stream/consumers'
import { startSite, type Site } from './app-servers.ts'

const MIME = 'text/html;profile=mcp-app'

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'content-type': 'application/json',
}

/** An app: its page, and its `_meta.ui`. */
export interface AppResource {
  readonly text: string
  readonly ui?: object
}

/** A tool that changes nothing and answers with its name and its arguments, unless it has a result of its own. */
export interface EchoTool {
  readonly name: string
  readonly _meta?: object
  readonly result?: object
}

type Answers = Readonly<Record<string, (params: Record<string, unknown>) => unknown>>

/** Starts a server with these apps, by URI, and these tools. */
export async function startResourceServer(
  name: string,
  apps: Readonly<Record<string, AppResource>>,
  tools: readonly EchoTool[] = [],
): Promise<Site> {
  const answers: Answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { resources: {}, ...(tools.length > 0 && { tools: {} }) },
      serverInfo: { name, version: '1' },
    }),
    'tools/list': () => ({
      tools: tools.map(({ result: _result, ...tool }) => ({
        ...tool,
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      })),
    }),
    'tools/call': ({ name: called, arguments: args = {} }) => ({
      content: [{ type: 'text', text: `${String(called)} was called` }],
      structuredContent: tools.find((tool) => tool.name === called)?.result ?? {
        name: called,
        arguments: args,
      },
    }),
    'resources/list': () => ({
      resources: Object.keys(apps).map((uri) => ({
        ...{ uri, name: uri, mimeType: MIME },
        annotations: { type: 'application' },
      })),
    }),
    'resources/read': ({ uri }) => {
      const app = apps[String(uri)]
      return { contents: [{ uri, mimeType: MIME, text: app?.text, _meta: { ui: app?.ui ?? {} } }] }
    },
  }
  const site = await startSite(async (request, response) => {
    if (request.method !== 'POST')
      return void response.writeHead(request.method === 'OPTIONS' ? 204 : 405, HEADERS).end()
    const { id, method, params = {} } = JSON.parse(await text(request))
    const answer = answers[method]
    const outcome = answer
      ? { result: answer(params) }
      : { error: { code: -32601, message: 'Method not found' } }
    const body = id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
    response.writeHead(body === '' ? 202 : 200, HEADERS).end(body)
  })
  return { url: `${site.url}/mcp`, close: () => site.close() }
}

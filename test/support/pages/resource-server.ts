/** A stateless MCP server with apps as its only resources, for tests of the console as a host. @module */

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

type Answers = Readonly<Record<string, (params: Record<string, unknown>) => unknown>>

/** Starts a server with these apps, by URI. */
export async function startResourceServer(
  name: string,
  apps: Readonly<Record<string, AppResource>>,
): Promise<Site> {
  const answers: Answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { resources: {} },
      serverInfo: { name, version: '1' },
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

/**
 * An MCP server with sessions that reads a configuration from each client (mcp4h), for the console's form.
 *
 * @module
 */

import { text } from 'node:stream/consumers'
import { startSite, type Site } from './app-servers.ts'

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'content-type': 'application/json',
}

/** The schema; one field is for policies and must not be offered. */
const SCHEMA = {
  type: 'object',
  required: ['region'],
  additionalProperties: false,
  properties: {
    region: { type: 'string', title: 'Region', enum: ['north', 'south', 'moon'] },
    rows: { type: 'integer', title: 'Rows', minimum: 1, maximum: 100 },
    key: { type: 'string', title: 'Access key', writeOnly: true },
    limit: { type: 'integer', title: 'Limit of one call', scope: 'policy' },
  },
}

/** A server with the configurations that it received, the last one at the end. */
export interface ConfigServer extends Site {
  readonly received: unknown[]
}

/**
 * Starts the server. The region `moon` is always refused.
 *
 * @param isStrict Refuses clients without a configuration, and serves the schema at a well-known path.
 */
export async function startConfigServer(isStrict = false): Promise<ConfigServer> {
  const received: unknown[] = []

  function initialize({ protocolVersion, capabilities }: Record<string, unknown>): object {
    const sent: unknown = Object(Object(capabilities).experimental).configuration
    received.push(sent)
    const isRefused = Object(sent).region === 'moon' || (isStrict && sent === undefined)
    if (isRefused) return { error: { code: -32602, message: 'Cannot serve this region' } }
    const serverInfo = { name: 'regions', version: '1' }
    return {
      result: { protocolVersion, capabilities: {}, serverInfo, configSchema: SCHEMA },
    }
  }

  const site = await startSite(async (request, response) => {
    if (request.url === '/.well-known/mcp-config')
      return void response.writeHead(isStrict ? 200 : 404, HEADERS).end(JSON.stringify(SCHEMA))
    if (request.method !== 'POST')
      return void response.writeHead(request.method === 'OPTIONS' ? 204 : 405, HEADERS).end()
    const { id, method, params = {} } = JSON.parse(await text(request))
    const outcome =
      method === 'initialize'
        ? initialize(params)
        : { error: { code: -32601, message: 'Method not found' } }
    const body = id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
    response.writeHead(body === '' ? 202 : 200, HEADERS).end(body)
  })
  return { url: `${site.url}/mcp`, received, close: () => site.close() }
}

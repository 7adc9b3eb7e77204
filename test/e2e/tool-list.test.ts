/** The build writes the answer to `tools/list` ahead of time: it is what the object of a workspace answers. */

import { expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import {
  APP_MIME,
  APPS_EXTENSION,
  CAPABILITIES_META,
  MODERN_PROTOCOL,
  PROTOCOL_META,
} from '#core/wire.ts'
import { writeManifestSchema, writeToolSchemas } from '#worker/mcp/static-schemas.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()

/** Lists the tools. The front leaves a request with a progress token to the object, where the SDK answers it. */
async function listTools(meta: Readonly<Record<string, unknown>>): Promise<unknown> {
  const _meta = { [PROTOCOL_META]: MODERN_PROTOCOL, [CAPABILITIES_META]: {}, ...meta }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN_PROTOCOL,
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify(message),
  })
  const text = await response.text()
  const json: unknown = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)
  return recordOf(json)['result']
}

it('the front and the object list the same tools', async () => {
  const written = await listTools({})
  expect(recordOf(written)['tools']).toContainEqual(expect.objectContaining({ name: 'read_file' }))
  expect(await listTools({ progressToken: 'p' })).toEqual(written)
})

it('the build has written the schemas that check a call', async () => {
  const { tools } = recordOf(await listTools({ [CAPABILITIES_META]: SHOWS_APPS }))
  const listed = JSON.parse(JSON.stringify(tools))
  const written = JSON.parse(writeToolSchemas()).tools
  for (const { name, inputSchema, outputSchema } of listed)
    expect({ name, inputSchema, outputSchema }).toEqual({ name, ...written[name] })
  // One is listed only where a host is.
  expect(listed).toHaveLength(Object.keys(written).length - 1)
  expect(written).toHaveProperty('import_file')
  const schema = await (await fetch(`${server.url}/app.schema.json`)).json()
  expect(schema).toEqual(JSON.parse(writeManifestSchema()))
})

const SHOWS_APPS = {
  extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_MIME] } },
}

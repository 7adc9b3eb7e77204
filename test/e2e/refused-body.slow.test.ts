/**
 * Large bodies that are refused, over real connections: the client gets each response, and never a reset connection.
 * `test/platform/api/refused-body.test.ts` counts what is read of them.
 */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it } from 'vitest'
import { useServer } from '../support/e2e/server.ts'

const open = useServer()
const owned = useServer({ EDGEWISE_OWNER_SECRET: 'an-owner-secret-with-enough-characters' })

const BODY = `"${'x'.repeat(9 * 1024 * 1024)}"`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends the body several times, because a connection that may break does not always break. */
async function sendOften(url: string, headers: HeadersInit): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < 5; time++) {
    const response = await fetch(url, { method: 'POST', headers, body: BODY })
    await response.text()
    statuses.push(response.status)
  }
  return statuses
}

const often = (status: number) => Array.from({ length: 5 }, () => status)

it.each<[string, HeadersInit, number]>([
  ['/mcp', { ...JSON_TYPE, origin: 'http://other.example' }, 403],
  ['/mcp', { ...JSON_TYPE, accept: 'application/json, text/event-stream' }, 413],
  ['/w/UPPER/mcp', JSON_TYPE, 404],
  ['/config', JSON_TYPE, 405],
  ['/drafts/none/approve', JSON_TYPE, 403],
  ['/healthz', JSON_TYPE, 405],
  ['/nothing', JSON_TYPE, 404],
])('%s answers a large body that it refuses', async (path, headers, status) =>
  expect(await sendOften(open.url + path, headers)).toEqual(often(status)),
)

it.each<[string, HeadersInit, number]>([
  ['/mcp', { ...JSON_TYPE, authorization: 'Bearer none' }, 401],
  ['/import', {}, 401],
  ['/oauth/register', JSON_TYPE, 413],
  ['/oauth/token', FORM, 413],
  ['/signin', FORM, 403],
])('with an owner, %s answers a large body that it refuses', async (path, headers, status) =>
  expect(await sendOften(owned.url + path, headers)).toEqual(often(status)),
)

it('tells a client of the SDK which call is too large, and how to send the file', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${open.url}/mcp`)))
  for (const mebibytes of [4.2, 5, 9, 4.2, 5, 9]) {
    const content = 'x'.repeat(mebibytes * 1024 * 1024)
    const call = client.callTool({ name: 'write_file', arguments: { path: '/a.txt', content } })
    await expect(call).rejects.toThrow(/"id":\d+,.*more than 4194304 bytes.*transfer_link/)
  }
  await client.close()
})

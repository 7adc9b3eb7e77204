/** Which requests reach the object of a workspace, each of which is billed, and when it sleeps. */

import type { Env } from '#worker/env.ts'
import app from '#worker/index.ts'
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MODERN } from '../../support/worker/client.ts'

describe('requests to the object', () => {
  /** The product with bindings that count. */
  async function requestsOf(method: string, params: Record<string, unknown>): Promise<number> {
    let requests = 0
    const answer = Response.json({ jsonrpc: '2.0', id: 1, result: {} })
    const fetch = async () => (requests++, answer)
    const WORKSPACE = { idFromName: (name: string) => name, get: () => ({ fetch }) }
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': MODERN,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    const response = await app.fetch(
      request,
      { WORKSPACE } as unknown as Env,
      createExecutionContext(),
    )
    expect(response.status).toBe(200)
    return requests
  }

  it.each([
    ['tools/list', {}, 0],
    ['server/discover', {}, 1],
    ['tools/call', { name: 'read_file', arguments: { path: 'a' } }, 1],
    ['resources/list', {}, 1],
  ])('%s %j: %i', async (method, params, expected) => {
    expect(await requestsOf(method, params)).toBe(expected)
  })
})

it('an idle workspace has no alarm', async () => {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  await stub.fetch('https://workspace/files/a', { method: 'PUT', body: 'x' })
  const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  await expect.poll(alarm).toBeNull()
})

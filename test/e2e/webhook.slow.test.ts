/**
 * The webhook against a real receiver on this machine, which verifies each signature with `standardwebhooks`. Each test
 * has its own server and waits for its alarms, so all wait at the same time.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { DUE } from '#worker/search/index-due.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { startNotifying, type NotifyingServer } from '../support/e2e/notifying-server.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`

/** Text that is indexed at once: less can wait for more. */
const ENOUGH = 'words '.repeat(DUE.bytes / 6 + 1)

interface Received {
  readonly id: string
  readonly time: number
  readonly body: unknown
}

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Starts a receiver. It gives the answers in their order, the last of them to all further requests. */
async function startReceiver(...answers: ((response: ServerResponse) => void)[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    // A wrong signature is a request that the test does not see.
    const body: unknown = new Webhook(SECRET).verify(raw, headers)
    received.push({ id: headers['webhook-id'] ?? '', time: Date.now(), body })
    const answer = answers[Math.min(received.length, answers.length) - 1]
    answer?.(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${port}/hook?token=1` }
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end()

const folder = () => {
  const data = temporaryFolder()
  cleanups.push(() => removeFolder(data))
  return data
}

async function start(
  url: string,
  data = folder(),
  more: Record<string, string> = {},
): Promise<NotifyingServer> {
  const webhook = { EDGEWISE_WEBHOOK: url, EDGEWISE_WEBHOOK_SECRET: SECRET }
  const server = await startNotifying(data, { ...webhook, ...more })
  cleanups.push(server.stop)
  return server
}

const notice = (draft: string) => ({
  type: 'draft.waiting',
  workspace: 'default',
  draft,
  url: `https://files.example.com/#/drafts/${draft}`,
  intent: 'Write /private/salary.txt',
})

const soon = { timeout: 30_000, interval: 50 }
const afterRetry = { timeout: 60_000, interval: 100 }

describe.concurrent('the webhook', () => {
  it('signs one notice for a burst, with a link and no content', async ({ expect }) => {
    const { received, url } = await startReceiver(status(204))
    const { ask } = await start(url)
    expect(await ask('/notify', ['1', '1', '1'].map(notice))).toBe(204)
    await expect.poll(() => received.length, soon).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(received).toHaveLength(1)
    expect(received[0]?.body).toEqual({
      type: 'draft.waiting',
      timestamp: expect.any(String),
      data: { workspace: 'default', draft: '1', url: 'https://files.example.com/#/drafts/1' },
    })
  })

  it('notifies of an access request, without what it asks for', async ({ expect }) => {
    const { received, url } = await startReceiver(status(204))
    const roots = JSON.stringify({ roots: [{ path: '/docs' }] })
    const server = await start(url, folder(), { EDGEWISE_CONFIG: roots })
    const call = { name: 'read_file', arguments: { path: '/private/salary.txt' } }
    const answer = await fetch(new URL('/mcp', server.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    })
    expect(await answer.text()).toContain('The owner can allow it')
    await expect.poll(() => received.length, soon).toBe(1)
    expect(received[0]?.body).toEqual({
      type: 'access.requested',
      timestamp: expect.any(String),
      data: { workspace: 'default', url: '/#/waiting' },
    })
  })

  it('tries again after a 500, with the same id', async ({ expect }) => {
    const { received, url } = await startReceiver(status(500), status(204))
    const { ask } = await start(url)
    await ask('/notify', notice('1'))
    await expect.poll(() => received.length, afterRetry).toBe(2)
    const [first, second] = received
    expect(second?.id).toBe(first?.id)
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThan(10_000)
  })

  it('ends an attempt on a receiver that does not answer, and meanwhile indexes files', async ({
    expect,
  }) => {
    const ends: number[] = []
    const hang = (response: ServerResponse) => {
      const start = Date.now()
      response.once('close', () => ends.push(Date.now() - start))
    }
    const { received, url } = await startReceiver(hang, status(204))
    const { ask, status: readStatus } = await start(url)
    await ask('/notify', notice('1'))
    await expect.poll(() => received.length, soon).toBe(1)
    const call = { name: 'write_file', arguments: { path: '/a.md', content: ENOUGH } }
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { ...call, _meta: meta }
    await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    await expect.poll(readStatus).toMatchObject({ unindexed: 0 })
    expect(ends).toEqual([])
    await expect.poll(() => ends.length, afterRetry).toBe(1)
    expect(ends[0]).toBeGreaterThan(8_000)
    expect(ends[0]).toBeLessThan(14_000)
    await expect.poll(() => received.length, afterRetry).toBe(2)
    expect(received[1]?.id).toBe(received[0]?.id)
  })

  it('follows no redirect', async ({ expect }) => {
    const elsewhere = await startReceiver(status(204))
    const { received, url } = await startReceiver(status(307, { location: elsewhere.url }))
    const { ask } = await start(url)
    await ask('/notify', notice('1'))
    await expect.poll(() => received.length, soon).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(elsewhere.received).toEqual([])
  })

  it('delivers what was queued before a restart', async ({ expect }) => {
    const { received, url } = await startReceiver(status(204))
    const data = folder()
    // Nothing listens there, should a slow machine attempt the delivery before the restart.
    const first = await start('http://127.0.0.1:9/hook', data)
    await first.ask('/notify', notice('1'))
    await first.stop()
    expect(received).toEqual([])
    await start(url, data)
    await expect.poll(() => received.length, afterRetry).toBe(1)
  })

  it('reaches this machine also after a request that has loaded the sign-in', async ({
    expect,
  }) => {
    const { received, url } = await startReceiver(status(204))
    const { ask } = await start(url, folder(), {
      EDGEWISE_OWNER_SECRET: 'a long secret of the owner',
    })
    expect(await ask('/signin')).toBe(200)
    await ask('/notify', notice('1'))
    await expect.poll(() => received.length, soon).toBe(1)
  })
})

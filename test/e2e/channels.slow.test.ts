/** Chat and e-mail as workerd sends them: to receivers on this machine, and to the binding that the local platform has. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Summary } from '#worker/notifier/summary.ts'
import { afterAll, describe, expect as matching, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { startNotifying } from '../support/e2e/notifying-server.ts'

const SUMMARY: Summary = {
  ...{ workspace: 'team', isNews: true, changes: 2, requests: 1, apps: 0, skills: 0, applied: 0 },
  ...{ from: ['<!channel>\r\nBcc: x@evil.example'], others: 0 },
  url: 'https://files.example/?at=/w/team/mcp#/waiting',
}

const TITLE = 'Edgewise: 2 changes and 1 access request wait for you in "team"'
const FROM = 'From "<!channel>[CR][LF]Bcc: x[at]evil[.]example".'

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Starts a receiver that answers as given. */
async function startReceiver(answer: (response: ServerResponse) => void) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/hook?token=1` }
}

async function start(variables: Record<string, string>, verified?: string) {
  const data = temporaryFolder()
  cleanups.push(() => removeFolder(data))
  const options = verified === undefined ? {} : { verified }
  const server = await startNotifying(data, variables, options)
  cleanups.push(server.stop)
  return server
}

const accept = (response: ServerResponse) => void response.writeHead(200).end('ok')

describe.concurrent('the chat', () => {
  it.for([
    ['slack', { text: matching.stringContaining('"&lt;!channel&gt;[CR]'), mrkdwn: false }],
    ['discord', { content: matching.stringContaining(String.raw`\<\!channel\>`) }],
    ['teams', { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] }],
  ] as const)('%s gets its message', async ([kind, message], { expect }) => {
    const { received, url } = await startReceiver(accept)
    const { sendSummary } = await start({ EDGEWISE_CHAT: `${kind} ${url}` })
    expect(await sendSummary(SUMMARY)).toEqual([{ outcome: 'delivered', status: 200 }])
    expect(received).toHaveLength(1)
    expect(received[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject(message)
  })

  it('plain gets text', async ({ expect }) => {
    const { received, url } = await startReceiver(accept)
    const { sendSummary } = await start({ EDGEWISE_CHAT: `plain ${url}` })
    await sendSummary(SUMMARY)
    expect(received[0]?.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(received[0]?.body).toBe([TITLE, FROM, SUMMARY.url].join('\n'))
  })

  it('is sent along no redirect, and asked to wait', async ({ expect }) => {
    const elsewhere = await startReceiver(accept)
    const headers = { location: elsewhere.url }
    const redirecting = await startReceiver((response) => response.writeHead(307, headers).end())
    const first = await start({ EDGEWISE_CHAT: `slack ${redirecting.url}` })
    expect(await first.sendSummary(SUMMARY)).toEqual([{ outcome: 'failed', status: 307 }])
    expect(elsewhere.received).toEqual([])
    const busy = await startReceiver((response) =>
      response.writeHead(429, { 'retry-after': '7' }).end(),
    )
    const second = await start({ EDGEWISE_CHAT: `slack ${busy.url}` })
    const waits = { outcome: 'failed', status: 429, retryAfter: 7 }
    expect(await second.sendSummary(SUMMARY)).toEqual([waits])
  })
})

describe.concurrent('e-mail', () => {
  const EDGEWISE_EMAIL = 'owner@a.example edgewise@b.example'

  it('is given to the platform', async ({ expect }) => {
    const { sendSummary, emails } = await start({ EDGEWISE_EMAIL }, 'owner@a.example')
    expect(await sendSummary(SUMMARY)).toEqual([{ outcome: 'delivered', status: null }])
    await expect.poll(() => emails.join('\n')).toContain('Subject: ')
    const log = emails.join('\n')
    expect(log).toContain(`From: edgewise@b.example\nTo: owner@a.example\nSubject: ${TITLE}\n`)
    expect(log).not.toMatch(/^(?:cc|bcc):/im)
    const [, file = ''] = /Text: (\S+)/.exec(log) ?? []
    expect(readFileSync(file, 'utf8')).toBe([FROM, '', SUMMARY.url, ''].join('\n'))
  })

  it('that the platform refuses has failed', async ({ expect }) => {
    const { sendSummary } = await start({ EDGEWISE_EMAIL }, 'another@a.example')
    expect(await sendSummary(SUMMARY)).toEqual([{ outcome: 'failed', status: null }])
  })
})

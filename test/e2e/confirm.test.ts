/**
 * A change at the level `confirm`, with the official clients as they are: they show the page of the change to their
 * person, and the call is answered with the decision. In both eras the agent also follows its draft as a resource.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ElicitationCompleteNotificationSchema,
  ResourceUpdatedNotificationSchema,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { DRAFT_URI, ERROR_META } from '#core/wire.ts'
import { useServer } from '../support/e2e/server.ts'
import { ownerOf } from '../support/e2e/owner-decisions.ts'

const server = useServer()

const capabilities = { elicitation: { url: {} } }

function openOwner() {
  const fetchOwn = (path: string, init?: RequestInit) => fetch(server.url + path, init)
  return ownerOf({ base: server.url, fetch: fetchOwn })
}

const stored = async (path: string) => (await fetch(`${server.url}/files/${path}`)).text()

/** Decides as the person who opened a page would: on the one change that its URL names. */
async function decideAt(url: string, what: 'approve' | 'turn-down', note = ''): Promise<void> {
  const { origin, hash } = new URL(url)
  expect(origin).toBe(server.url)
  const [, page, draft = '', change = ''] = hash.split('/')
  expect(page).toBe('waiting')
  await openOwner().decide(what, { draft, changes: [change], note })
}

const Status = z.looseObject({ draft: z.looseObject({ changes: z.int() }).nullable() })

const Contents = z.looseObject({ contents: z.tuple([z.looseObject({ text: z.string() })]) })

const statusIn = (result: unknown) =>
  Status.parse(JSON.parse(Contents.parse(result).contents[0].text))

describe('SDK 2, modern era', () => {
  async function open(decide: (url: string) => Promise<unknown>) {
    const updated: string[] = []
    const options = { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } }
    const client = new Client({ name: 'host', version: '1' }, options)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      if (params.mode !== 'url') throw new Error('Not a URL')
      void decide(params.url)
      return { action: 'accept' }
    })
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri)
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    return { client, updated }
  }

  it('answers the call with the decision', async () => {
    await openOwner().demand('confirm')
    const { client } = await open((url) => decideAt(url, 'approve'))
    const result = await client.callTool({
      name: 'write_file',
      arguments: { path: 'modern.txt', content: 'one' },
    })
    expect(result.structuredContent).toMatchObject({ path: 'modern.txt' })
    expect(result.structuredContent).not.toHaveProperty('draft')
    expect(await stored('modern.txt')).toBe('one')
    expect(await openOwner().drafts()).toEqual([])
    await client.close()
  })

  it('answers the call with the note of the person', async () => {
    await openOwner().demand('confirm')
    const { client } = await open((url) => decideAt(url, 'turn-down', 'Not now.'))
    const result = await client.callTool({
      name: 'write_file',
      arguments: { path: 'refused.txt', content: 'one' },
    })
    expect(result).toMatchObject({
      isError: true,
      _meta: { [ERROR_META]: { code: 'TURNED_DOWN', note: 'Not now.' } },
    })
    await client.close()
  })

  it('follows the draft as a resource', async () => {
    await openOwner().demand('review')
    const { client, updated } = await open(async () => {})
    const listening = await client.listen({ resourceSubscriptions: [DRAFT_URI] })
    await client.callTool({ name: 'write_file', arguments: { path: 'b.txt', content: '1' } })
    await expect.poll(() => updated).toEqual([DRAFT_URI])
    const draft = statusIn(await client.readResource({ uri: DRAFT_URI }))
    expect(draft).toMatchObject({ draft: { changes: 1 } })
    await openOwner().decide('approve')
    await expect.poll(() => updated).toEqual([DRAFT_URI, DRAFT_URI])
    expect(statusIn(await client.readResource({ uri: DRAFT_URI })).draft).toBeNull()
    await listening.close()
    await client.close()
  })
})

describe('SDK 1, a session of the legacy era', () => {
  async function open() {
    const completed: string[] = []
    const updated: string[] = []
    const client = new ClientV1({ name: 'host', version: '1' }, { capabilities })
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      completed.push(params.elicitationId)
    })
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri)
    })
    await client.connect(new TransportV1(new URL(`${server.url}/mcp`)))
    return { client, completed, updated }
  }

  it('gets the page as an error, and the decision when it repeats the call', async () => {
    await openOwner().demand('confirm')
    const { client, completed } = await open()
    const request = { name: 'write_file', arguments: { path: 'legacy.txt', content: 'one' } }
    const error: unknown = await client.callTool(request).catch((reason: unknown) => reason)
    if (!(error instanceof UrlElicitationRequiredError)) throw error
    const [page] = error.elicitations
    await decideAt(page?.url ?? '', 'approve')
    await expect.poll(() => completed).toEqual([page?.elicitationId])
    const result = await client.callTool(request)
    expect(result.structuredContent).toMatchObject({ path: 'legacy.txt' })
    expect(result.isError).toBeFalsy()
    expect(await stored('legacy.txt')).toBe('one')
    expect(await openOwner().drafts()).toEqual([])
    await client.close()
  })

  it('follows the draft as a resource', async () => {
    await openOwner().demand('review')
    const { client, updated } = await open()
    await client.subscribeResource({ uri: DRAFT_URI })
    await client.callTool({ name: 'write_file', arguments: { path: 'c.txt', content: '1' } })
    await expect.poll(() => updated).toContain(DRAFT_URI)
    const draft = statusIn(await client.readResource({ uri: DRAFT_URI }))
    expect(draft).toMatchObject({ draft: { changes: 1 } })
    await openOwner().decide('turn-down')
    await expect.poll(() => updated.length).toBe(2)
    await client.close()
  })
})

it('a client that cannot ask gets the draft', async () => {
  await openOwner().demand('confirm')
  const client = new Client({ name: 'host', version: '1' }, {})
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  const args = { path: 'plain.txt', content: 'one' }
  const { structuredContent } = await client.callTool({ name: 'write_file', arguments: args })
  expect(structuredContent).toHaveProperty('draft')
  await openOwner().decide('turn-down')
  await client.close()
})

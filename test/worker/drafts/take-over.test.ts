/**
 * Which connection has a draft: a new one with the same grant or link and the same ceiling takes it over once the old
 * one has ended, and no other does.
 */

import { recordOf } from '#core/json.ts'
import { MAX_SILENT_SECONDS } from '#worker/drafts/limits.ts'
import { evictDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  byToken,
  connect,
  fallSilent,
  pass,
  reviewed,
  type Connection,
} from '../../support/worker/connections.ts'
import { sendAs } from '../../support/worker/access-client.ts'
import { listOf } from '../../support/worker/held-draft.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

type Workspace = ReturnType<typeof freshWorkspace>

const NOTHING = 'No change waits for approval.'
const HAS_IT = 'Proposed; waits for approval: 1 change'
const LOST_IT = 'is no longer yours'
const GOT_IT = 'is yours now'

/** A link, and a connection with a draft that has one change. */
async function withDraft() {
  const { workspace, owner } = await reviewed({ '/b': 'old' })
  const { client: link, session } = await ownerLinkOf(workspace)
  const old = await connect(link)
  await old.write('/a', 'proposed')
  const [draft = ''] = await owner.drafts()
  return { workspace, owner, link, session, old, draft }
}

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

const evict = (workspace: Parameters<typeof stubOf>[0]) => evictDurableObject(stubOf(workspace))

/** Whether a connection has the draft: it sees its change, and its status names it. */
async function has(connection: Connection, draft: string): Promise<boolean> {
  const isNamed = (await connection.status()).includes(`in draft ${draft}`)
  expect((await connection.read('/a')).includes('proposed')).toBe(isNamed)
  return isNamed
}

describe('a new connection of the same link', () => {
  it('takes the draft over once the old one was deleted', async () => {
    const { link, old, draft, owner, workspace } = await withDraft()
    await old.end()
    const next = await connect(link)
    expect(await next.read('/a')).toContain('proposed')
    expect(await next.status()).toContain(`1 change in draft ${draft}`)
    await next.write('/c')
    expect(await owner.drafts()).toEqual([draft])
    await owner.decide('approve')
    expect(await (await workspace.fetch('/files/c')).text()).toBe('x')
    await expectWhole(stubOf(workspace))
  })

  it(`MAX_SILENT_SECONDS: takes it over after ${MAX_SILENT_SECONDS} seconds without a request`, async () => {
    const { link, draft } = await withDraft()
    const next = await connect(link)
    pass(MAX_SILENT_SECONDS - 1)
    expect(await has(next, draft)).toBe(false)
    pass(1)
    expect(await has(next, draft)).toBe(true)
  })

  it.each([
    ['a call', (old: Connection) => old.read('/b')],
    ['a ping', (old: Connection) => old.request('ping')],
    ['a list of tools', (old: Connection) => old.request('tools/list')],
  ])('does not while the old one sends %s', async (_, speak) => {
    const { link, old, draft } = await withDraft()
    const next = await connect(link)
    for (let minute = 0; minute < 5; minute++) {
      pass(MAX_SILENT_SECONDS - 1)
      await speak(old)
      expect(await has(next, draft)).toBe(false)
    }
    expect(await has(old, draft)).toBe(true)
  })

  it('does not while a transfer link of the old one is used', async () => {
    const { link, old, draft } = await withDraft()
    const { result } = await old.call('transfer_link', { path: '/a', direction: 'download' })
    const { url } = recordOf(recordOf(result)['structuredContent'])
    const file = freshWorkspace(String(url).replace(/\/file$/, ''))
    const next = await connect(link)
    pass(MAX_SILENT_SECONDS - 1)
    expect(await (await file.fetch('/file')).text()).toBe('proposed')
    pass(MAX_SILENT_SECONDS - 1)
    expect(await has(next, draft)).toBe(false)
    pass(1)
    expect(await has(next, draft)).toBe(true)
    expect((await file.fetch('/file')).status).toBe(404)
  })

  it('learns of it once, and so does the old one, which gets a new draft', async () => {
    const { link, old, draft, owner } = await withDraft()
    fallSilent()
    const next = await connect(link)
    expect(await next.read('/b')).toContain(`Draft ${draft} with 1 change of an earlier connection`)
    expect(await next.read('/b')).not.toContain(GOT_IT)
    expect(await old.read('/a')).not.toContain('proposed')
    expect(await old.read('/b')).toContain(`Draft ${draft} with 1 change ${LOST_IT}`)
    expect(await old.read('/b')).not.toContain(LOST_IT)
    expect(await old.status()).toContain(LOST_IT)
    expect(await old.write('/a', 'again')).toContain('waits for approval: 1 change')
    expect(await owner.drafts()).toHaveLength(2)
    expect(await next.read('/a')).toContain('proposed')
    expect(await old.read('/a')).toContain('again')
  })

  it('is one of two that come at the same time', async () => {
    const { link, old, draft } = await withDraft()
    await old.end()
    const both = [await connect(link), await connect(link)]
    await Promise.all(both.map(({ read }) => read('/a')))
    const having = await Promise.all(both.map((one) => has(one, draft)))
    expect(having.filter(Boolean)).toHaveLength(1)
  })

  it('does not take a draft to which the old one has added since', async () => {
    const { link, old, draft } = await withDraft()
    pass(1)
    const beside = await connect(link)
    pass(1)
    await old.write('/c')
    await old.end()
    expect(await beside.status()).toContain(NOTHING)
    expect(await has(await connect(link), draft)).toBe(true)
  })

  it('keeps its own draft, and takes no second one', async () => {
    const { link, draft, owner } = await withDraft()
    const next = await connect(link)
    await next.write('/own')
    fallSilent()
    expect(await next.status()).toContain(HAS_IT)
    expect(await next.status()).not.toContain(draft)
    expect(await owner.drafts()).toHaveLength(2)
  })

  it('passes the draft on to the next', async () => {
    const { link, draft, old } = await withDraft()
    for (let connection = old, last = 0; last < 3; last++) {
      await connection.end()
      connection = await connect(link)
      expect(await has(connection, draft)).toBe(true)
    }
  })

  it('passes it on after the same time', async () => {
    const { link, draft, old } = await withDraft()
    await old.end()
    await connect(link)
    fallSilent()
    expect(await has(await connect(link), draft)).toBe(true)
  })
})

describe('after an eviction', () => {
  it('a connection that was heard a moment ago is not silent', async () => {
    const { link, old, draft, workspace } = await withDraft()
    for (let second = 0; second < 4; second++) {
      pass(45)
      await old.read('/b')
    }
    await evict(workspace)
    const next = await connect(link)
    pass(MAX_SILENT_SECONDS - 1)
    expect(await has(next, draft)).toBe(false)
    expect(await has(old, draft)).toBe(true)
  })

  it('one that fell silent before it has ended', async () => {
    const { link, draft, workspace } = await withDraft()
    await evict(workspace)
    // What is known without memory may be a minute old.
    pass(MAX_SILENT_SECONDS + 59)
    const next = await connect(link)
    expect(await has(next, draft)).toBe(false)
    await evict(workspace)
    pass(1)
    expect(await has(next, draft)).toBe(true)
    await evict(workspace)
    expect(await has(next, draft)).toBe(true)
  })

  it('the old one learns of it all the same', async () => {
    const { link, old, draft, workspace } = await withDraft()
    fallSilent()
    expect(await has(await connect(link), draft)).toBe(true)
    await evict(workspace)
    expect(await old.read('/b')).toContain(LOST_IT)
    expect(await old.read('/b')).not.toContain(LOST_IT)
  })
})

describe('news', () => {
  it('of a draft goes to the connection that has it now', async () => {
    const { link, old, owner } = await withDraft()
    await old.write('/c')
    const { changes } = await owner.show((await owner.drafts())[0] ?? '')
    await owner.decide('turn-down', { note: 'not this one', changes: [changes[1]?.id ?? ''] })
    fallSilent()
    const next = await connect(link)
    expect(await next.read('/b')).toContain('not this one')
    await owner.decide('approve', { note: 'thank you' })
    expect(await next.read('/b')).toContain('thank you')
    expect(await old.read('/b')).not.toMatch(/not this one|thank you/)
    expect(await old.status()).not.toMatch(/not this one|thank you/)
  })

  it('of an access request stays with the connection that asked, and so does what it allows', async () => {
    const { workspace, owner } = await reviewed({ '/docs/a': 'a', '/b': 'secret' })
    const scopes = ['read:file:/docs', 'write:file:/docs']
    const { client: link } = await ownerLinkOf(workspace, { scopes })
    const old = await connect(link)
    await old.write('/docs/c')
    await old.read('/b')
    const [request] = await listRequests(workspace)
    fallSilent()
    const next = await connect(link)
    expect(await next.read('/docs/c')).toContain('x')
    await decideRequest(workspace, `${request?.id}/allow`, { for: 'call' })
    expect(await next.read('/b')).not.toContain('secret')
    expect(await old.read('/b')).toContain('secret')
    expect(await owner.drafts()).toHaveLength(1)
  })

  it('is in the audit log', async () => {
    const { workspace, link, old, draft } = await withDraft()
    const ended = String(old.headers()['mcp-session-id']).slice(0, 8)
    await old.end()
    await (await connect(link)).read('/a')
    const { entries } = recordOf(await (await workspace.fetch('/audit')).json())
    expect(listOf(entries).find(({ tool }) => tool === 'take_over_draft')).toMatchObject({
      intent: `Take over draft ${draft} of the connection ${ended}, which has ended`,
      actor: { label: 'helper' },
      paths: ['/a'],
      outcome: 'proposed',
    })
  })
})

describe('no other connection takes it over', () => {
  it('one with another link of the owner, or with one that the link made', async () => {
    const { workspace, link, old, draft } = await withDraft()
    const delegated = await linkOf(link)
    const ofConnection = await old.call('delegate', { label: 'helper' })
    const { url } = recordOf(recordOf(ofConnection['result'])['structuredContent'])
    const { client: sibling } = await ownerLinkOf(workspace)
    const others = [workspace, sibling, delegated.client, freshWorkspace(String(url))]
    fallSilent()
    for (const other of others) expect(await has(await connect(other), draft)).toBe(false)
    await old.end()
    for (const other of others.slice(0, 3))
      expect(await has(await connect(other), draft)).toBe(false)
    expect(await has(await connect(link), draft)).toBe(true)
  })

  it('one with a link, of the draft of a delegated one', async () => {
    const { link, workspace } = await withDraft()
    const { client: child } = await linkOf(link)
    const old = await connect(child)
    await old.write('/child')
    await old.end()
    for (const other of [link, workspace, (await linkOf(link)).client])
      expect(await (await connect(other)).status()).toContain(NOTHING)
  })

  it('one after the link was revoked', async () => {
    const { workspace, session, old, owner, draft } = await withDraft()
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    await old.end()
    const { client: again } = await ownerLinkOf(workspace)
    expect(await has(await connect(again), draft)).toBe(false)
    expect(await has(await connect(workspace), draft)).toBe(false)
    expect(await owner.drafts()).toEqual([draft])
  })

  it('one without a link, whatever it calls itself', async () => {
    const { workspace, owner } = await reviewed()
    const old = await connect(workspace)
    await old.write('/a', 'proposed')
    const [draft = ''] = await owner.drafts()
    await old.end()
    expect(await has(await connect(workspace), draft)).toBe(false)
    expect(await workspace.text('draft_status')).toContain(NOTHING)
  })

  it('a caller without a connection, and no connection takes that of such a caller', async () => {
    const { link, old, draft } = await withDraft()
    await old.end()
    expect(await link.text('draft_status')).toContain(NOTHING)
    expect(await has(await connect(link), draft)).toBe(true)
    await link.call('write_file', { path: '/modern', content: 'x' })
    fallSilent()
    const next = await connect(link)
    expect(await next.read('/modern')).toContain('does not exist')
  })

  it('one whose configuration differs', async () => {
    const { link, old, draft } = await withDraft()
    await old.end()
    const configuration = { roots: [{ path: '/', deny: ['b'] }] }
    const narrower = await connect(link, { experimental: { configuration } })
    expect(await narrower.status()).not.toContain(draft)
    expect(await has(await connect(link), draft)).toBe(true)
  })

  it('one with a token of fewer scopes, nor one with more', async () => {
    const { workspace, owner } = await reviewed({ '/b': 'old' })
    const grant = await tokenOf(workspace, ['read', 'write'])
    const identity = { kind: 'client', workspace: 'w', session: grant.session } as const
    const by = (...scopes: string[]) => byToken(sendAs(workspace, { ...identity, scopes }))
    const wide = by('read', 'write')
    const narrow = by('read:file:/b', 'write:file:/b')
    const old = await connect(wide)
    await old.write('/a', 'proposed')
    const [draft = ''] = await owner.drafts()
    await old.end()
    const few = await connect(narrow)
    expect(await few.status()).toContain(NOTHING)
    await few.write('/b', 'new')
    await few.end()
    // The session began with all scopes; its first request has fewer.
    const begun = legacyClient(wide)
    await begun.request('initialize', INITIALIZE)
    const request = { jsonrpc: '2.0', id: 9, method: 'tools/call' }
    const params = { name: 'draft_status', arguments: {} }
    const body = JSON.stringify({ ...request, params })
    const init = { method: 'POST', headers: begun.headers(), body }
    expect(await (await narrow.fetch('/mcp', init)).text()).toContain(NOTHING)
    const next = await connect(wide)
    expect(await has(next, draft)).toBe(true)
    expect(await next.read('/b')).toContain('old')
  })
})

describe('what the owner allowed a connection', () => {
  const scopes = ['read:file:/docs', 'write:file:/docs']
  const copy = ['copy_file', { from: '/secret', to: '/docs/a' }] as const

  it.each(['call', 'session'])(
    'for a %s does not reach the next one in a draft',
    async (duration) => {
      const { workspace } = await reviewed({ '/docs/x': 'x', '/secret': 'hush' })
      const { client: link } = await ownerLinkOf(workspace, { scopes })
      const old = await connect(link)
      await old.write('/docs/first')
      await old.text(...copy)
      const [request] = await listRequests(workspace)
      await decideRequest(workspace, `${request?.id}/allow`, { for: duration })
      await old.text(...copy)
      expect(await old.read('/docs/a')).toContain('hush')
      await old.end()
      const next = await connect(link)
      expect(await next.read('/docs/a')).not.toContain('hush')
      expect(await next.status()).toContain(NOTHING)
    },
  )
})

describe('what the owner allowed a connection that only read', () => {
  const scopes = ['read:file:/docs', 'write:file:/docs']

  /** A connection that has read what only the owner's permission shows. */
  async function reader(duration: string) {
    const { workspace } = await reviewed({ '/docs/x': 'x', '/secret': 'hush' })
    const { client: link } = await ownerLinkOf(workspace, { scopes })
    const old = await connect(link)
    await old.write('/docs/first')
    await old.read('/secret')
    const [request] = await listRequests(workspace)
    await decideRequest(workspace, `${request?.id}/allow`, { for: duration })
    return { workspace, link, old, text: await old.read('/secret') }
  }

  async function passOn({ link, old, text }: Awaited<ReturnType<typeof reader>>): Promise<void> {
    expect(text).toContain('hush')
    await old.write('/docs/a', text)
    await old.end()
    const next = await connect(link)
    expect(await next.read('/docs/a')).not.toContain('hush')
    expect(await next.status()).toContain(NOTHING)
  }

  it('for a call does not reach the next one in what it writes later', async () =>
    passOn(await reader('call')))

  it('for the session does not, after it was taken back', async () => {
    const read = await reader('session')
    const id = read.old.headers()['mcp-session-id']
    const headers = { 'sec-fetch-site': 'same-origin', 'x-edgewise-console': '1' }
    const taken = await read.workspace.fetch(`/sessions/${id}/allowed`, {
      method: 'DELETE',
      headers,
    })
    expect(taken.status).toBe(204)
    expect(await read.old.read('/secret')).not.toContain('hush')
    await passOn(read)
  })
})

describe('a connection that is silent', () => {
  it('keeps its draft while a call of it waits, and its answer', async () => {
    const { workspace, owner } = await reviewed({ '/log': 'old\n' })
    await owner.demand('confirm')
    const { client: link } = await ownerLinkOf(workspace)
    const caps = { elicitation: { form: {}, url: {} } }
    const args = { path: '/log', content: 'entry\n' }
    const old = await connect(link, caps)
    await old.call('write_file', args)
    const beside = await connect(link, caps)
    fallSilent()
    expect(await beside.status()).toContain(NOTHING)
    await owner.decide('approve')
    const again = await old.call('write_file', args)
    expect(recordOf(recordOf(again.result)['structuredContent'])['version']).toBe(3)
    // The same call of another connection is one of its own.
    expect((await beside.call('write_file', args)).result).toBeUndefined()
  })

  it('keeps it for as long as no other one calls', async () => {
    const { workspace } = await reviewed({ '/b': 'old' })
    const { client: link } = await ownerLinkOf(workspace)
    const old = await connect(link)
    await old.write('/a', 'mine')
    const beside = await connect(link)
    fallSilent()
    await beside.request('ping')
    expect(await old.read('/a')).toContain('mine')
  })
})

describe('callers without a session', () => {
  const as = (name: string) => ({
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
  })
  const readAs = async (from: Workspace, name: string) =>
    (await from.call('read_file', { path: '/a' }, as(name))).result?.content[0]?.text

  it('have a draft for each name that they claim, under each link', async () => {
    const { workspace, owner } = await reviewed()
    const { client: link } = await ownerLinkOf(workspace)
    for (const from of [workspace, link])
      for (const name of ['one', 'two'])
        await from.call('write_file', { path: '/a', content: name }, as(name))
    expect(await owner.drafts()).toHaveLength(4)
    for (const from of [workspace, link])
      for (const name of ['one', 'two']) expect(await readAs(from, name)).toContain(`1: ${name}\n`)
  })

  it('are shown to the owner as perhaps several', async () => {
    const { workspace, link } = await withDraft()
    await link.call('write_file', { path: '/a', content: 'x' }, as('one'))
    await workspace.call('write_file', { path: '/a', content: 'x' }, as('two'))
    const { drafts } = recordOf(await (await workspace.fetch('/drafts')).json())
    expect(
      listOf(drafts)
        .map(({ shared, label, client }) => JSON.stringify([shared, label, client]))
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['[false,"helper","test"]', '[true,"helper","one"]', '[true,null,"two"]'])
  })

  it('make transfer links to the draft of their own name', async () => {
    const { workspace } = await reviewed()
    const args = { path: '/a', direction: 'upload' }
    const { result } = await workspace.call('transfer_link', args, as('one'))
    const url = String(result?.structuredContent['url']).replace(/\/file$/, '')
    const put = await freshWorkspace(url).fetch('/file', { method: 'PUT', body: 'sent' })
    expect(put.status).toBeLessThan(300)
    expect(await readAs(workspace, 'one')).toContain('sent')
    expect(await readAs(workspace, 'two')).toContain('does not exist')
  })
})

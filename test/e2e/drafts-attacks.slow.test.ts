/**
 * Attacks on approving: nothing that arrives over MCP, through a link, with a token or from a page of another origin
 * decides on a draft, and a decision applies exactly what its revision showed.
 */

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Person } from '../support/e2e/person.ts'
import { authorizeClient } from '../support/e2e/oauth-client.ts'
import { ask, bearer, callTool, ERAS, openSession } from '../support/e2e/mcp-request.ts'
import { useTokenServer } from '../support/e2e/oauth-server.ts'

const LISTED = 'https://listed.example'
const server = useTokenServer(undefined, { EDGEWISE_ORIGINS: LISTED })
const owner = new Person()

const Listed = z.object({ drafts: z.array(z.object({ id: z.string(), changes: z.number() })) })
const Shown = z.object({
  id: z.string(),
  revision: z.string(),
  changes: z.array(z.object({ id: z.string(), group: z.number() })),
})
const Decided = z.object({ decided: z.number(), left: z.number() })

/** The headers with which the console's own page sends a decision. */
const console = () => ({
  'sec-fetch-site': 'same-origin',
  origin: server.url,
  'x-edgewise-console': '1',
  'content-type': 'application/json',
})

let workspaces = 0
let base = ''
let token = ''

beforeAll(async () => {
  await owner.signIn(server.url)
})

beforeEach(async () => {
  const workspace = `drafts${++workspaces}`
  base = `${server.url}/w/${workspace}`
  const granted = await authorizeClient(server.url, owner, { allow: true, workspace })
  token = granted.access_token
  const body = JSON.stringify({ approval: 'review' })
  expect((await person('/config', { method: 'PUT', body })).status).toBe(200)
  await person('/files/a', { method: 'PUT', body: 'old' })
})

const person = (path: string, init: RequestInit = {}) =>
  owner.visit(base + path, { ...init, headers: console() })

const write = (path: string, content: string) =>
  callTool(`${base}/mcp`, bearer(token), 'write_file', { path, content })

const list = async () => Listed.parse(await (await person('/drafts')).json()).drafts

async function show() {
  const [draft] = await list()
  if (!draft) throw new Error('No draft')
  return Shown.parse(await (await person(`/drafts/${draft.id}`)).json())
}

const textOf = async (path: string) => (await person(`/files${path}`)).text()

type Values = Readonly<Record<string, unknown>>

const decide = (id: string, body: Values, what = 'approve') =>
  person(`/drafts/${id}/${what}`, { method: 'POST', body: JSON.stringify(body) })

const codeOf = async (answer: Response) =>
  z.object({ code: z.string() }).parse(await answer.json()).code

const expectUndecided = async () => {
  expect(await textOf('/a')).toBe('old')
  expect(await list()).toMatchObject([{ changes: 1 }])
}

describe('who cannot decide', () => {
  beforeEach(async () => {
    await write('/a', 'new')
  })
  afterEach(expectUndecided)

  it('MCP: no tool, argument, metadata or resource approves', async () => {
    const { id, revision } = await show()
    const url = `${base}/mcp`
    for (const method of ['drafts/approve', 'resources/approve', 'approve'])
      expect((await ask(url, bearer(token), method, { id, revision })).text).toContain('"error"')
    for (const name of ['approve', 'approve_draft', 'turn_down_draft', 'decide'])
      expect((await callTool(url, bearer(token), name, { id, revision })).text).toContain('-32602')
    const approved = { approved: true, approval: 'none', 'dev.edgewise/draft': { id, revision } }
    const meta = { ...approved, granted_scopes: ['write'], 'dev.edgewise/preview': id }
    const args = { path: '/a', content: 'newer', draft: id, approve: true }
    await ask(url, bearer(token), 'tools/call', {
      name: 'write_file',
      arguments: args,
      _meta: meta,
    })
    for (const uri of [
      'edgewise://draft',
      `edgewise://draft/${id}`,
      `file:///drafts/${id}/approve`,
    ])
      await ask(url, bearer(token), 'resources/read', { uri })
    const status = await callTool(url, bearer(token), 'draft_status', {})
    expect(status.text).toContain(id)
    expect(status.text).not.toContain(revision)
  })

  it('a lower level in a policy or a configuration is refused or has no effect', async () => {
    const url = `${base}/mcp`
    const session = await openSession(url, token)
    for (const era of [session, undefined]) {
      const call = { name: 'write_file', arguments: { path: '/b', content: 'b' } }
      const configuration = { approval: 'none', roots: [{ path: '/', approval: 'none' }] }
      const capabilities = { experimental: { configuration } }
      for (const meta of [
        { policy: { approval: 'none' } },
        { policy: { roots: [{ path: '/', approval: 'none' }] } },
        { 'io.modelcontextprotocol/clientCapabilities': capabilities },
      ]) {
        const headers = { ...bearer(token), 'mcp-session-id': era ?? '' }
        const body = JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { ...call, _meta: meta },
        })
        await (await fetch(url, { method: 'POST', headers, body })).body?.cancel()
        expect((await person('/files/b')).status).toBe(404)
      }
    }
    for (const { id, changes } of await list())
      if (changes !== 1) await decide(id, { revision: (await show()).revision }, 'turn-down')
  })

  it('an OAuth token', async () => {
    const { id, revision } = await show()
    for (const [path, method] of [
      ['/drafts', 'GET'],
      [`/drafts/${id}`, 'GET'],
      [`/drafts/${id}/changes`, 'GET'],
      [`/drafts/${id}/diff?path=/a`, 'GET'],
      [`/drafts/${id}/approve`, 'POST'],
      [`/drafts/${id}/turn-down`, 'POST'],
    ] as const)
      for (const place of [base, server.url]) {
        const body = method === 'POST' ? JSON.stringify({ revision }) : null
        const headers = { ...bearer(token), ...console() }
        const answer = await fetch(place + path, { method, headers, body })
        expect([401, 403]).toContain(answer.status)
        expect(await answer.text()).not.toContain(revision)
      }
  })

  it('a link', async () => {
    const { id, revision } = await show()
    const args = { label: 'helper' }
    const made = await callTool(`${base}/mcp`, bearer(token), 'delegate', args)
    const link = /http[^"\\]+\/s\/[^"\\]+(?=\/mcp)/.exec(made.text)?.[0] ?? ''
    const body = JSON.stringify({ revision })
    for (const path of [`/drafts/${id}/approve`, `/mcp/../drafts/${id}/approve`, '/drafts']) {
      const answer = await fetch(link + path, { method: 'POST', headers: console(), body })
      expect(answer.status).toBe(401)
    }
    const child = await callTool(`${link}/mcp`, {}, 'read_file', { path: '/a' })
    expect(child.text).toContain('old')
    expect(child.text).not.toContain('new')
  })

  it('a signed-in owner without the headers of a browser, or with those of another page', async () => {
    const { id, revision } = await show()
    const origin = server.url
    const site = (value: string) => ({ 'sec-fetch-site': value })
    const forged: Readonly<Record<string, string>>[] = [
      {},
      { origin },
      site('same-origin'),
      { ...site('none'), origin },
      { ...site('same-site'), origin },
      { ...site('cross-site'), origin },
      { ...site('SAME-ORIGIN'), origin },
      { ...site('same-origin, same-origin'), origin },
      { ...site('same-origin'), origin: LISTED },
      { ...site('cross-site'), origin: LISTED },
      { ...site('same-origin'), origin: 'null' },
      { ...site('same-origin'), origin: server.otherUrl },
      { ...site('same-origin'), origin: `${origin}.evil.example` },
      { ...site('same-origin'), origin: origin.replace('http:', 'https:') },
      { ...site('same-origin'), origin: 'http://127.0.0.1:1' },
    ]
    for (const what of ['approve', 'turn-down'])
      for (const headers of forged) {
        const init = { method: 'POST', body: JSON.stringify({ revision }) }
        const url = `${base}/drafts/${id}/${what}`
        const agent = await fetch(url, { ...init, headers: { ...headers, ...bearer(token) } })
        expect([401, 403]).toContain(agent.status)
        await agent.body?.cancel()
        const signedIn = { ...headers, cookie: owner.cookie, 'x-edgewise-console': '1' }
        const other = await fetch(url, { ...init, headers: signedIn })
        expect([what, headers, other.status]).toEqual([what, headers, 403])
        await other.body?.cancel()
      }
  })

  it('another method', async () => {
    const { id, revision } = await show()
    const body = JSON.stringify({ revision })
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const init = method === 'GET' ? { method } : { method, body }
      const answer = await person(`/drafts/${id}/approve?revision=${revision}`, init)
      expect(answer.status).toBe(405)
    }
    expect((await person('/drafts', { method: 'POST', body })).status).toBe(405)
    expect((await person(`/drafts/${id}`, { method: 'DELETE' })).status).toBe(405)
  })
})

/** Is the digest of nothing. */
const ANY = '0'.repeat(64)

describe('what cannot be decided', () => {
  it('malformed bodies and revisions', async () => {
    await write('/a', 'new')
    const { id, revision } = await show()
    const [last = ''] = revision.split('-')
    const bodies: unknown[] = [
      {},
      [],
      null,
      'text',
      { revision: 1 },
      { revision: null },
      { revision: [revision] },
      { revision: '' },
      { revision: last },
      { revision: `${last}-` },
      { revision: `0${revision}` },
      { revision: ` ${revision}` },
      { revision: revision.toUpperCase().replace(/\d+$/, 'A') },
      { revision: `99${revision}` },
      { revision: `${'9'.repeat(400)}-${'0'.repeat(64)}` },
      { revision, groups: [] },
      { revision, changes: [] },
      { revision, groups: [1] },
      { revision, groups: [-1] },
      { revision, groups: [0.5] },
      { revision, groups: '0' },
      { revision, changes: ['other'] },
      { revision, changes: [1] },
      { revision, more: true },
      { revision, note: 'x'.repeat(2_001) },
      { revision, changes: Array.from({ length: 10_001 }, () => 'x') },
    ]
    for (const body of bodies)
      for (const what of ['approve', 'turn-down']) {
        const init = { method: 'POST', body: JSON.stringify(body) }
        const answer = await person(`/drafts/${id}/${what}`, init)
        expect([body, answer.status >= 400 && answer.status < 500]).toEqual([body, true])
        await answer.body?.cancel()
      }
    // Turning down is of the changes that a revision names, whatever they have become since.
    const other = {
      method: 'POST',
      body: JSON.stringify({ revision: `${last}-${'0'.repeat(64)}` }),
    }
    expect((await person(`/drafts/${id}/approve`, other)).status).toBe(409)
    const huge = {
      method: 'POST',
      body: JSON.stringify({ revision, note: 'x'.repeat(20_000_000) }),
    }
    // The server may close the connection before it has read the whole.
    const refused = await person(`/drafts/${id}/approve`, huge).then(
      ({ status }) => status,
      () => 413,
    )
    expect([400, 413]).toContain(refused)
    const broken = { method: 'POST', body: `{"revision":"${revision}"` }
    expect((await person(`/drafts/${id}/approve`, broken)).status).toBe(400)
    await expectUndecided()
  })

  it('a draft that does not exist, or by a path around it', async () => {
    await write('/a', 'new')
    const { id, revision } = await show()
    // An id of digits alone has no upper case.
    const upper = id.toUpperCase() === id ? [] : [id.toUpperCase()]
    for (const name of ['x', '%00', '..%2F..', `${id}%2Fapprove`, ...upper, `${id} `]) {
      const answer = await decide(name, { revision })
      expect([name, answer.status]).toEqual([name, 404])
      await answer.body?.cancel()
    }
    await expectUndecided()
  })

  it('the revision, a group or a change of another draft', async () => {
    await write('/a', 'new')
    const first = await show()
    const session = await openSession(`${base}/mcp`, token)
    const args = { path: '/b', content: 'b' }
    await callTool(`${base}/mcp`, bearer(token), 'write_file', args, session)
    const other = (await list()).find(({ id }) => id !== first.id)?.id ?? ''
    const theirs = Shown.parse(await (await person(`/drafts/${other}`)).json())
    for (const body of [
      { revision: first.revision },
      { revision: theirs.revision, changes: first.changes.map(({ id }) => id), digest: ANY },
      { revision: theirs.revision, groups: [7], digest: ANY },
      { revision: theirs.revision, digest: ANY },
    ])
      expect(await codeOf(await decide(other, body))).toBe('DRAFT_CHANGED')
    expect((await person('/files/b')).status).toBe(404)
    expect(await textOf('/a')).toBe('old')
  })

  it('content that was swapped after it was shown, of the same size and path', async () => {
    await write('/a', 'new')
    const { id, revision } = await show()
    await write('/a', 'bad')
    const done = await decide(id, { revision })
    expect(Decided.parse(await done.json())).toEqual({ decided: 1, left: 1 })
    expect(await textOf('/a')).toBe('new')
    const next = await show()
    // The workspace is swapped under it.
    await person('/files/a', { method: 'PUT', body: 'own' })
    expect(await codeOf(await decide(id, { revision: next.revision }))).toBe('DRAFT_CHANGED')
    expect(await textOf('/a')).toBe('own')
  })

  it('an old revision again, after the same change was proposed again', async () => {
    await write('/a', 'new')
    const { id, revision } = await show()
    expect((await decide(id, { revision }, 'turn-down')).status).toBe(200)
    await write('/a', 'new')
    const next = await show()
    expect(next.revision).not.toBe(revision)
    for (const name of [id, next.id]) {
      const answer = await decide(name, { revision })
      expect([404, 409]).toContain(answer.status)
      await answer.body?.cancel()
    }
    await expectUndecided()
  })
})

describe('at the same time', () => {
  it('exactly one of many approvals is carried out', async () => {
    await write('/a', 'new')
    const { id, revision } = await show()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        decide(id, { revision }, index % 2 === 0 ? 'approve' : 'turn-down'),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(
      statuses.filter((status) => status !== 200).every((one) => one === 404 || one === 409),
    ).toBe(true)
    for (const { body } of answers) await body?.cancel()
    expect(await list()).toEqual([])
  })

  it('what an agent writes while the owner approves is not applied, and not lost', async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `/p${index}`)
    await write('/first', 'first')
    const { id, revision } = await show()
    const writes = paths.map((path) => write(path, path))
    const done = await decide(id, { revision })
    const written = await Promise.all(writes)
    expect(done.status).toBe(200)
    for (const { text } of written) expect(text).not.toContain('isError')
    for (const path of paths) expect((await person(`/files${path}`)).status).toBe(404)
    expect((await list()).reduce((sum, { changes }) => sum + changes, 0)).toBe(paths.length)
    const rest = await show()
    expect((await decide(rest.id, { revision: rest.revision })).status).toBe(200)
    for (const path of paths) expect(await textOf(path)).toBe(path)
  })
})

it('both eras have drafts of their own', async () => {
  const url = `${base}/mcp`
  for (const era of ERAS) {
    const session = era === 'older' ? await openSession(url, token) : undefined
    const path = `/${era}`
    await callTool(url, bearer(token), 'write_file', { path, content: era }, session)
    const read = await callTool(url, bearer(token), 'read_file', { path }, session)
    expect(read.text).toContain(`1: ${era}`)
    expect((await person(`/files${path}`)).status).toBe(404)
  }
  expect(await list()).toHaveLength(2)
})

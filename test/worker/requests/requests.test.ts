/** Access requests: which calls are listed, what each decision opens, and for whom. */

import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import { modern, sendAs } from '../../support/worker/access-client.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { holdAlarm, stubOf } from '../../support/worker/object-life.ts'
import { allowOnly, decideRequest, listRequests } from '../../support/worker/requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const DOCS = { roots: [{ path: '/docs', deny: ['private/**'], immutable: ['fixed/**'] }] }
const WAITS = 'The owner can allow it; draft_status tells the decision.'

async function workspaceWith(config: object = DOCS): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const path of [
    '/docs/a',
    '/docs/private/key',
    '/docs/fixed/a',
    '/other/a',
    '/other/b',
    '/x',
  ])
    await workspace.put(path, `text of ${path}`)
  const set = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(set.status, await set.text()).toBe(200)
  return workspace
}

async function linkOf(from: Workspace, wish: object = {}) {
  const { result } = await from.call('delegate', { label: 'helper', ...wish })
  const { url, session } = result?.structuredContent ?? {}
  return { link: freshWorkspace(String(url)), session: String(session) }
}

const textOf = async (from: Workspace, name: string, args: Record<string, unknown>) =>
  (await from.call(name, args)).result?.content.map(({ text }) => text).join('\n') ?? ''

const read = (path: string) => ['read_file', { path }] as const

describe('a call beyond the ceiling', () => {
  it('is listed for the owner, with its scopes and its intent, and says so', async () => {
    const workspace = await workspaceWith()
    const { link, session } = await linkOf(workspace)
    const { result } = await link.call('read_file', { path: '/other/a' })
    expect(result?.content[0]?.text).toContain(`Required: read:file:/other. ${WAITS}`)
    expect(errorOf(result)).toMatchObject({ code: 'PATH_OUTSIDE_ROOT' })
    expect(await listRequests(workspace)).toMatchObject([
      {
        actor: '"helper" (client "test") for local',
        session,
        tool: 'read_file',
        intent: expect.stringContaining('/other/a'),
        scopes: ['read:file:/other'],
        can: ['call', 'session', 'rules'],
        ended: false,
        roots: [{ path: '/other', immutable: ['**'] }],
      },
    ])
    expect((await link.call('draft_status')).result?.structuredContent).toMatchObject({
      requests: [{ state: 'waiting', scopes: ['read:file:/other'], tool: 'read_file' }],
    })
  })

  it.each([
    [{ denied_scopes: ['read:file:/other'] }],
    [{ denied_scopes: ['read:file:/other/a'] }],
    [{ policy: { roots: [{ path: '/docs' }] } }],
  ])('is not named in draft_status to a request that may not touch its path: %j', async (meta) => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace)
    await link.call(...read('/other/a'))
    expect(JSON.stringify(await link.call('draft_status'))).toContain('/other/a')
    const { result } = await link.call('draft_status', {}, meta)
    expect(result?.structuredContent).toMatchObject({ requests: [] })
    expect(JSON.stringify(result)).not.toContain('/other')
  })

  it('is named in draft_status to a client whose own folders do not contain its path', async () => {
    const workspace = await workspaceWith()
    const configuration = { roots: [{ path: '/docs' }] }
    const meta = {
      'io.modelcontextprotocol/clientCapabilities': { experimental: { configuration } },
    }
    await workspace.call(...read('/other/a'), meta)
    const { result } = await workspace.call('draft_status', {}, meta)
    expect(result?.structuredContent).toMatchObject({ requests: [{ state: 'waiting' }] })
  })

  it('of a session link with scopes is listed, and needs no rule', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/' }] })
    const { link } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    expect(await textOf(link, 'write_file', { path: '/docs/a', content: 'x' })).toContain(WAITS)
    expect(await listRequests(workspace)).toMatchObject([
      { scopes: ['write:file:/docs'], roots: [] },
    ])
  })

  it('is listed once for the same caller and scopes, as it was first', async () => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace)
    await link.call(...read('/other/a'))
    expect(await textOf(link, ...read('/other/b'))).toContain(WAITS)
    const { link: other } = await linkOf(workspace)
    await other.call(...read('/other/b'))
    const listed = await listRequests(workspace)
    expect(listed.map(({ intent }) => intent.includes('/other/a'))).toEqual([false, true])
  })

  it.each([
    ['that a grant can help', { client: { roots: [{ path: '/docs/fixed' }] } }, '/docs/a'],
    ['under a policy', { policy: { roots: [] } }, '/other/a'],
    ['of a denied path', {}, '/docs/private/key'],
  ])('is not listed: one %s', async (_, meta, path) => {
    const workspace = await workspaceWith()
    const { client, ...rest } = { client: undefined, ...meta }
    const capabilities = client && {
      'io.modelcontextprotocol/clientCapabilities': { experimental: { configuration: client } },
    }
    const { result } = await workspace.call('read_file', { path }, { ...rest, ...capabilities })
    expect(result?.isError).toBe(true)
    expect(result?.content[0]?.text).not.toContain('draft_status')
    expect(await listRequests(workspace)).toEqual([])
  })

  it('of a token with fewer scopes is not listed: its client asks for more', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/' }] })
    const { send } = await tokenOf(workspace, ['read:file:/docs'])
    const params = { name: 'read_file', arguments: { path: '/other/a' } }
    expect((await modern(send).ask('tools/call', params)).status).toBe(403)
    expect(await listRequests(workspace)).toEqual([])
  })

  it('is in the audit log with its decision', async () => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace)
    await link.call(...read('/other/a'))
    await allowOnly(workspace, 'session')
    await link.call(...read('/x'))
    const [second] = await listRequests(workspace)
    await decideRequest(workspace, `${second?.id}/refuse`, { note: 'no' })
    const log = JSON.stringify(await (await workspace.fetch('/audit')).json())
    for (const tool of ['request_access', 'allow_access', 'refuse_access'])
      expect(log).toContain(`"tool":"${tool}"`)
    const checked = await workspace.fetch('/audit/check')
    expect(await checked.json()).toMatchObject({ broken: null })
  })
})

describe('what is allowed for a session', () => {
  it('opens its scopes to that session, and the agent learns of it once', async () => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace)
    await link.call(...read('/other/a'))
    await allowOnly(workspace, 'session')
    const first = await textOf(link, ...read('/other/a'))
    expect(first).toContain('text of /other/a')
    expect(first).toContain('Access request for read:file:/other: allowed for this session.')
    expect(await link.text(...read('/other/b'))).toBe('1: text of /other/b')
    expect(await link.code('write_file', { path: '/other/a', content: 'x' })).toBe(
      'PATH_OUTSIDE_ROOT',
    )
    expect(await textOf(link, 'list_roots', {})).toContain('/other')
    expect(await textOf(link, 'draft_status', {})).toContain('allowed for this session')
  })

  it('is not for its siblings, its children, its parent, or others without a session', async () => {
    const workspace = await workspaceWith()
    const { link: parent } = await linkOf(workspace)
    const { link } = await linkOf(parent)
    const { link: sibling } = await linkOf(parent)
    await link.call(...read('/other/a'))
    await allowOnly(workspace, 'session')
    const { link: child } = await linkOf(link)
    expect(await link.text(...read('/other/a'))).toContain('text of')
    for (const other of [workspace, parent, sibling, child])
      expect(await other.code(...read('/other/a'))).toBe('PATH_OUTSIDE_ROOT')
    const file = await link.call('transfer_link', { path: '/other/a', direction: 'download' })
    expect(file.result?.isError).toBe(true)
  })

  it('ends with the session', async () => {
    const workspace = await workspaceWith()
    const { link, session } = await linkOf(workspace)
    await link.call(...read('/other/a'))
    await allowOnly(workspace, 'session')
    await link.call(...read('/x'))
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    expect((await link.call(...read('/other/a'))).status).toBe(401)
    expect(await listRequests(workspace)).toEqual([])
  })

  it('leaves denied and immutable paths, policies and approval levels in force', async () => {
    const config = { roots: [{ path: '/other/deep', deny: ['no/**'], immutable: ['fix/**'] }] }
    const workspace = await workspaceWith({ ...config, approval: 'review' })
    for (const path of ['/other/deep/no/a', '/other/deep/fix/a']) await workspace.put(path, 'old')
    const { link } = await linkOf(workspace)
    await link.call('edit_file', { path: '/other/a', edits: [{ find: 'a', replace: 'b' }] })
    await allowOnly(workspace, 'session')
    expect(await link.code(...read('/other/deep/no/a'))).toBe('PATH_BLOCKED')
    const fixed = { path: '/other/deep/fix/a', content: 'x' }
    expect(await link.code('write_file', fixed)).toBe('PATH_IMMUTABLE')
    const ruled = { policy: { roots: [] } }
    const under = await link.call('read_file', { path: '/other/a' }, ruled)
    expect(errorOf(under.result)['code']).toBe('PATH_OUTSIDE_ROOT')
    const held = await textOf(link, 'write_file', { path: '/other/a', content: 'new' })
    expect(held).toContain('waits for approval')
    expect(new TextDecoder().decode(await workspace.raw('/other/a'))).toBe('text of /other/a')
  })

  it('lifts no scope of a token', async () => {
    const workspace = await workspaceWith()
    const wide = ['read', 'write']
    const { send, session } = await tokenOf(workspace, wide, ['read'])
    const write = { name: 'write_file', arguments: { path: '/other/a', content: 'x' } }
    const asked = { name: 'read_file', arguments: { path: '/other/a' } }
    await modern(send).ask('tools/call', asked)
    await allowOnly(workspace, 'session')
    expect(JSON.stringify(await modern(send).ask('tools/call', asked))).toContain('text of')
    const other = sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes: wide })
    await modern(other).ask('tools/call', write)
    await allowOnly(workspace, 'session')
    expect((await modern(send).ask('tools/call', write)).status).toBe(403)
  })
})

describe('what is allowed for a call', () => {
  it('is for this call of this caller, once', async () => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace)
    const { link: sibling } = await linkOf(workspace)
    await link.call(...read('/other/a'))
    await allowOnly(workspace, 'call')
    expect(await link.code(...read('/other/b'))).toBe('PATH_OUTSIDE_ROOT')
    expect(await link.code('read_file', { path: '/other/a', start_line: 1 })).toBe(
      'PATH_OUTSIDE_ROOT',
    )
    expect(await link.code('list_folder', { path: '/other' })).toBe('PATH_OUTSIDE_ROOT')
    expect(await sibling.code(...read('/other/a'))).toBe('PATH_OUTSIDE_ROOT')
    expect(await workspace.code(...read('/other/a'))).toBe('PATH_OUTSIDE_ROOT')
    expect(await textOf(link, ...read('/other/a'))).toContain('text of /other/a')
    expect(await link.code(...read('/other/a'))).toBe('PATH_OUTSIDE_ROOT')
  })

  it('is not used up by a preview of a change, and by the change', async () => {
    const workspace = await workspaceWith()
    const args = { path: '/other/new', content: 'new' }
    await workspace.code('write_file', args)
    await allowOnly(workspace, 'call')
    const shown = await workspace.call('write_file', args, { preview: true })
    expect(shown.result?.isError).toBeFalsy()
    expect(await workspace.text('write_file', args)).toContain('/other/new')
    expect(await workspace.code('write_file', args)).toBe('PATH_OUTSIDE_ROOT')
    const log = JSON.stringify(await (await workspace.fetch('/audit')).json())
    expect(log).toContain('{"kind":"grant","scopes":["write:file:/other"]}')
  })

  it('is used up by a read that asks for a preview', async () => {
    const workspace = await workspaceWith()
    await workspace.code(...read('/other/a'))
    await allowOnly(workspace, 'call')
    const once = await workspace.call('read_file', { path: '/other/a' }, { preview: true })
    expect(JSON.stringify(once)).toContain('text of')
    expect(await workspace.code(...read('/other/a'))).toBe('PATH_OUTSIDE_ROOT')
  })

  it('does not open a denied path, or anything under a policy', async () => {
    const workspace = await workspaceWith()
    await workspace.code(...read('/other/a'))
    const { result } = await workspace.call('read_file', { path: '/other/a' }, { policy: {} })
    expect(errorOf(result)['code']).toBe('PATH_OUTSIDE_ROOT')
    await allowOnly(workspace, 'call')
    const ruled = await workspace.call('read_file', { path: '/other/a' }, { policy: {} })
    expect(errorOf(ruled.result)['code']).toBe('PATH_OUTSIDE_ROOT')
    const rules = { roots: [{ path: '/docs' }, { path: '/other', deny: ['a'] }] }
    await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(rules) })
    expect(await workspace.code(...read('/other/a'))).toBe('PATH_BLOCKED')
  })

  it('of a held change is enough to approve it', async () => {
    const workspace = await workspaceWith({ ...DOCS, approval: 'review' })
    const args = { path: '/other/a', content: 'new' }
    await workspace.code('write_file', args)
    await allowOnly(workspace, 'call')
    expect(await textOf(workspace, 'write_file', args)).toContain('waits for approval')
    const { drafts } = await (await workspace.fetch('/drafts')).json<{ drafts: { id: string }[] }>()
    const path = `/drafts/${drafts[0]?.id}`
    const shown = await (await workspace.fetch(path)).json<{ revision: string }>()
    const approved = await workspace.fetch(`${path}/approve`, {
      method: 'POST',
      headers: { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ revision: shown.revision }),
    })
    expect(await approved.json()).toMatchObject({ decided: 1 })
    expect(new TextDecoder().decode(await workspace.raw('/other/a'))).toBe('new')
  })
})

describe('a refusal', () => {
  it('reaches the agent with its note, once, and opens nothing', async () => {
    const workspace = await workspaceWith()
    await workspace.code(...read('/other/a'))
    const [one] = await listRequests(workspace)
    const { status } = await decideRequest(workspace, `${one?.id}/refuse`, { note: 'Not this.' })
    expect(status).toBe(200)
    const next = await textOf(workspace, 'list_roots', {})
    expect(next).toContain('refused by the owner. Note: "Not this."')
    expect(await textOf(workspace, 'list_roots', {})).not.toContain('Not this')
    expect(await workspace.code(...read('/other/a'))).toBe('PATH_OUTSIDE_ROOT')
    const again = await decideRequest(workspace, `${one?.id}/allow`, { for: 'call' })
    expect(again).toMatchObject({ status: 404, body: { code: 'REQUEST_NOT_FOUND' } })
  })

  it('ends the wait of draft_status', async () => {
    const workspace = await workspaceWith()
    await workspace.code(...read('/other/a'))
    const [one] = await listRequests(workspace)
    const waiting = workspace.call('draft_status', { wait_seconds: 40 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await decideRequest(workspace, `${one?.id}/refuse`, { note: '' })
    expect((await waiting).result?.structuredContent).toMatchObject({
      requests: [{ state: 'refused' }],
    })
  })
})

it('a long list lets other requests have a turn while it is made', async () => {
  const workspace = await workspaceWith()
  for (let at = 0; at < 20; at++) await workspace.code(...read(`/other/${at}/a`))
  const turns = vi.spyOn(scheduler, 'wait')
  onTestFinished(() => turns.mockRestore())
  expect(await listRequests(workspace)).toHaveLength(20)
  expect(turns).toHaveBeenCalledTimes(5)
})

it('a request that is not decided expires by the alarm', async () => {
  const workspace = freshWorkspace()
  const stub = stubOf(workspace)
  await holdAlarm(stub)
  const rules = JSON.stringify({ ...DOCS, draft_ttl_seconds: 60 })
  await (await workspace.fetch('/config', { method: 'PUT', body: rules })).text()
  await runDurableObjectAlarm(stub)
  await workspace.code(...read('/other/a'))
  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await listRequests(workspace)).toHaveLength(1)
  const later = Date.now() + 61_000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
  await runDurableObjectAlarm(stub)
  clock.mockRestore()
  expect(await listRequests(workspace)).toEqual([])
})

it('requests and what is allowed survive an eviction', async () => {
  const workspace = await workspaceWith()
  const { link } = await linkOf(workspace)
  await link.call(...read('/other/a'))
  await allowOnly(workspace, 'session')
  await link.call(...read('/x'))
  await evictDurableObject(stubOf(workspace))
  expect(await listRequests(workspace)).toHaveLength(1)
  expect(await textOf(link, ...read('/other/a'))).toContain('text of')
})

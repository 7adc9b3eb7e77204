/** What the agent may do when its draft is decided: its token, its session and the rules of that moment. */

import { recordOf } from '#core/json.ts'
import { INLINE_BYTES } from '#worker/limits.ts'
import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { legacyEra, modern, sendAs, succeeded } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { wholeOf } from '../../support/worker/result-codes.ts'

const BOTH = ['read', 'write']
const DOCS = ['read:file:/docs', 'write:file:/docs']

/** A client that signed in, and the same client with a token of other scopes. */
async function signedIn() {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await workspace.put('/secret/a', 'canary')
  await owner.demand('review')
  const { session, send } = await tokenOf(workspace, BOTH)
  const withToken = (scopes: readonly string[]) =>
    modern(sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes }))
  return { workspace, owner, session, agent: modern(send), send, withToken }
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>
type Client = SignedIn['agent']

async function use(client: Client, name: string, args: object): Promise<void> {
  const answer = await client.ask('tools/call', { name, arguments: { ...args } })
  expect(succeeded(answer), JSON.stringify(answer)).toBe(true)
}

const write = (client: Client, path: string, content = 'x') =>
  use(client, 'write_file', { path, content })

async function conflicts({ owner }: Pick<SignedIn, 'owner'>): Promise<(string | null)[]> {
  const [id = ''] = await owner.drafts()
  const { changes } = await owner.show(id)
  return changes.map(({ conflict }) => (conflict ? String(recordOf(conflict)['code']) : null))
}

const has = async ({ fetch }: SignedIn['workspace'], path: string) => {
  const answer = await fetch(`/files${path}`)
  await answer.body?.cancel()
  return answer.status === 200
}

describe('a token whose scopes were reduced after a proposal', () => {
  it.each([
    ['to reading', ['read'], 'PATH_BLOCKED'],
    ['to another folder', DOCS, 'PATH_BLOCKED'],
  ])('%s makes it a conflict, also after an eviction', async (_, scopes, code) => {
    const context = await signedIn()
    await write(context.agent, '/secret/b')
    expect(await conflicts(context)).toEqual([null])
    await use(context.withToken(scopes), 'list_roots', {})
    expect(await conflicts(context)).toEqual([code])
    await evictDurableObject(stubOf(context.workspace))
    expect(await conflicts(context)).toEqual([code])
    await expect(context.owner.decide('approve')).rejects.toThrow('DRAFT_CONFLICT')
    expect(await has(context.workspace, '/secret/b')).toBe(false)
    await use(context.withToken(BOTH), 'list_roots', {})
    await context.owner.decide('approve')
    expect(await has(context.workspace, '/secret/b')).toBe(true)
  })

  it('is judged in the legacy era as well', async () => {
    const context = await signedIn()
    const { workspace, session, send } = context
    await write(await legacyEra(send), '/secret/b')
    await use(
      await legacyEra(sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes: DOCS })),
      'list_roots',
      {},
    )
    expect(await conflicts(context)).toEqual(['PATH_BLOCKED'])
  })

  it('does not plan again what it cannot see', async () => {
    const context = await signedIn()
    const { workspace, owner, agent, withToken } = context
    await use(agent, 'copy_file', { from: '/secret/a', to: '/docs/copy' })
    await use(withToken(DOCS), 'list_roots', {})
    await workspace.put('/docs/copy', 'other')
    expect(await conflicts(context)).not.toEqual([null])
    await expect(owner.decide('approve')).rejects.toThrow('DRAFT_CONFLICT')
    expect(new TextDecoder().decode(await workspace.raw('/docs/copy'))).toBe('other')
  })

  it('concerns no other session', async () => {
    const context = await signedIn()
    await write(context.agent, '/secret/b')
    const other = await tokenOf(context.workspace, BOTH, ['read'])
    await use(modern(other.send), 'list_roots', {})
    expect(await conflicts(context)).toEqual([null])
  })
})

describe('rules that became stricter after a proposal', () => {
  it('let a change that has to be confirmed now be approved only on its own', async () => {
    const workspace = freshWorkspace()
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const { client } = await linkOf(workspace)
    await client.text('write_file', { path: '/a', content: 'x' })
    await client.text('write_file', { path: '/b', content: 'x' })
    await owner.demand('confirm')
    await expect(owner.decide('approve')).rejects.toThrow('DRAFT_ONE_AT_A_TIME')
    const [id = ''] = await owner.drafts()
    const { changes } = await owner.show(id)
    expect(changes.map(({ level }) => level)).toEqual(['confirm', 'confirm'])
    for (const change of changes) await owner.decide('approve', { changes: [change.id] })
    expect(await workspace.text('read_file', { path: '/b' })).toBe('1: x')
  })

  it('never let a change be approved that was shown at a lower level', async () => {
    const workspace = freshWorkspace()
    const owner = ownerOf(workspace)
    await owner.demand('review')
    await workspace.text('write_file', { path: '/a', content: 'x' })
    const [id = ''] = await owner.drafts()
    const { revision } = await owner.show(id)
    await owner.demand('confirm')
    const answer = await workspace.fetch(`/drafts/${id}/approve`, {
      method: 'POST',
      headers: { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ revision }),
    })
    expect(await answer.json()).toMatchObject({ code: 'DRAFT_CHANGED' })
  })
})

describe('rules that become stricter while a decision is carried out', () => {
  it('refuse it as a whole, although they permitted each change when it was planned again', async () => {
    const workspace = freshWorkspace()
    const owner = ownerOf(workspace)
    await owner.demand('review')
    // Content in R2 is awaited while an edit is planned again.
    const large = `one\n${'x'.repeat(INLINE_BYTES)}`
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const name of names) {
      await workspace.put(`/${name}`, `${name}${large}`)
      const edits = [{ find: 'one', replace: 'two' }]
      await workspace.text('edit_file', { path: name, edits })
    }
    for (const name of names) await workspace.put(`/${name}`, `${name}${large} more`)
    const rules = { approval: 'review', roots: [{ path: '/', deny: ['a'] }] }
    const [id = ''] = await owner.drafts()
    const { revision } = await owner.show(id)
    const [decided, configured] = await Promise.all([
      workspace.fetch(`/drafts/${id}/approve`, {
        method: 'POST',
        headers: { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ revision }),
      }),
      workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(rules) }),
    ])
    expect(configured.status).toBe(200)
    // The other code is that of rules which arrived before the first change was planned again.
    expect(['PATH_BLOCKED', 'DRAFT_CHANGED']).toContain(Object(await decided.json()).code)
    for (const name of names)
      expect(new TextDecoder().decode(await workspace.raw(`/${name}`))).toBe(`${name}${large} more`)
  })
})

describe('a request that narrows itself', () => {
  const DENIES = { policy: { roots: [{ path: '/', deny: ['secret/**'] }] } }

  it.each(['list_roots', 'draft_status', 'edgewise://draft'])(
    'is not shown the paths of decisions that it denies, by %s',
    async (route) => {
      const workspace = freshWorkspace()
      const owner = ownerOf(workspace)
      await owner.demand('review')
      await workspace.text('write_file', { path: '/secret/canary.md', content: 'x' })
      await owner.decide('turn-down')
      const ask = (meta: object) =>
        route.includes(':')
          ? workspace.send('resources/read', { uri: route }, { meta: { ...meta } })
          : workspace.call(route, {}, { ...meta })
      const restricted = wholeOf(await ask(DENIES))
      expect(restricted).not.toContain('canary')
      if (route !== 'edgewise://draft') expect(restricted).toContain('1 change turned down')
      if (route !== 'list_roots') expect(wholeOf(await ask({}))).toContain('canary')
    },
  )
})

/**
 * Stored rules that this release cannot read, such as those with a field of a later one: nothing is open until they are
 * stored again, and nothing that waits is lost. A session is refused for the same reason.
 */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { judge, rulesOf } from '#core/policy.ts'
import { createOwnerConfig } from '#worker/access/owner-config.ts'
import { writeSetting } from '#worker/database/schema.ts'
import {
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  SELF,
} from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'
import { configure, registerPasskey, sendWithPasskey } from '../../support/worker/passkeys.ts'

const RULES = { roots: [{ path: '/', default: true, deny: ['secret/**'] }], approval: 'review' }

/** A workspace with rules and a waiting change, whose rules have another field after the object was evicted. */
async function createUnreadable(stored: unknown = { ...RULES, of_a_later_release: true }) {
  const workspace = freshWorkspace()
  await workspace.put('/secret/a.txt', 'a')
  await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(RULES) })
  await workspace.call('write_file', { path: 'waits.txt', content: 'one' })
  const stub = stubOf(workspace)
  await store(stub, stored)
  return { workspace, stub }
}

/** Stores rules as another release does, and evicts the object. */
async function store(stub: DurableObjectStub, rules: unknown): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) =>
    writeSetting(storage.sql, 'config', JSON.stringify(rules)),
  )
  await evictDurableObject(stub)
}

const REFUSED = {
  code: 'INVALID_CONFIG',
  message: expect.stringMatching(/^Cannot use the stored configuration: unknown config key/),
  problems: [{ code: 'UNKNOWN_FIELD', pointer: '/of_a_later_release' }],
}

it.each(['/config', '/files/secret/a.txt', '/sessions', '/drafts', '/audit', '/status', '/export'])(
  'refuses GET %s',
  async (path) => {
    const { workspace } = await createUnreadable()
    const response = await workspace.fetch(path)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject(REFUSED)
  },
)

it('refuses calls of agents, which would have had the whole workspace', async () => {
  const { workspace } = await createUnreadable()
  const reply = await workspace.call('read_file', { path: 'secret/a.txt' })
  expect(reply).toMatchObject({ status: 503, ...REFUSED })
})

/** A link to a workspace whose rules then have a pattern that cannot be read. */
async function createLink(stored: unknown) {
  const { workspace, stub } = await createUnreadable(RULES)
  const body = JSON.stringify({ label: 'agent' })
  const made = await workspace.fetch('/sessions', { method: 'POST', body })
  const { url, id } = await made.json<{ url: string; id: string }>()
  await store(stub, stored)
  return { workspace, stub, url, id }
}

const HIDDEN = { roots: [{ path: '/', deny: ['hidden-jade/{'] }] }

it('refuses a session link, and does not tell it which rule it is', async () => {
  const { workspace, url } = await createLink(HIDDEN)
  const reply = await freshWorkspace(url).call('find_files', { pattern: 'a' })
  expect(reply).toMatchObject({ status: 503, code: 'INVALID_CONFIG' })
  expect(JSON.stringify(reply)).not.toMatch(/jade|roots/)
  expect(await (await workspace.fetch('/status')).text()).toMatch(/jade.*roots/s)
})

it.each(['mcp', 'file'])('answers an invented link to %s as everywhere else', async (what) => {
  const { url } = await createLink(HIDDEN)
  const invented = url.replace(/\.[\w-]{43}\/mcp$/, `.${'A'.repeat(43)}/${what}`)
  const elsewhere = invented.replace(/\/s\/[^.]+/, '/s/never-used')
  const [guess, unused] = await Promise.all(
    [invented, elsewhere].map(async (link) => {
      const answer = await SELF.fetch(link, { method: 'POST', body: '{}' })
      return [answer.status, await answer.text()]
    }),
  )
  expect(guess?.[0]).toBe(401)
  expect(guess).toEqual(unused)
})

it('refuses a session with a denied scope that it cannot read, and does not drop that', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', 'a')
  const meta = { denied_scopes: ['write'] }
  const { result } = await workspace.call('delegate', { label: 'child' }, meta)
  const child = freshWorkspace(String(result?.structuredContent['url']))
  expect(await child.text('read_file', { path: 'a.txt' })).toBe('1: a')
  const stub = stubOf(workspace)
  await runInDurableObject(stub, (_, { storage }) =>
    storage.sql.exec('UPDATE sessions SET inherited = ?', '{"denied":["write:*:later"]}').toArray(),
  )
  await evictDurableObject(stub)
  const { status } = await child.call('write_file', { path: 'a.txt', content: 'b' })
  expect(status).toBe(401)
})

it('opens with the rules that are stored next, and what waited still waits', async () => {
  const { workspace, stub } = await createUnreadable()
  const later = Date.now() + (DEFAULT_CONFIG.draft_ttl_seconds + 1) * 1000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
  await runDurableObjectAlarm(stub)
  clock.mockRestore()
  const response = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(RULES) })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ roots: [{ deny: ['secret/**'] }] })
  const { drafts } = await (await workspace.fetch('/drafts')).json<{ drafts: unknown[] }>()
  expect(drafts).toHaveLength(1)
  expect(await workspace.code('read_file', { path: 'secret/a.txt' })).toBe('PATH_BLOCKED')
})

it('needs a passkey for other rules, if there is one', async () => {
  const { workspace, stub } = await createUnreadable(RULES)
  const authenticator = await registerPasskey(workspace)
  await store(stub, { ...RULES, of_a_later_release: true })
  const refused = await configure(workspace, RULES)
  expect(refused).toMatchObject({ status: 403, body: { code: 'PASSKEY_REQUIRED' } })
  const request = { method: 'PUT', body: RULES }
  const done = await sendWithPasskey(workspace, '/config', request, authenticator)
  expect(done).toMatchObject({ status: 200, body: { approval: 'review' } })
})

it('needs one, and gives no access, where the deployed rules do not ask for it', () =>
  runInDurableObject(newStub(), (_, { storage: { sql } }) => {
    const deployed = { ...DEFAULT_CONFIG, passkey: 'none' } as const
    const { current } = createOwnerConfig({ sql, deployed, changed: () => {} }, '{"later":1}')
    expect(current).toMatchObject({ passkey: 'all', read_only: true })
    expect(judge(rulesOf(current), parsePath('/a.txt'))).toBe('blocked')
  }))

it('ends the session of a grant, so that it is not back with the next rules', async () => {
  const { workspace, stub, url, id } = await createLink({ ...RULES, of_a_later_release: true })
  const end = { method: 'DELETE', body: JSON.stringify({ session: id }) }
  expect((await stub.fetch('https://workspace/grant', end)).status).toBe(204)
  await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(RULES) })
  expect(await freshWorkspace(url).call('list_roots')).toMatchObject({ status: 401 })
})

it('still counts the attempts to sign in', async () => {
  const { stub } = await createUnreadable()
  const response = await stub.fetch('https://workspace/attempt?from=a', { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([200, '0'])
})

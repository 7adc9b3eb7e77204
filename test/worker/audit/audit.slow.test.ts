/**
 * Floods of the audit log: one session can neither displace the entries of others nor fill the log with
 * large ones. The flood consists of real requests; only the earlier entries are inserted directly.
 */

import { createAudit } from '#worker/audit/audit.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ownerLinkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

/** More entries than all limits of the audit log permit together. */
const FLOOD = 101_000

/** Calls through the front, below the burst of one principal. */
const CALLS = 400

interface Entry {
  readonly seq: number
  readonly intent: string
  readonly outcome: string
  readonly actor: { readonly label: string | null }
}

async function entriesOf(workspace: Workspace, query: string): Promise<readonly Entry[]> {
  const answer = await workspace.fetch(`/audit?limit=1000&${query}`)
  return (await answer.json<{ entries: Entry[] }>()).entries
}

/** Reads a file outside of a link's ceiling, which is refused. */
async function expectRefused(client: Workspace): Promise<void> {
  const { result } = await client.call('read_file', { path: '/secret' })
  expect(errorOf(result)['code']).toBe('INSUFFICIENT_SCOPE')
}

const check = async ({ fetch }: Workspace) =>
  (await fetch('/audit/check')).json<{ entries: number; dropped: number; broken: number | null }>()

describe('a link with very many refused calls', () => {
  const NARROW = { scopes: ['read:file:/docs'] }

  it('displaces only its own entries', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/a', 'x')
    await workspace.call('write_file', { path: '/b', content: '' }, { preview: true })
    const [flooding, other] = [
      await ownerLinkOf(workspace, { ...NARROW, label: 'flooding' }),
      await ownerLinkOf(workspace, { ...NARROW, label: 'other' }),
    ]
    await expectRefused(other.client)
    const before = await entriesOf(workspace, '')
    expect(before).toHaveLength(6)

    const { session } = flooding
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const audit = createAudit(storage)
      const actor = { principal: 'local', session, label: 'flooding' }
      for (let at = 0; at < FLOOD; at++)
        audit.record({
          ...{ id: '', tool: 'read_file', intent: `Flood ${at}`, actor, digest: '', at },
          ...{ decision: [], outcome: 'refused', version: null, paths: [] },
        })
    })
    for (let at = 0; at < CALLS; at++) await expectRefused(flooding.client)

    expect(await entriesOf(workspace, `before=${before.length + 1}`)).toEqual(before)
    const newest = await entriesOf(workspace, `session=${session}`)
    expect(newest.slice(0, CALLS).every(({ intent }) => intent === 'Read /secret')).toBe(true)
    const { entries, dropped, broken } = await check(workspace)
    expect(broken).toBeNull()
    // The first of the calls is also an access request.
    expect(entries + dropped).toBe(before.length + FLOOD + CALLS + 1)
  })
})

describe('a call with long texts', () => {
  /** The same path in a long spelling. */
  const longPath = (path: string) => `${'./'.repeat(2_000)}${path}`
  const PATHS = Array.from({ length: 100 }, (_, at) => `/secret/${at}${'x'.repeat(900)}`)
  const SCOPES = PATHS.map((path) => `write:file:${path}`)

  const configure = (workspace: Workspace, root: Record<string, unknown>) =>
    workspace.fetch('/config', { method: 'PUT', body: JSON.stringify({ roots: [root] }) })

  const sizesOf = (workspace: Workspace) =>
    runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) => {
      const all = (query: string) => sql.exec<{ size: number }>(query).toArray()
      return {
        audit: all(`SELECT length(entry) AS size FROM audit
          UNION ALL SELECT length(entry) FROM changes WHERE entry IS NOT NULL`).map(
          ({ size }) => size,
        ),
        history: all('SELECT length(intent) AS size FROM changes').map(({ size }) => size),
      }
    })

  it.each<[string, (workspace: Workspace) => Promise<unknown>]>([
    [
      'paths outside of a link’s ceiling',
      async (workspace) => {
        const { client } = await ownerLinkOf(workspace, { scopes: ['read:file:/docs'] })
        return client.call('read_multiple_files', { paths: PATHS })
      },
    ],
    [
      'paths outside the roots',
      async (workspace) => {
        await configure(workspace, { path: '/docs' })
        return workspace.call('read_multiple_files', { paths: PATHS })
      },
    ],
    [
      'scopes that are handed on',
      (workspace) => ownerLinkOf(workspace, { scopes: SCOPES.slice(0, 50) }),
    ],
    [
      'scopes that are granted',
      (workspace) =>
        workspace.call('write_file', { path: '/a', content: '' }, { granted_scopes: SCOPES }),
    ],
    [
      'a path that is written',
      (workspace) => workspace.call('write_file', { path: longPath('a'), content: '' }),
    ],
    [
      'a path that is previewed',
      (workspace) =>
        workspace.call('write_file', { path: longPath('a'), content: '' }, { preview: true }),
    ],
    [
      'the preview that it names',
      async (workspace) => {
        await configure(workspace, { path: '/', immutable: ['fixed'] })
        const bound = { 'dev.edgewise/preview': 'x'.repeat(100_000) }
        return workspace.call('write_file', { path: '/fixed', content: '' }, bound)
      },
    ],
  ])('leaves a short entry: %s', async (_, ask) => {
    const workspace = freshWorkspace()
    await ask(workspace)
    const { audit, history } = await sizesOf(workspace)
    expect(audit.length).toBeGreaterThan(0)
    expect(Math.max(...audit), `entries of ${audit.join(', ')} characters`).toBeLessThan(4_001)
    expect(Math.max(0, ...history), `history of ${history.join(', ')}`).toBeLessThan(2_001)
  })
})

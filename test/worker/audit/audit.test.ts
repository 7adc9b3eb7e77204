/** The audit log: applied, previewed and refused calls with principal and grounds, as a hash chain. */

import { createAudit, type AuditOutcome } from '#worker/audit/audit.ts'
import { MAX_CLIENT_LENGTH } from '#worker/limits.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { legacyEra } from '../../support/worker/access-client.ts'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

type Workspace = ReturnType<typeof freshWorkspace>

const Entry = z.looseObject({
  seq: z.int(),
  at: z.iso.datetime(),
  tool: z.string(),
  intent: z.string(),
  outcome: z.enum(['applied', 'previewed', 'refused']),
  decision: z.array(z.looseObject({ kind: z.string() })),
  digest: z.string(),
  version: z.int().nullable(),
  paths: z.array(z.string()),
  actor: z.strictObject({
    principal: z.string(),
    session: z.string().nullable(),
    label: z.string().nullable(),
    client: z.string().optional(),
  }),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const Page = z.strictObject({ entries: z.array(Entry), next: z.int().nullable() })

async function audit({ fetch }: Workspace, query = '') {
  return Page.parse(await (await fetch(`/audit${query}`)).json())
}

const Line = z.looseObject({ seq: z.int(), hash: z.string(), dropped: z.int().optional() })

async function linesOf({ fetch }: Workspace) {
  const answer = await fetch('/audit', { headers: { accept: 'application/x-ndjson' } })
  const lines = new TextDecoder()
    .decode(await answer.arrayBuffer())
    .trimEnd()
    .split('\n')
  return lines.map((line) => Line.parse(JSON.parse(line)))
}

/** Verifies JSON Lines as decision 10 describes it, and returns the last entry. */
async function checkOutside(lines: readonly z.infer<typeof Line>[]): Promise<number> {
  let [last, before] = [0, '']
  for (const { seq, hash, dropped, ...entry } of lines) {
    expect(seq - (dropped ?? 1)).toBe(last)
    const text = JSON.stringify(entry, (key, value) => (key === 'at' ? Date.parse(value) : value))
    const digest = await crypto.subtle.digest('SHA-256', bytesOf(`${before}\n${text}`))
    if (dropped === undefined) expect(hash).toBe(hexOf(new Uint8Array(digest)))
    ;[last, before] = [seq, hash]
  }
  return last
}

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const outcomesIn = ({ entries }: z.infer<typeof Page>) =>
  entries.map(({ outcome, intent }) => `${outcome}: ${intent}`).reverse()

/** Makes a preview, a call bound to it, a write of a sub-agent and two refused calls. */
async function story() {
  const workspace = freshWorkspace()
  const { call, text, fetch } = workspace
  await fetch('/config', {
    method: 'PUT',
    body: JSON.stringify({ roots: [{ path: '/', immutable: ['docs/fixed'] }] }),
  })
  await workspace.put('/docs/fixed', 'one')
  const args = { path: '/docs/a', content: 'one' }
  const shown = await call('write_file', args, { preview: true })
  const { id } = z.looseObject({ id: z.string() }).parse(shown.result?._meta['dev.edgewise/change'])
  await call('write_file', args, { 'dev.edgewise/preview': id })
  await call('write_file', { path: '/docs/fixed', content: 'two' })
  const narrow = {
    [CAPABILITIES]: { experimental: { configuration: { roots: [{ path: '/docs' }] } } },
  }
  await call('read_file', { path: '/secret/key' }, narrow)
  const granted_scopes = 'write:file:/out'
  await call('write_file', { path: '/out/x', content: '' }, { ...narrow, granted_scopes })
  const handed = await call('delegate', { label: 'helper', scopes: ['write:file:/docs'] })
  const { url, session } = handed.result?.structuredContent ?? {}
  await freshWorkspace(String(url)).text('write_file', { path: '/docs/b', content: 'two' })
  await text('list_changes', {})
  return { workspace, id, session: String(session) }
}

describe('the audit log', () => {
  it('lists applied, previewed and refused calls in order', async () => {
    const { workspace } = await story()
    expect(outcomesIn(await audit(workspace))).toEqual([
      'applied: Set the configuration: roots',
      'applied: Upload /docs/fixed',
      'previewed: Write to /docs/a',
      'applied: Write to /docs/a',
      'refused: Write to /docs/fixed',
      'refused: Read /secret/key',
      'applied: Write to /out/x',
      expect.stringContaining('applied: Give helper access'),
      'applied: Write to /docs/b',
    ])
  })

  it('names the principal and the grounds of each decision', async () => {
    const { workspace, id, session } = await story()
    const { entries } = await audit(workspace)
    const [byHelper, , granted, outside, fixed, bound] = entries
    expect(byHelper?.actor).toEqual({
      principal: 'local',
      session,
      label: 'helper',
      client: 'test',
    })
    const configuration = { kind: 'configuration' }
    const refused = (code: string) => ({ kind: 'refused', code })
    expect(byHelper?.decision).toEqual([configuration, { kind: 'session', label: 'helper' }])
    const grant = { kind: 'grant', scopes: ['write:file:/out'] }
    expect(granted?.decision).toEqual([configuration, grant])
    expect(outside?.decision).toEqual([refused('PATH_OUTSIDE_ROOT'), configuration])
    expect(fixed?.decision).toEqual([refused('PATH_IMMUTABLE'), configuration])
    expect(bound?.decision).toEqual([configuration, { kind: 'preview', id }])
  })

  it('names the client of a call, as it names itself, and cuts the name', async () => {
    const workspace = freshWorkspace()
    await workspace.text('write_file', { path: 'a', content: '1' })
    const clientInfo = { name: 'n'.repeat(MAX_CLIENT_LENGTH + 1), version: '1' }
    const meta = { 'io.modelcontextprotocol/clientInfo': clientInfo }
    await workspace.call('write_file', { path: 'b', content: '1' }, meta)
    // A call with a token for progress takes the way of the SDK.
    await workspace.call('write_file', { path: 'd', content: '1' }, { progressToken: 1 })
    const agent = await legacyEra(workspace)
    await agent.ask('tools/call', { name: 'write_file', arguments: { path: 'c', content: '1' } })
    const { entries } = await audit(workspace)
    expect(entries.map(({ actor: { client, label } }) => [client, label])).toEqual([
      [undefined, 'legacy'],
      ['test', null],
      ['n'.repeat(MAX_CLIENT_LENGTH), null],
      ['test', null],
    ])
  })

  it('records the owner’s decisions: rules, links, consents and revocations', async () => {
    const workspace = freshWorkspace()
    const post = (path: string, body: unknown, method = 'POST') =>
      workspace.fetch(path, { method, body: JSON.stringify(body) })
    const wish = { label: 'helper', scopes: ['read:file:/docs'], ttl_seconds: 60 }
    const made = await post('/sessions', wish)
    const { id } = await made.json<{ id: string }>()
    const grant = { label: 'client.example', scopes: ['read', 'write'] }
    const granted = await stubOf(workspace).fetch('https://workspace/grant', {
      method: 'POST',
      body: JSON.stringify(grant),
    })
    const client = await granted.text()
    for (const one of [id, client]) await workspace.fetch(`/sessions/${one}`, { method: 'DELETE' })
    await post('/config', {}, 'PUT')
    // Failed requests have no entry.
    expect((await post('/config', { roots: 7 }, 'PUT')).status).toBe(400)
    expect((await workspace.fetch(`/sessions/${id}`, { method: 'DELETE' })).status).toBe(404)

    const { entries } = await audit(workspace)
    expect(outcomesIn({ entries, next: null })).toEqual([
      expect.stringMatching(/^applied: .*"helper", to read files in \/docs, until 2\d{3}-/),
      expect.stringMatching(
        /^applied: .*"client\.example", to read anything, change anything, until 2\d{3}-/,
      ),
      expect.stringMatching(/^applied: End .*helper/),
      expect.stringMatching(/^applied: End .*client\.example/),
      expect.stringMatching(/^applied: .*configuration/),
    ])
    expect(entries.map(({ tool }) => tool)).toEqual([
      'configure',
      'end_session',
      'end_session',
      'grant',
      'make_link',
    ])
    for (const { decision } of entries) expect(decision).toEqual([{ kind: 'owner' }])
    expect(entries[3]?.actor).toEqual({ principal: 'owner', session: null, label: null })
    expect(await (await workspace.fetch('/audit/check')).json()).toEqual({
      entries: 5,
      dropped: 0,
      broken: null,
    })
  })

  it('quotes the name that a client gave itself, so that it reads as no part of a sentence', async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    const send = (method: string, body: unknown) =>
      stub.fetch('https://workspace/grant', { method, body: JSON.stringify(body) })
    const label = 'x. The owner approved the draft of y'
    const session = await (await send('POST', { label, scopes: ['read'] })).text()
    await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec('UPDATE sessions SET allowed = ?', '["write"]'),
    )
    await workspace.fetch(`/sessions/${session}/allowed`, { method: 'DELETE' })
    await send('DELETE', { session })
    const { entries } = await audit(workspace)
    expect(entries.map(({ tool }) => tool)).toEqual(['end_grant', 'take_back_access', 'grant'])
    for (const { intent } of entries) expect(intent).toContain(JSON.stringify(label))
  })

  it('records calls beyond the scopes of a session', async () => {
    const workspace = freshWorkspace()
    const made = await workspace.text('delegate', { label: 'helper', scopes: ['read:file:/docs'] })
    const { call, send } = freshWorkspace(/https?:\S+/.exec(made)?.[0])
    const to = { from: '/secret/key', to: '/docs/key' }
    expect((await call('move_file', to)).result?.isError).toBe(true)
    expect((await call('read_file', { path: '/secret/key' })).result?.isError).toBe(true)
    expect((await send('resources/read', { uri: 'file:///secret/key' })).error?.code).toBe(-32602)
    const { entries } = await audit(workspace, '?outcome=refused')
    const decision = [
      { kind: 'refused', code: 'INSUFFICIENT_SCOPE' },
      { kind: 'configuration' },
      { kind: 'session', label: 'helper' },
    ]
    expect(entries.map(({ intent, paths, decision }) => ({ intent, paths, decision }))).toEqual([
      {
        intent: 'Read /secret/key',
        paths: ['/secret/key'],
        decision,
      },
      {
        intent: 'Move /secret/key to /docs/key',
        paths: ['/secret/key'],
        decision,
      },
    ])
    expect(entries.map(({ actor }) => actor.label)).toEqual(['helper', 'helper'])
  })

  it('stores a hash of the arguments instead of the arguments', async () => {
    const { workspace } = await story()
    const { entries } = await audit(workspace, '?path=/docs/a')
    expect(entries).toHaveLength(2)
    expect(entries[0]?.digest).toBe(entries[1]?.digest)
    expect(JSON.stringify(entries)).not.toContain('one')
  })

  it('is filtered by path, principal, session, outcome and time', async () => {
    const { workspace, session } = await story()
    const counts = async (...queries: string[]) =>
      Promise.all(queries.map(async (query) => (await audit(workspace, query)).entries.length))
    expect(await counts('?path=/docs', '?path=/docs/b', '?path=/doc')).toEqual([6, 1, 0])
    expect(await counts('?principal=local', '?principal=x')).toEqual([9, 0])
    expect(await counts(`?session=${session}`)).toEqual([1])
    expect(await counts(`?actor=${session}`, '?actor=local', '?actor=x')).toEqual([1, 9, 0])
    expect(await counts('?outcome=refused', '?outcome=previewed')).toEqual([2, 1])
    expect(await counts('?since=2000-01-01', '?until=2000-01-01')).toEqual([9, 0])
  })

  it('is paginated', async () => {
    const { workspace } = await story()
    const first = await audit(workspace, '?limit=3')
    expect(first.next).toBe(7)
    const rest = await audit(workspace, `?limit=100&before=${first.next}`)
    expect(rest.entries.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1])
    expect(rest.next).toBeNull()
  })

  it('is exported as JSON Lines that a reader can verify', async () => {
    const { workspace } = await story()
    const seqs = (await linesOf(workspace)).map((line) => Entry.parse(line).seq)
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await checkOutside(await linesOf(workspace))).toBe(9)
  })

  it('marks dropped entries in JSON Lines, so that the export can still be verified', async () => {
    const { workspace } = await story()
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const few = { applied: 3, notes: 1, batch: 1, allNotes: 1, batchAll: 1 }
      const { record, find } = createAudit(storage, few)
      const again = (outcome: AuditOutcome, limit: number) => {
        for (const { seq: _seq, hash: _hash, ...entry } of find({ outcome, limit }))
          record({ ...entry, decision: [] })
      }
      again('applied', 6)
      again('refused', 1)
    })
    const lines = await linesOf(workspace)
    expect(lines.map(({ seq, dropped }) => [seq, dropped])).toEqual([
      [5, 5],
      [6, undefined],
      [9, 3],
      [10, undefined],
      [13, 3],
      [14, undefined],
      [15, undefined],
      [16, undefined],
    ])
    expect(Object.keys(lines[0] ?? {}).sort()).toEqual(['dropped', 'hash', 'seq'])
    expect(await checkOutside(lines)).toBe(16)
    const { entries } = await audit(workspace)
    expect(entries.map(({ seq }) => seq)).toEqual([16, 15, 14, 10, 6])
    expect(await (await workspace.fetch('/audit/check')).json()).toEqual({
      ...{ entries: 5, dropped: 11, broken: null },
    })
  })

  it.each(['?path=%00', '?outcome=maybe', '?since=yesterday', '?before=x'])(
    'refuses the query %s',
    async (query) => {
      const answer = await freshWorkspace().fetch(`/audit${query}`)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: 'INVALID_QUERY' })
    },
  )
})

describe('the chain', () => {
  const check = async ({ fetch }: Workspace) => (await fetch('/audit/check')).json()
  const tamper = ({ base }: Workspace, statement: string) =>
    runInDurableObject(stubOf({ base }), (_, { storage }) => void storage.sql.exec(statement))

  it('is intact after normal use', async () => {
    const { workspace } = await story()
    expect(await check(workspace)).toEqual({ entries: 9, dropped: 0, broken: null })
  })

  // Entries 2, 4, 7, 8 and 9 are in the rows of changes.
  it.each([
    [
      'an entry that was changed',
      `UPDATE audit SET entry = replace(entry, 'Write', 'Read') WHERE seq = 3`,
      3,
    ],
    [
      'the entry of a change that was changed',
      `UPDATE changes SET entry = replace(entry, 'Write', 'Read') WHERE seq = 4`,
      4,
    ],
    ['an entry that was taken out', 'DELETE FROM audit WHERE seq = 5', 6],
    ['a change that was taken out', 'DELETE FROM changes WHERE seq = 4', 5],
    [
      'an entry that was taken out of its change',
      'UPDATE changes SET entry = NULL WHERE seq = 4',
      5,
    ],
    ['a first entry that was changed', `UPDATE audit SET entry = '{}' WHERE seq = 1`, 1],
    ['an entry with another hash', `UPDATE audit SET hash = 'x' WHERE seq = 3`, 3],
    ['an entry of a change with another hash', `UPDATE changes SET hash = 'x' WHERE seq = 2`, 2],
    ['an entry in another place', 'UPDATE audit SET seq = 12 WHERE seq = 6', 7],
    ['an entry of a change in another place', 'UPDATE changes SET seq = 12 WHERE seq = 9', 12],
    [
      'oldest entries that nothing explains',
      'DELETE FROM audit WHERE seq < 4; DELETE FROM changes WHERE seq < 4',
      4,
    ],
    [
      'newest entries that were taken out',
      'DELETE FROM audit WHERE seq > 6; DELETE FROM changes WHERE seq > 6',
      7,
    ],
    ['a newest change that was taken out', 'DELETE FROM changes WHERE seq = 9', 9],
    [
      'a newest entry that was taken out of its change',
      'UPDATE changes SET entry = NULL WHERE seq = 9',
      9,
    ],
    [
      'a newest entry that was added',
      'INSERT INTO audit (seq, at, principal, entry, hash) SELECT 10, at, principal, entry, hash FROM changes WHERE seq = 9',
      10,
    ],
    ['an audit that was emptied', 'DELETE FROM audit; UPDATE changes SET entry = NULL', 1],
    ['an entry that was hidden', `UPDATE audit SET first_seq = seq, entry = '{}' WHERE seq = 5`, 5],
    [
      'an entry of a change that was hidden',
      `INSERT INTO audit (seq, at, principal, entry, hash, first_seq) SELECT 4, 0, '', '{}', hash, 4 FROM changes WHERE seq = 4;
       UPDATE changes SET entry = NULL WHERE seq = 4`,
      4,
    ],
    ['a missing end', 'DELETE FROM audit_state', 1],
  ])('detects %s', async (_, statement, broken) => {
    const { workspace } = await story()
    await tamper(workspace, statement)
    expect(await check(workspace)).toMatchObject({ broken })
  })

  it('detects entries removed from the end when others follow', async () => {
    const { workspace } = await story()
    await tamper(workspace, 'DELETE FROM audit WHERE seq > 7; DELETE FROM changes WHERE seq > 7')
    await workspace.put('/docs/c', 'x')
    expect(await check(workspace)).toMatchObject({ broken: 8 })
  })

  it('detects a change removed from the end when others follow', async () => {
    const { workspace } = await story()
    await tamper(workspace, 'DELETE FROM changes WHERE seq = 9')
    await workspace.put('/docs/c', 'x')
    expect(await check(workspace)).toMatchObject({ broken: 9 })
  })
})

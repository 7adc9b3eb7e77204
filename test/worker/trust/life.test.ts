/** How long trust is in force, and what ends it. */

import { recordOf } from '#core/json.ts'
import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, fallSilent, pass } from '../../support/worker/connections.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import {
  auditOf,
  configure,
  idOf,
  registerPasskey,
  sendAsPage,
  sendWithPasskey,
} from '../../support/worker/passkeys.ts'
import {
  endsOf,
  endTrust,
  keyOf,
  listTrust,
  detailsOf,
  trust,
  waits,
  waitsToWrite,
  withConnection,
} from '../../support/worker/trust.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const HOUR = 60 * 60

describe('the time', () => {
  it('ends it, before the alarm and by it', async () => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection)
    pass(HOUR - 1)
    expect(await waitsToWrite(connection, '/f/a')).toBe(false)
    pass(1)
    expect(await waitsToWrite(connection, '/f/b')).toBe(true)
    expect(await endsOf(workspace)).toEqual(['End trust in /f: its time is over'])
    await trust(workspace, connection, { tools: ['move_file'] })
    pass(HOUR)
    await runDurableObjectAlarm(stubOf(workspace))
    expect(await endsOf(workspace)).toHaveLength(2)
    expect(await auditOf(workspace, 'end_trust')).toMatchObject([
      { actor: { principal: 'edgewise' }, decision: [{ kind: 'trust' }] },
      {},
    ])
  })

  it('is not prolonged by a clock that is set back', async () => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection)
    pass(HOUR / 2)
    expect(await waitsToWrite(connection, '/f/a')).toBe(false)
    await evictDurableObject(stubOf(workspace))
    pass(-1)
    expect(await waitsToWrite(connection, '/f/b')).toBe(true)
    expect(await endsOf(workspace)).toEqual(['End trust in /f: the clock was set back'])
    pass(HOUR)
    expect(await waitsToWrite(connection, '/f/c')).toBe(true)
  })

  it('is over for good once a clock that jumped ahead has ended it', async () => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection)
    pass(HOUR)
    expect(await listTrust(workspace)).toEqual([])
    pass(-HOUR / 2)
    expect(await waitsToWrite(connection, '/f/a')).toBe(true)
  })
})

describe('a session', () => {
  it('keeps it over an eviction, and its successor does not have it', async () => {
    const { workspace, link, connection } = await withConnection()
    await trust(workspace, connection)
    await evictDurableObject(stubOf(workspace))
    expect(await waitsToWrite(connection, '/f/a')).toBe(false)
    await connection.end()
    expect(await endsOf(workspace)).toEqual(['End trust in /f: its session has ended'])
    expect(await listTrust(workspace)).toEqual([])
    expect(await waitsToWrite(await connect(link), '/f/b')).toBe(true)
  })

  it('that the owner ends takes it along, as its link does', async () => {
    const { workspace, session, connection } = await withConnection()
    await trust(workspace, connection)
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    expect(await listTrust(workspace)).toEqual([])
  })

  it('that expires takes it along', async () => {
    const { workspace, connection } = await withConnection({}, { link: { ttl_seconds: 600 } })
    await trust(workspace, connection, { until: Date.now() + 24 * HOUR * 1000 })
    pass(600)
    expect(await listTrust(workspace)).toEqual([])
    expect(await endsOf(workspace)).toEqual(['End trust in /f: its session has ended'])
  })

  it('whose draft another one takes over has none, and the other one neither', async () => {
    const { workspace, link, connection } = await withConnection()
    await waitsToWrite(connection, '/g/a')
    await trust(workspace, connection)
    fallSilent()
    const next = await connect(link)
    expect(await next.read('/g/a')).toContain('x')
    expect(await endsOf(workspace)).toEqual(['End trust in /f: another connection has its draft'])
    expect(await waitsToWrite(next, '/f/a')).toBe(true)
    expect(await waitsToWrite(connection, '/f/b')).toBe(true)
  })

  it('of the same link with trust of its own keeps it when it takes a draft over', async () => {
    const { workspace, link, connection } = await withConnection()
    await waitsToWrite(connection, '/g/a')
    await trust(workspace, connection)
    fallSilent()
    const next = await connect(link)
    await trust(workspace, next, { folder: '/h' })
    await next.read('/g/a')
    expect(await listTrust(workspace)).toMatchObject([{ session: keyOf(next), folder: '/h' }])
  })
})

it('the owner ends it at once', async () => {
  const { workspace, connection } = await withConnection()
  const id = await trust(workspace, connection)
  expect(await endTrust(workspace, id)).toBe(204)
  expect(await waitsToWrite(connection, '/f/a')).toBe(true)
  expect(await endTrust(workspace, id)).toBe(404)
  expect(await auditOf(workspace, 'end_trust')).toMatchObject([
    { decision: [{ kind: 'owner' }, { kind: 'trust', id }] },
  ])
})

it('rules that change leave it in force only where they still say review', async () => {
  const { workspace, connection } = await withConnection()
  await trust(workspace, connection, { folder: '/' })
  await configure(workspace, { approval: 'confirm' })
  expect(await waitsToWrite(connection, '/f/a')).toBe(true)
  await configure(workspace, {
    roots: [{ path: '/' }, { path: '/f', approval: 'confirm' }, { path: '/g', approval: 'review' }],
  })
  expect(await waitsToWrite(connection, '/f/a')).toBe(true)
  expect(await waitsToWrite(connection, '/g/a')).toBe(false)
  const rows = await auditOf(workspace, 'write_file')
  expect(rows.filter(({ decision }) => JSON.stringify(decision).includes('trust'))).toHaveLength(1)
  // A folder that moves onto both levels has the stricter one.
  expect(await waits(connection, 'create_folder', { path: '/f/x' })).toBe(true)
})

it('the removal of the passkey that approved it ends it', async () => {
  const { workspace, connection } = await withConnection()
  const authenticator = await registerPasskey(workspace)
  await configure(workspace, { approval: 'review', passkey: 'all' })
  const details = detailsOf(keyOf(connection))
  const shown = await sendAsPage(workspace, '/trust/preview', { body: details })
  const request = { body: { ...details, digest: shown.body['digest'] } }
  expect((await sendAsPage(workspace, '/trust', request)).body['code']).toBe('PASSKEY_REQUIRED')
  expect(await listTrust(workspace)).toEqual([])
  expect((await sendWithPasskey(workspace, '/trust', request, authenticator)).status).toBe(201)
  expect(await auditOf(workspace, 'give_trust')).toMatchObject([
    { decision: [{ kind: 'owner' }, { kind: 'passkey' }, { kind: 'trust' }] },
  ])
  expect(await waitsToWrite(connection, '/f/a')).toBe(false)
  const id = await idOf(workspace, 'Phone')
  const removal = { method: 'DELETE' }
  const removed = await sendWithPasskey(workspace, `/passkeys/${id}`, removal, authenticator)
  expect(recordOf(removed.body)['passkeys']).toEqual([])
  expect(await waitsToWrite(connection, '/f/b')).toBe(true)
  expect(await endsOf(workspace)).toEqual([
    'End trust in /f: the passkey that approved it was removed',
  ])
})

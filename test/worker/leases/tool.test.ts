/** The tool `lease`: what it takes, renews, releases and refuses, and what the audit log has of it. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runInDurableObject } from 'cloudflare:test'
import { stubOf } from '../../support/worker/object-life.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { pass } from '../../support/worker/connections.ts'
import { codeOf, twoAgents } from '../../support/worker/leasing.ts'
import { auditOf } from '../../support/worker/passkeys.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) }))
afterEach(() => void vi.useRealTimers())

const textOf = ({ result }: { result?: { content: { text?: string }[] } }) =>
  result?.content[0]?.text

describe('taking', () => {
  it('names the paths and the end, which is half an hour away without another time', async () => {
    const { one } = await twoAgents()
    const { result } = await one.lease(['f/a', '/g', '/g/'])
    expect(textOf({ ...(result && { result }) })).toBe(
      'Leased /f/a, /g until 2026-01-01T00:30:00.000Z',
    )
    expect(result?.structuredContent).toEqual({
      paths: ['/f/a', '/g'],
      until: '2026-01-01T00:30:00.000Z',
    })
  })

  it('names who has leased it already, and until when; nothing is leased then', async () => {
    const { one, two } = await twoAgents()
    await one.lease(['/f'], { ttl_seconds: 60 })
    const answer = await two.lease(['/g/c', '/f/a'])
    expect(codeOf(answer)).toBe('LEASED')
    expect(textOf(answer)).toContain(
      'Cannot lease /f/a: "one" (client "test") has leased it until 2026-01-01T00:01:00.000Z',
    )
    expect(codeOf(await one.lease(['/g']))).toBeUndefined()
    pass(60)
    expect(codeOf(await two.lease(['/f/a']))).toBeUndefined()
  })

  it('again renews it', async () => {
    const { one, two } = await twoAgents()
    await one.lease(['/f'], { ttl_seconds: 60 })
    pass(59)
    await one.lease(['/f'], { ttl_seconds: 60 })
    pass(59)
    expect(codeOf(await two.lease(['/f']))).toBe('LEASED')
  })

  it('makes no version, and does not change what anyone reads', async () => {
    const { workspace, one } = await twoAgents()
    const before = await workspace.call('list_changes')
    await one.lease(['/f'])
    const after = await workspace.call('list_changes')
    expect(after.result?.structuredContent).toEqual(before.result?.structuredContent)
  })

  it.each([
    [{ paths: [] }, 'EMPTY_PATHS'],
    [{}, 'MISSING_PATHS'],
    [{ paths: ['/f'], ttl_seconds: -1 }, 'INVALID_TTL_SECONDS'],
    [{ paths: ['/f'], ttl_seconds: '60s' }, 'INVALID_TTL_SECONDS'],
    [{ paths: ['/f'], note: 1 }, 'INVALID_NOTE'],
    [{ paths: ['/f\u0000'] }, 'INVALID_PATH'],
  ])('refuses %j', async (args, code) => {
    const { one } = await twoAgents()
    expect(codeOf(await one.call('lease', args))).toBe(code)
  })
})

describe('releasing', () => {
  it('ends the leases on exactly these paths', async () => {
    const { one, two } = await twoAgents()
    await one.lease(['/f/a', '/f/b'])
    const { result } = await one.lease(['/f/a', '/f'], { ttl_seconds: 0 })
    expect(result?.structuredContent).toEqual({ paths: ['/f/a'] })
    expect(codeOf(await two.lease(['/f/a']))).toBeUndefined()
    expect(codeOf(await two.lease(['/f/b']))).toBe('LEASED')
  })

  it('does not end those of another agent', async () => {
    const { one, two } = await twoAgents()
    await one.lease(['/f/a'])
    const { result } = await two.lease(['/f/a'], { ttl_seconds: 0 })
    expect(result?.structuredContent).toEqual({ paths: [] })
    expect(codeOf(await two.lease(['/f/a']))).toBe('LEASED')
  })
})

describe('the end of a session', () => {
  it('releases what it had leased', async () => {
    const { workspace, one, two } = await twoAgents()
    await one.lease(['/f'])
    await workspace.fetch(`/sessions/${one.session}`, { method: 'DELETE' })
    const rows = await runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) =>
      sql.exec('SELECT path FROM leases').toArray(),
    )
    expect(rows).toEqual([])
    expect(codeOf(await two.lease(['/f']))).toBeUndefined()
  })

  it('by its time does as well', async () => {
    const { one, two } = await twoAgents(undefined, [{ ttl_seconds: 600 }])
    await one.lease(['/f'], { ttl_seconds: 3_600 })
    pass(600)
    expect(codeOf(await two.lease(['/f']))).toBeUndefined()
  })
})

it('the audit log has each call, with its paths and without a version', async () => {
  const { workspace, one } = await twoAgents()
  await one.lease(['/f/a'], { note: 'mine' })
  await one.lease(['/f/a'], { ttl_seconds: 0 })
  expect(await auditOf(workspace, 'lease')).toMatchObject([
    { outcome: 'applied', version: null, paths: ['/f/a'] },
    { intent: 'Lease /f/a for 30 minutes, with the note mine', actor: { label: 'one' } },
  ])
})

it('callers without a session differ by the names that they claim', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/f/a', 'x')
  const named = (name: string) => ({ 'io.modelcontextprotocol/clientInfo': { name, version: '1' } })
  expect(codeOf(await workspace.call('lease', { paths: ['/f'] }, named('x')))).toBeUndefined()
  expect(codeOf(await workspace.call('lease', { paths: ['/f'] }, named('x')))).toBeUndefined()
  const other = await workspace.call('lease', { paths: ['/f'] }, named('y'))
  expect(textOf(other)).toContain('"x" has leased it')
})

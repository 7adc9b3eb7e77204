import { beforeEach, describe, expect, it } from 'vitest'
import { clear, createStore, get, set } from 'idb-keyval'
import {
  approvals,
  MAX_DECISIONS,
  MAX_ENTRIES,
  appendAudit,
  hasApproval,
  readSensitiveLevel,
  SITE,
  storeApproval,
  storeSensitiveLevel,
} from '#polyfill/approval/approval-store.ts'

const store = createStore('edgewise-webmcp', 'approvals')
const entry = { policy: 'confirm', intent: '', outcome: 'ran', by: 'person' } as const

beforeEach(() => clear(store))

describe('remembered decisions', () => {
  it('hold for the tool as it was, and for no other', async () => {
    await storeApproval('a', 'one', 30)
    expect(await hasApproval('a', 'one', true)).toBe(true)
    expect(await hasApproval('a', 'two', true)).toBe(false)
    expect(await hasApproval('b', 'one', true)).toBe(false)
  })

  it('end', async () => {
    await storeApproval('a', 'one', -1)
    expect(await hasApproval('a', 'one', true)).toBe(false)
  })

  it('of another origin do not count', async () => {
    await storeApproval('a', 'one', 30)
    const [kept] = await approvals.list()
    await set('decisions', [{ ...kept, origin: 'https://other.example' }], store)
    expect(await hasApproval('a', 'one', true)).toBe(false)
  })

  it('of the site hold for every tool, but for those that are asked about alone', async () => {
    await storeApproval(SITE, SITE, 1)
    expect(await hasApproval('a', 'one', false)).toBe(true)
    expect(await hasApproval('a', 'one', true)).toBe(false)
    await storeApproval(SITE, SITE, -1)
    expect(await hasApproval('a', 'one', false)).toBe(false)
  })

  it('are replaced, listed and forgotten', async () => {
    await storeApproval('a', 'one', 30)
    await storeApproval('a', 'two', 30)
    await storeApproval('b', 'one', 30)
    const kept = await approvals.list()
    expect(kept.map(({ tool, definition }) => [tool, definition])).toEqual([
      ['a', 'two'],
      ['b', 'one'],
    ])
    await approvals.forget(kept[0]?.id)
    expect((await approvals.list()).map(({ tool }) => tool)).toEqual(['b'])
    await approvals.forget()
    expect(await approvals.list()).toEqual([])
  })

  it('are bounded', async () => {
    const full = Array.from({ length: MAX_DECISIONS }, (_, at) => ({
      id: `${at}`,
      origin: location.origin,
      tool: `tool${at}`,
      definition: '',
      at: 0,
      until: Date.now() + 1e6,
    }))
    await set('decisions', full, store)
    await storeApproval('new', 'one', 30)
    const kept = await approvals.list()
    expect(kept.length).toBe(MAX_DECISIONS)
    expect(kept.at(-1)?.tool).toBe('new')
  })
})

describe('the level of sensitive tools', () => {
  it('is what the user has set', async () => {
    expect(await readSensitiveLevel()).toBeUndefined()
    await storeSensitiveLevel('review')
    expect(await readSensitiveLevel()).toBe('review')
  })

  it.each([7, [7], 'review', [['none']], { 0: 1 }, null])('is not %j', async (stored) => {
    await set('sensitive', stored, store)
    expect(await readSensitiveLevel()).toBeUndefined()
  })
})

describe('the audit log', () => {
  it('keeps the newest', async () => {
    for (let at = 0; at < MAX_ENTRIES + 5; at++) void appendAudit({ ...entry, tool: `${at}` })
    await expect.poll(async () => (await approvals.audit()).at(-1)?.tool).toBe(`${MAX_ENTRIES + 4}`)
    const entries = await approvals.audit()
    expect(entries.length).toBe(MAX_ENTRIES)
    expect(entries[0]).toMatchObject({ tool: '5', origin: location.origin })
  })

  it('continues after its content was damaged', async () => {
    await set('audit', 'broken', store)
    await appendAudit({ ...entry, tool: 'a' })
    expect((await approvals.audit()).map(({ tool }) => tool)).toEqual(['a'])
    expect(await get('audit', store)).toHaveLength(1)
  })
})

/** The limits of leases, each at its edge. */

import { expect, it, vi } from 'vitest'
import {
  MAX_LEASE_NOTE_LENGTH,
  MAX_LEASE_SECONDS,
  MAX_LEASED_PATHS,
  MAX_LEASES,
  MAX_WORKSPACE_LEASES,
} from '#worker/leases/limits.ts'
import { codeOf, twoAgents } from '../../support/worker/leasing.ts'
import { holder, wish, withLeases } from '../../support/worker/leases.ts'

const names = (count: number, folder = '/f') =>
  Array.from({ length: count }, (_, at) => `${folder}/${at}`)

it('MAX_LEASE_SECONDS: a lease lasts a day at most, also when it is renewed', async () => {
  const { one } = await twoAgents()
  expect(codeOf(await one.lease(['/f'], { ttl_seconds: MAX_LEASE_SECONDS }))).toBeUndefined()
  expect(codeOf(await one.lease(['/f'], { ttl_seconds: MAX_LEASE_SECONDS + 1 }))).toBe(
    'INVALID_TTL_SECONDS',
  )
  vi.useFakeTimers({ toFake: ['Date'] })
  await withLeases(({ leases }) => {
    const taken = leases.take(wish('a', ['/x'], { seconds: MAX_LEASE_SECONDS * 2 }))
    const day = Date.now() + MAX_LEASE_SECONDS * 1000
    expect(taken).toMatchObject({ ok: true, value: [{ until: day }] })
    const id = taken.ok ? (taken.value[0]?.id ?? '') : ''
    expect(leases.renew(id, Infinity)).toMatchObject({ until: day })
  })
  vi.useRealTimers()
})

it('MAX_LEASED_PATHS: one call names so many', async () => {
  const { one } = await twoAgents()
  expect(codeOf(await one.lease(names(MAX_LEASED_PATHS + 1)))).toBe('INVALID_PATHS')
  expect(codeOf(await one.lease(names(MAX_LEASED_PATHS)))).toBeUndefined()
})

it('MAX_LEASES: a principal has so many, whatever its sessions are', async () => {
  const { one } = await twoAgents()
  expect(codeOf(await one.lease(names(MAX_LEASES - 1)))).toBeUndefined()
  expect(codeOf(await one.lease(['/g/x', '/g/y']))).toBe('LEASES_FULL')
  expect(codeOf(await one.lease(['/g/x', '/f/0']))).toBeUndefined()
  await withLeases(({ leases }) => {
    leases.take(wish('a', names(MAX_LEASES)))
    const sibling = holder('b', { budget: 'a' })
    expect(leases.take(wish('b', ['/x'], { holder: sibling }))).toMatchObject({
      error: { reason: 'full', limit: MAX_LEASES, of: 'principal' },
    })
    expect(leases.list()).toHaveLength(MAX_LEASES)
  })
})

it('MAX_WORKSPACE_LEASES: the principal with the most loses its oldest; none with fewer loses one', () =>
  withLeases(({ leases }) => {
    for (let at = 0; at < MAX_WORKSPACE_LEASES / MAX_LEASES; at++)
      leases.take(wish(`p${at}`, names(MAX_LEASES, `/p${at}`)))
    expect(leases.list()).toHaveLength(MAX_WORKSPACE_LEASES)
    expect(leases.take(wish('new', ['/new/0', '/new/1']))).toMatchObject({ ok: true })
    const counts = Map.groupBy(leases.list(), ({ holder: { key } }) => key)
    expect(counts.get('new')).toHaveLength(2)
    expect(leases.list()).toHaveLength(MAX_WORKSPACE_LEASES)
    expect([...counts.values()].filter((list) => list.length === MAX_LEASES - 1)).toHaveLength(2)
    for (let at = 2; at < MAX_LEASES; at++) leases.take(wish('new', [`/new/${at}`]))
    expect(leases.list()).toHaveLength(MAX_WORKSPACE_LEASES)
    // Once the shares are equal, another row of the same principal is refused.
    expect(leases.take(wish('new', ['/last/0', '/last/1', '/last/2']))).toMatchObject({ ok: false })
  }))

it('MAX_LEASE_NOTE_LENGTH: a longer note is refused, and cut where it is not from a tool', async () => {
  const { one } = await twoAgents()
  const note = 'n'.repeat(MAX_LEASE_NOTE_LENGTH)
  expect(codeOf(await one.lease(['/f'], { note }))).toBeUndefined()
  expect(codeOf(await one.lease(['/f'], { note: `${note}n` }))).toBe('INVALID_NOTE')
  await withLeases(({ leases }) => {
    leases.take(wish('a', ['/x'], { note: `${note}n` }))
    expect(leases.list()[0]?.note).toBe(note)
  })
})

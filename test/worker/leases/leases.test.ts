/** Leases as the service keeps them: what they cover, who is in the way, and what ends them. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pass } from '../../support/worker/connections.ts'
import { holder, holdersAt, pathsOf, wish, withLeases } from '../../support/worker/leases.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const HELD = { ok: false, error: { reason: 'held' } }

describe('what a lease covers', () => {
  it.each([
    ['/f', 'entry', ['a']],
    ['/f/x/y', 'entry', ['a']],
    ['/fx', 'entry', []],
    ['/', 'entry', []],
    ['/', 'tree', ['a', 'b']],
    ['/g', 'entry', ['b']],
    ['/g/new', 'entry', []],
    ['/g/new', 'member', ['b']],
    ['/g/new', 'tree', ['b']],
    ['/g/d/new', 'tree', []],
  ] as const)('%s, as %s, is covered by %j', (path, reach, holders) =>
    withLeases(({ leases }) => {
      leases.take(wish('a', ['/f']))
      leases.take(wish('b', ['/g'], { isDeep: false, kind: 'lock' }))
      expect(holdersAt(leases, path, reach)).toEqual(holders)
    }),
  )

  it('the root covers everything', () =>
    withLeases(({ leases }) => {
      leases.take(wish('a', ['/']))
      for (const path of ['/', '/f', '/f/x']) expect(holdersAt(leases, path)).toEqual(['a'])
    }))
})

describe('taking', () => {
  it.each([
    ['/f/x', '/f/x'],
    ['/f', '/f/x'],
    ['/f/x', '/f'],
    ['/', '/f'],
    ['/f', '/'],
  ])('a lease on %s is in the way of another one on %s', (first, second) =>
    withLeases(({ leases }) => {
      expect(leases.take(wish('a', [first]))).toMatchObject({ ok: true })
      expect(leases.take(wish('b', [second]))).toMatchObject({
        ...{ ok: false, error: { reason: 'held', path: second, lease: { path: first } } },
      })
      expect(leases.take(wish('a', [second]))).toMatchObject({ ok: true })
    }),
  )

  it.each([
    [false, true, ['a']],
    [true, false, []],
  ])('again covers what is wanted now: deep was %j, is %j', (was, is, holders) =>
    withLeases(({ leases, reopen }) => {
      // A file was at the path, and now it is a folder, or the reverse.
      leases.take(wish('a', ['/f'], { isDeep: was }))
      expect(leases.take(wish('a', ['/f'], { isDeep: is }))).toMatchObject({
        value: [{ isDeep: is }],
      })
      expect(holdersAt(leases, '/f/x')).toEqual(holders)
      expect(holdersAt(reopen(), '/f/x')).toEqual(holders)
    }),
  )

  it('a lease that covers no more than a folder leaves room below it', () =>
    withLeases(({ leases }) => {
      leases.take(wish('a', ['/f'], { isDeep: false }))
      expect(leases.take(wish('b', ['/f/x']))).toMatchObject({ ok: true })
      expect(leases.take(wish('c', ['/f']))).toMatchObject(HELD)
      expect(leases.take(wish('b', ['/g', '/f']))).toMatchObject(HELD)
    }))

  it('is all or nothing', () =>
    withLeases(({ leases, sql }) => {
      leases.take(wish('a', ['/x']))
      expect(leases.take(wish('b', ['/y', '/x', '/z']))).toMatchObject(HELD)
      expect(pathsOf(leases.list())).toEqual(['/x'])
      expect(sql.exec('SELECT path FROM leases').toArray()).toEqual([{ path: '/x' }])
    }))

  it('again renews, with the new note, and keeps since when and the id', () =>
    withLeases(({ leases }) => {
      leases.take(wish('a', ['/x'], { note: 'one' }))
      const [before] = leases.list()
      pass(60)
      leases.take(wish('a', ['/x', '/y', '/y'], { note: 'two' }))
      expect(leases.list()).toEqual([
        { ...before, note: 'two', until: Date.now() + 1_800_000 },
        expect.objectContaining({ path: '/y', taken: Date.now() }),
      ])
    }))

  it('two locks exclude each other, also with the same link', () =>
    withLeases(({ leases }) => {
      expect(leases.take(wish('a', ['/f'], { kind: 'lock' }))).toMatchObject({ ok: true })
      expect(leases.take(wish('a', ['/f'], { kind: 'lock' }))).toMatchObject(HELD)
      expect(leases.take(wish('a', ['/f/x'], { kind: 'lock' }))).toMatchObject(HELD)
      expect(leases.take(wish('a', ['/f']))).toMatchObject({ ok: true })
    }))

  it('a note is one line without hidden characters', () =>
    withLeases(({ leases }) => {
      leases.take(wish('a', ['/x'], { note: ' a\n\tb\u202e\u0000 ' }))
      expect(leases.list()).toMatchObject([{ note: 'a b[RLO][NUL]' }])
    }))
})

describe('the end', () => {
  it('comes at the very moment, and not before', () =>
    withLeases(({ leases, woken }) => {
      leases.take(wish('a', ['/x'], { seconds: 60 }))
      expect(woken).toEqual([Date.now() + 60_000])
      vi.setSystemTime(Date.now() + 59_999)
      expect(holdersAt(leases, '/x')).toEqual(['a'])
      expect(leases.take(wish('b', ['/x']))).toMatchObject(HELD)
      vi.setSystemTime(Date.now() + 1)
      expect(holdersAt(leases, '/x')).toEqual([])
      expect(leases.take(wish('b', ['/x']))).toMatchObject({ ok: true })
    }))

  it('is not put off by a clock that is set back before the beginning', () =>
    withLeases(({ leases, reopen }) => {
      leases.take(wish('a', ['/x']))
      pass(-1)
      expect(holdersAt(leases, '/x')).toEqual([])
      expect(reopen().list()).toEqual([])
    }))

  it('comes with that of the session, in which it was taken, also without a message', () =>
    withLeases(({ leases, ended, sql }) => {
      leases.take(wish('a', ['/x']))
      leases.take(wish('b', ['/y']))
      leases.take(wish('c', ['/z'], { holder: holder('c', { session: null }) }))
      ended.add('a')
      expect(pathsOf(leases.list())).toEqual(['/y', '/z'])
      leases.endSession('b')
      expect(pathsOf(leases.list())).toEqual(['/z'])
      leases.expire(Date.now())
      expect(sql.exec('SELECT path FROM leases').toArray()).toEqual([{ path: '/z' }])
    }))

  it('is put off by renewing, and comes at once by releasing', () =>
    withLeases(({ leases }) => {
      const taken = leases.take(wish('a', ['/x'], { seconds: 60, kind: 'lock' }))
      const id = taken.ok ? (taken.value[0]?.id ?? '') : ''
      pass(59)
      expect(leases.renew(id, 60)).toMatchObject({ id, until: Date.now() + 60_000 })
      pass(59)
      expect(leases.find(id)).toMatchObject({ path: '/x' })
      expect(leases.release(id)).toBe(true)
      expect(leases.find(id)).toBeNull()
      expect(leases.release(id)).toBe(false)
      expect(leases.renew(id, 60)).toBeNull()
    }))

  it('leaves no row, once the alarm has rung', () =>
    withLeases(({ leases, sql }) => {
      leases.take(wish('a', ['/x'], { seconds: 60 }))
      leases.take(wish('a', ['/y'], { seconds: 90 }))
      const later = Date.now() + 90_000
      pass(60)
      expect(leases.expire(Date.now())).toBe(later)
      expect(sql.exec('SELECT path FROM leases').toArray()).toEqual([{ path: '/y' }])
      pass(30)
      expect(leases.expire(Date.now())).toBeNull()
    }))

  it('a renewal that has ended is no renewal', () =>
    withLeases(({ leases }) => {
      const taken = leases.take(wish('a', ['/x'], { seconds: 60 }))
      pass(60)
      expect(leases.renew(taken.ok ? (taken.value[0]?.id ?? '') : '', 60)).toBeNull()
      expect(leases.of('a')).toEqual([])
    }))
})

it('they are kept over an eviction', () =>
  withLeases(({ leases, reopen }) => {
    leases.take(wish('a', ['/x'], { note: 'n', holder: holder('a', { client: 'c' }) }))
    const before = leases.list()
    expect(reopen().list()).toEqual(before)
  }))

it('without one there is no table and no query', () =>
  withLeases(({ leases, sql }) => {
    expect(leases.isEmpty()).toBe(true)
    const exec = vi.spyOn(sql, 'exec')
    expect(leases.isEmpty()).toBe(true)
    expect(holdersAt(leases, '/x')).toEqual([])
    leases.endSession('a')
    leases.expire(Date.now())
    expect(exec).not.toHaveBeenCalled()
  }))

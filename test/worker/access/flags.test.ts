/**
 * Flags of the server: they restrict every workspace, whatever it stores, a client sends or the owner allows.
 * `access.laws.test.ts` checks it for random requests.
 */

import {
  DEFAULT_CONFIG,
  formatConfig,
  readConfig,
  restrictConfig,
  type Flags,
} from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import { createOwnerConfig } from '#worker/access/owner-config.ts'
import { ownerAccess, resolveAccess } from '#worker/access/access.ts'
import { isLoosened } from '#worker/passkeys/loosening.ts'
import { missingRoots, wouldPermit } from '#worker/access/allow-by-rule.ts'
import { callerWithoutSession, withAllowedCall, withConfiguration } from '#worker/access/caller.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { given } from '../../support/core/policy-laws.ts'
import { newStub } from '../../support/worker/object-life.ts'

const config = (value: object) => given(readConfig(value, DEFAULT_CONFIG))

function flagsOf(value: object): Flags {
  const all = Object.entries(config(value))
  return Object.fromEntries(all.filter(([name]) => Object.hasOwn(value, name)))
}

const restricted = (stored: object, flags: object) => restrictConfig(config(stored), flagsOf(flags))

it.each<[object, object, object]>([
  [{ read_only: false }, { read_only: true }, { read_only: true }],
  [{ read_only: true }, { read_only: false }, { read_only: true }],
  [{ allow_escape: true }, { allow_escape: false }, { allow_escape: false }],
  [{ allow_escape: false }, { allow_escape: true }, { allow_escape: false }],
  [{ approval: 'none' }, { approval: 'review' }, { approval: 'review' }],
  [{ approval: 'confirm' }, { approval: 'review' }, { approval: 'confirm' }],
  [{ passkey: 'none' }, { passkey: 'all' }, { passkey: 'all' }],
  [{ passkey: 'all' }, { passkey: 'confirm' }, { passkey: 'all' }],
  [{ find_limit: 0 }, { find_limit: 5 }, { find_limit: 5 }],
  [{ find_limit: 4 }, { find_limit: 5 }, { find_limit: 4 }],
  [{ find_limit: 4 }, { find_limit: 0 }, { find_limit: 4 }],
  [{ max_file_bytes: 1_000 }, { max_file_bytes: 10 }, { max_file_bytes: 10 }],
  [{ history_versions: 50 }, { history_versions: 3 }, { history_versions: 3 }],
])('%j with the flags %j is %j', (stored, flags, expected) =>
  expect(formatConfig(restricted(stored, flags))).toMatchObject(expected),
)

it('leaves what no flag names, and the folders as they are stored', () => {
  const stored = { roots: [{ path: '/a', deny: ['x'] }], find_limit: 9 }
  const all = restricted(stored, { roots: [{ path: '/a/b' }] })
  expect(formatConfig(all)).toEqual(formatConfig(config(stored)))
})

describe('the folders of flags', () => {
  const roots = [{ path: '/notes', deny: ['private/**'], immutable: ['old/**'] }]
  const NOTES = { roots }

  it.each<[string, object, readonly string[], readonly string[]]>([
    ['the default', {}, ['/notes/a', '/notes/old/a'], ['/', '/a', '/notes/private/a']],
    [
      'other folders',
      { roots: [{ path: '/docs' }] },
      [],
      ['/docs', '/docs/a', '/notes', '/notes/a'],
    ],
    [
      'a wider one',
      { roots: [{ path: '/', deny: ['notes/b'] }] },
      ['/notes/a'],
      ['/a', '/notes/b'],
    ],
    ['a narrower one', { roots: [{ path: '/notes/n' }] }, ['/notes/n/a'], ['/notes', '/notes/a']],
    ['a denied one as a root', { roots: [{ path: '/notes/private/a' }] }, [], ['/notes/private/a']],
    ['paths outside all', { roots: [{ path: '/docs' }], allow_escape: true }, ['/notes/a'], ['/a']],
  ])('hold with stored rules for %s', (_, stored, open, closed) => {
    const { access } = callerWithoutSession('p', restricted(stored, NOTES))
    for (const path of open) expect([path, access.canRead(parsePath(path))]).toEqual([path, true])
    for (const path of closed)
      expect([path, access.canRead(parsePath(path))]).toEqual([path, false])
    for (const path of ['/notes/old/a', '/a', '/notes/private/a'])
      expect([path, access.canWrite(parsePath(path))]).toEqual([path, false])
  })

  it('are the base of relative paths, unless the stored one is in them', () => {
    const baseWith = (stored: object) =>
      callerWithoutSession('p', restricted(stored, NOTES)).access.base
    expect(baseWith({})).toBe('/notes')
    expect(baseWith({ roots: [{ path: '/notes/n' }] })).toBe('/notes/n')
    expect(baseWith({ roots: [{ path: '/docs' }] })).toBe('/docs')
  })

  it('are all that a caller learns it may use', () =>
    expect(callerWithoutSession('p', restricted({}, NOTES)).access.folders()).toEqual(['/notes']))

  it('are not lifted by a grant, or by what the owner allows or adds to the rules', () => {
    const owner = restricted({}, NOTES)
    const scopes = ['read:file:/docs', 'write:file:/docs']
    const caller = withAllowedCall(callerWithoutSession('p', owner), scopes)
    const path = parsePath('/docs/a')
    expect(caller.access.judge('read', path)).toBe('blocked')
    expect(caller.access.isKeptFrom(path)).toBe(true)
    const added = missingRoots(scopes, restricted({ roots: [{ path: '/notes' }] }, NOTES))
    expect(added).toEqual([{ path: '/docs' }])
    expect(wouldPermit(scopes, added, { config: owner, chain: [] })).toBe(false)
  })

  it('are not lifted by the configuration of a client, or by a policy', () => {
    const caller = callerWithoutSession('p', restricted({}, NOTES))
    for (const path of ['/', '/docs'])
      expect(withConfiguration(caller, { roots: [{ path }] }).ok, path).toBe(false)
    const policy = { roots: [{ path: '/docs' }] }
    const metadata = { ...NO_METADATA, policy }
    const access = given(resolveAccess(caller.working, metadata))
    expect(access.canRead(parsePath('/docs/a'))).toBe(false)
    expect(access.canRead(parsePath('/notes/a'))).toBe(false)
  })

  it('restrict agents, and not the owner in person', () =>
    expect(ownerAccess(restricted({}, NOTES)).canWrite(parsePath('/docs/a'))).toBe(true))
})

it.each(['read_max_bytes', 'search_max_bytes'])(
  'a client cannot raise %s beyond a flag that is the default',
  (name) => {
    const wish = { [name]: 51_200 }
    const isAccepted = (flags: object) =>
      withConfiguration(callerWithoutSession('p', restricted({}, flags)), wish).ok
    expect(isAccepted({})).toBe(true)
    expect(isAccepted({ [name]: 17_000 })).toBe(false)
    expect(isAccepted({ [name]: 30_000 })).toBe(false)
    expect(isAccepted({ [name]: 60_000 })).toBe(true)
  },
)

describe('the configuration of a workspace', () => {
  const withFlags = (
    flags: object,
    work: (open: () => ReturnType<typeof createOwnerConfig>) => void,
  ) =>
    runInDurableObject(newStub(), (_, { storage }) => {
      createSqliteStore(storage, createSqliteObjects(storage.sql))
      const parts = { sql: storage.sql, deployed: DEFAULT_CONFIG, changed: () => {} }
      work(() => createOwnerConfig({ ...parts, flags: flagsOf(flags) }))
    })

  it('is restricted from the first request on, and again after each that is stored', () =>
    withFlags({ read_only: true, find_limit: 5 }, (open) => {
      const opened = open()
      expect(opened.current).toMatchObject({ read_only: true, find_limit: 5 })
      expect(opened.store({ read_only: false, find_limit: 0, approval: 'notify' }).ok).toBe(true)
      for (const { current } of [opened, open()])
        expect(current).toMatchObject({ read_only: true, find_limit: 5, approval: 'notify' })
      expect(opened.wanted).toMatchObject({ read_only: false, find_limit: 0 })
    }))

  it('keeps the folders of flags where a request adds to the rules, and stores none of them', () =>
    withFlags({ roots: [{ path: '/notes' }] }, (open) => {
      const opened = open()
      expect(opened.addRoots([{ path: parsePath('/docs') }])).toBe(true)
      const { access } = callerWithoutSession('p', opened.current)
      expect(access.canRead(parsePath('/docs/a'))).toBe(false)
      expect(opened.wanted.roots.map(({ path }) => path)).toEqual(['/', '/docs'])
    }))

  it('is looser where only flags hide it, so that a passkey is asked for', () =>
    withFlags({ read_only: true }, (open) => {
      const opened = open()
      opened.store({ approval: 'confirm' })
      const next = given(opened.parse({ approval: 'none' }))
      expect(isLoosened(opened.wanted, next)).toBe(true)
    }))
})

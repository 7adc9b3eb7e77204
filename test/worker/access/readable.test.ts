/** The part of the tree that a request may read, as ranges: for each kind of restriction, what is in them. */

import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { parseScope } from '#core/scope.ts'
import { resolveAccess, type Access } from '#worker/access/access.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import { callerOf } from '#worker/access/caller.ts'
import { compareKeys } from '#worker/store/path-ranges.ts'
import { expect, it } from 'vitest'
import { chainOf } from '../../support/worker/access-arbitrary.ts'

const PATHS = ['/a', '/a/b', '/a/b/c', '/a/b/c.key', '/a/z', '/a-b', '/b', '/b/c'].map((path) =>
  parsePath(path),
)

interface Restricted {
  readonly roots?: readonly object[]
  readonly scopes?: string[]
  readonly denied?: string[]
  readonly policy?: object
}

function accessOf({ roots, scopes, denied = [], policy }: Restricted): Access {
  const owner = roots ? readConfig({ roots }, DEFAULT_CONFIG) : null
  if (owner && !owner.ok) throw new Error(JSON.stringify(owner))
  const chain = chainOf([{ inherited: {}, scopes }])
  const caller = callerOf(chain, owner?.value ?? DEFAULT_CONFIG, null)
  if (!caller.ok) throw new Error('The caller is refused')
  const metadata = { ...NO_METADATA, policy, denied: denied.map((text) => parseScope(text)) }
  const access = resolveAccess(caller.value.working, metadata)
  if (!access.ok) throw new Error(access.error)
  return access.value
}

function readable(restricted: Restricted): string[] | 'all' {
  const ranges = accessOf(restricted).readable
  if (!ranges) return 'all'
  const isIn = (path: string) =>
    ranges.some(({ low, high }) => compareKeys(low, path) <= 0 && compareKeys(path, high) < 0)
  return PATHS.filter(isIn)
}

it.each<[string, Restricted, string[] | 'all']>([
  ['nothing', {}, 'all'],
  ['scopes for everything', { scopes: ['read', 'write'] }, 'all'],
  [
    'a scope, with the folders above it',
    { scopes: ['read:file:/a/b'] },
    ['/a', '/a/b', '/a/b/c', '/a/b/c.key'],
  ],
  ['a scope to write', { scopes: ['write:file:/a', 'read:file:/b'] }, ['/b', '/b/c']],
  ['a denied scope', { denied: ['read:file:/a'] }, ['/a-b', '/b', '/b/c']],
  ['roots', { roots: [{ path: '/b' }, { path: '/a/b/c' }] }, ['/a/b/c', '/b', '/b/c']],
  [
    'a deny list of folders',
    { roots: [{ path: '/', deny: ['a/b/**', '/b/**'] }] },
    ['/a', '/a/z', '/a-b'],
  ],
  [
    'a deny list in a folder',
    { roots: [{ path: '/a', deny: ['b/**'] }, { path: '/b' }] },
    ['/a', '/a/z', '/b', '/b/c'],
  ],
  [
    'an allow list',
    { policy: { roots: [{ path: '/', allow: ['b/**', 'a/*/c'] }] } },
    ['/a', '/a/b', '/a/b/c', '/a/b/c.key', '/a/z', '/b', '/b/c'],
  ],
  ['roots of a policy', { policy: { roots: [{ path: '/b' }] } }, ['/b', '/b/c']],
  [
    'a blocked folder',
    { policy: { roots: [{ path: '/' }, { path: '/a', blocked: true }] } },
    ['/a-b', '/b', '/b/c'],
  ],
  ['everything denied', { denied: ['read'] }, []],
  // What these refuse is no range.
  ['a pattern without a literal beginning', { roots: [{ path: '/', deny: ['**/*.key'] }] }, 'all'],
  ['a pattern that ends in no folder', { roots: [{ path: '/', deny: ['a/b', 'a/*.key'] }] }, 'all'],
])('%s', (_, restricted, expected) => {
  expect(readable(restricted)).toEqual(expected)
})

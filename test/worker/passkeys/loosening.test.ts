/** Which new rules let agents change more without a person than the old ones. */

import { expect, it } from 'vitest'
import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { isLoosened } from '#worker/passkeys/loosening.ts'

function read(given: object): Config {
  const config = readConfig(given, DEFAULT_CONFIG)
  if (!config.ok) throw new Error(config.error[0].message)
  return config.value
}

const ROOT = { path: '/' }
const HELD = { path: '/contracts', approval: 'confirm' }

const LOOSER: readonly (readonly [string, object, object])[] = [
  ['a lower level', { approval: 'confirm' }, { approval: 'review' }],
  ['a lower rule', { passkey: 'all' }, { passkey: 'confirm' }],
  ['no rule', {}, { passkey: 'none' }],
  ['a lower level of a folder', { roots: [ROOT, HELD] }, { roots: [ROOT, { path: '/contracts' }] }],
  ['a folder that loses its entry', { roots: [ROOT, HELD] }, { roots: [ROOT] }],
  [
    'the level of a smaller folder',
    { roots: [ROOT, HELD] },
    {
      roots: [ROOT, { path: '/contracts/signed', approval: 'confirm' }],
    },
  ],
  ['a new folder', { roots: [{ path: '/a' }] }, { roots: [{ path: '/a' }, { path: '/b' }] }],
  ['paths outside', { roots: [{ path: '/a' }] }, { roots: [{ path: '/a' }], allow_escape: true }],
  ['writing', { read_only: true }, {}],
  [
    'a pattern less',
    { roots: [{ path: '/', deny: ['*.env', 'x'] }] },
    {
      roots: [{ path: '/', deny: ['x'] }],
    },
  ],
  ['no immutable files', { roots: [{ path: '/', immutable: ['*'] }] }, { roots: [ROOT] }],
  [
    'another allowed pattern',
    { roots: [{ path: '/', allow: ['a'] }] },
    {
      roots: [{ path: '/', allow: ['a', 'b'] }],
    },
  ],
  ['every path allowed', { roots: [{ path: '/', allow: ['a'] }] }, { roots: [ROOT] }],
  [
    'a pattern less of a second entry',
    { roots: [ROOT, { path: '/', deny: ['*.env'] }] },
    {
      roots: [ROOT, ROOT],
    },
  ],
  [
    'an allow list less of two',
    {
      roots: [
        { path: '/', allow: ['a', 'b'] },
        { path: '/', allow: ['b', 'c'] },
      ],
    },
    { roots: [{ path: '/', allow: ['a', 'b'] }] },
  ],
  [
    'a list of the entry around a folder',
    { roots: [{ path: '/', deny: ['*.env'] }, { path: '/b' }] },
    { roots: [ROOT, { path: '/b', deny: ['*.env'] }] },
  ],
]

it.each(LOOSER)('%s is looser', (_, before, after) =>
  expect(isLoosened(read(before), read(after))).toBe(true),
)

it.each(LOOSER)('the opposite of %s is not', (name, before, after) => {
  // The opposite takes the pattern from the folder.
  if (name === 'a list of the entry around a folder') return
  expect(isLoosened(read(after), read(before))).toBe(false)
})

it.each([
  ['the same', { roots: [ROOT, HELD] }, { roots: [HELD, ROOT] }],
  ['asking first', { roots: [ROOT] }, { roots: [ROOT, { path: '/a', approval: 'review' }] }],
  [
    'a closed folder that opens at confirm',
    { roots: [ROOT], read_only: true },
    {
      approval: 'confirm',
    },
  ],
  ['a limit', {}, { history_versions: 3, draft_ttl_seconds: 60 }],
  [
    'the level of a folder that the workspace has',
    { roots: [ROOT, HELD] },
    {
      approval: 'confirm',
    },
  ],
  [
    'a pattern in another entry for the folder',
    { roots: [{ path: '/', deny: ['a'] }, ROOT] },
    { roots: [ROOT, { path: '/', deny: ['a'] }] },
  ],
  [
    'an entry inside another one',
    { roots: [{ path: '/', deny: ['*.env'] }] },
    {
      roots: [{ path: '/', deny: ['*.env'] }, { path: '/b' }],
    },
  ],
  ['a folder that is closed', { roots: [ROOT, HELD] }, { roots: [HELD] }],
])('%s is not looser', (_, before, after) =>
  expect(isLoosened(read(before), read(after))).toBe(false),
)

it('a folder cannot be closed and opened again without its level', () => {
  const [first, second, third] = [
    { roots: [{ path: '/a' }, HELD] },
    { roots: [{ path: '/a' }] },
    {
      roots: [{ path: '/a' }, { path: '/contracts' }],
    },
  ].map(read)
  if (!first || !second || !third) throw new Error('unreachable')
  expect([isLoosened(first, second), isLoosened(second, third)]).toEqual([false, true])
})

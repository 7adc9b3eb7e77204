/** The rules of one folder: what they permit, and what one click makes of them. */

import { parsePath } from '#core/path.ts'
import { askIn, describeFolder, toggleChanges } from '#host/console/rules/folder-rules.ts'
import { expect, it } from 'vitest'

const ALL = { path: '/', default: true, approval: 'none', deny: [], allow: [], immutable: [] }

const ask = (config: Record<string, unknown>, folder: string) => askIn(config, parsePath(folder))

it('adds an entry after the others, and keeps every other rule', () => {
  const config = { roots: [ALL, { path: '/docs' }], read_only: false, find_limit: 7 }
  expect(ask(config, '/contracts')).toEqual({
    state: 'possible',
    config: { ...config, roots: [...config.roots, { path: '/contracts', approval: 'review' }] },
  })
})

it('raises the entry of the folder, with its lists', () => {
  const docs = { path: '/docs', approval: 'notify', deny: ['private/**'] }
  expect(ask({ roots: [ALL, docs] }, '/docs')).toEqual({
    state: 'possible',
    config: { roots: [ALL, { ...docs, approval: 'review' }] },
  })
})

it.each([
  [{ approval: 'review', roots: [ALL] }, '/docs'],
  [{ roots: [{ ...ALL, approval: 'confirm' }] }, '/docs'],
  [{ roots: [ALL, { path: '/docs', approval: 'review' }] }, '/docs/deep'],
])('changes nothing where changes wait already: %j', (config, folder) => {
  expect(ask(config, folder)).toEqual({ state: 'waits' })
})

it('gives no access to a folder that agents cannot use', () => {
  expect(ask({ roots: [{ path: '/docs' }] }, '/secret')).toEqual({ state: 'outside' })
  expect(ask({ roots: [{ path: '/docs' }], allow_escape: true }, '/open').state).toBe('possible')
})

it.each(['allow', 'deny', 'immutable'])('keeps the %s list of the entry around it', (list) => {
  const config = { roots: [{ ...ALL, [list]: ['private/**'] }] }
  const asked = { roots: [...config.roots, { path: '/docs', approval: 'review' }] }
  expect(ask(config, '/docs')).toEqual({ state: 'possible', config: asked })
})

it('ignores an entry whose path is not valid yet', () => {
  expect(ask({ roots: [{ path: '/bad/\u0007' }, ALL] }, '/docs').state).toBe('possible')
})

it.each([
  [{ roots: [ALL] }, '/docs', 'yes', 'yes'],
  [{ roots: [ALL], read_only: true }, '/docs', 'yes', 'no'],
  [{ roots: [{ ...ALL, deny: ['**/*.key'] }] }, '/docs', 'partly', 'partly'],
  [{ roots: [{ ...ALL, immutable: ['*/*.lock'] }] }, '/docs', 'yes', 'partly'],
  // Patterns count from the folder of the entry, so these match nothing in it.
  [{ roots: [{ ...ALL, deny: ['*.key'] }] }, '/docs', 'yes', 'yes'],
  [{ roots: [{ ...ALL, immutable: ['*.lock', 's*/**'] }] }, '/docs', 'yes', 'yes'],
  [{ roots: [{ ...ALL, deny: ['d*/x'] }] }, '/docs', 'partly', 'partly'],
  [{ roots: [{ ...ALL, deny: ['*/x'] }] }, '/docs/deep', 'yes', 'yes'],
  [{ roots: [{ ...ALL, deny: ['/secret/**', '**/x'] }] }, '/docs', 'partly', 'partly'],
  [{ roots: [{ ...ALL, deny: ['/secret/**'], immutable: ['law/**'] }] }, '/docs', 'yes', 'yes'],
  [{ roots: [{ ...ALL, deny: ['docs/old/**'] }] }, '/docs', 'partly', 'partly'],
  [{ roots: [{ ...ALL, immutable: ['docs/**'] }] }, '/docs/deep', 'yes', 'partly'],
  [{ roots: [{ ...ALL, deny: ['{docs,src}/**'] }] }, '/docs', 'partly', 'partly'],
  [{ roots: [{ ...ALL, allow: ['docs/**'] }] }, '/src', 'no', 'no'],
  [{ roots: [{ path: '/docs', deny: ['a/**'] }] }, '/docs/b', 'yes', 'yes'],
  [{ roots: [ALL, { path: '/docs', immutable: ['**'] }] }, '/docs/deep', 'yes', 'no'],
  [{ roots: [{ ...ALL, immutable: ['**'] }, { path: '/docs' }] }, '/docs', 'yes', 'no'],
  [{ roots: [{ ...ALL, deny: ['docs/x'] }, { path: '/docs' }] }, '/docs', 'partly', 'partly'],
  [{ roots: [{ ...ALL, allow: ['src/**'] }, { path: '/docs' }] }, '/docs', 'no', 'no'],
  [{ roots: [{ path: '/docs' }] }, '/secret', 'no', 'no'],
  [{ roots: [{ path: '/docs' }], allow_escape: true }, '/open', 'yes', 'yes'],
])('describes what agents may do: %j in %s', (config, folder, read, change) => {
  expect(describeFolder(config, parsePath(folder))).toEqual({ read, change })
})

it('forbids changes in a folder, and permits them again', () => {
  const docs = parsePath('/docs')
  const fixed = toggleChanges({ roots: [ALL], find_limit: 7 }, docs)
  expect(fixed).toEqual({ roots: [ALL, { path: '/docs', immutable: ['**'] }], find_limit: 7 })
  expect(toggleChanges(fixed ?? {}, docs)).toEqual({
    roots: [ALL, { path: '/docs', immutable: [] }],
    find_limit: 7,
  })
})

it.each([
  [{ roots: [ALL], read_only: true }, '/docs'],
  [{ roots: [{ ...ALL, immutable: ['**'] }, { path: '/docs' }] }, '/docs'],
  [{ roots: [{ path: '/docs' }] }, '/secret'],
])('offers no change of what one entry does not decide: %j', (config, folder) => {
  expect(toggleChanges(config, parsePath(folder))).toBeNull()
})

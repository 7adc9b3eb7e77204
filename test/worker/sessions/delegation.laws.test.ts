/**
 * Laws of delegation: no chain, up to five deep, permits more than the links above it. Whatever policies and
 * scopes the links have, each has at most the access of the one before it.
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { parsePath, type StorePath } from '#core/path.ts'
import { callerOf, type Caller } from '#worker/access/caller.ts'
import type { Session } from '#worker/access/session.ts'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { runs } from '../../support/core/runs.ts'

const NAMES = ['a', 'b', 'ab']
const FOLDERS = ['/', ...NAMES.map((name) => `/${name}`), '/a/b', '/a/ab', '/b/a']
const PATHS = [...FOLDERS, '/a/b/a', '/a/b/b', '/b/a/ab'].map((path) => parsePath(path))
const GLOBS = ['**', '*', 'a', 'a/**', '**/b', 'b/*', '*/a/**', '[!a]*', '{a,ab}/**']

const lists = fc.array(fc.constantFrom(...GLOBS), { maxLength: 2 })
const root = fc.record(
  {
    path: fc.constantFrom(...FOLDERS),
    deny: lists,
    allow: lists,
    immutable: lists,
    blocked: fc.boolean(),
  },
  { requiredKeys: ['path'] },
)
const scope = fc
  .tuple(
    fc.constantFrom('read', 'write'),
    fc.constantFrom('', ':file', ...FOLDERS.map((path) => `:file:${path}`)),
  )
  .map((parts) => parts.join(''))

/** A link as `delegate` makes it, or one that a model may not make. */
const link = fc.record({
  policy: fc.oneof(fc.constant(null), fc.record({ roots: fc.array(root, { maxLength: 3 }) })),
  scopes: fc.oneof(fc.constant(null), fc.array(scope, { minLength: 1, maxLength: 3 })),
})

const configuration = fc
  .array(
    fc.record(
      { path: fc.constantFrom(...FOLDERS), deny: lists, immutable: lists },
      { requiredKeys: ['path'] },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((roots): Config => {
    const read = readConfig({ roots }, DEFAULT_CONFIG)
    return read.ok ? read.value : DEFAULT_CONFIG
  })

function chainOf(links: readonly { policy: unknown; scopes: string[] | null }[]): Session[] {
  return links.map((made, depth) => ({
    id: String(depth),
    parent: depth === 0 ? null : String(depth - 1),
    principal: 'p',
    label: 'l',
    config: null,
    inherited: null,
    budget: 'p',
    initialize: null,
    transfer: null,
    created: 0,
    expires: null,
    ...made,
  }))
}

function may({ access }: Caller, action: 'read' | 'write', path: StorePath): boolean {
  return action === 'read' ? access.canRead(path) : access.canWrite(path)
}

it('each link permits at most what the chain above it permits', () => {
  let compared = 0
  const law = fc.property(
    configuration,
    fc.array(link, { minLength: 1, maxLength: 5 }),
    (config, links) => {
      const chain = chainOf(links)
      const callers = chain.map((_, depth) => callerOf(chain.slice(0, depth + 1), config))
      for (const [depth, child] of callers.entries()) {
        const parent = depth === 0 ? callerOf([], config) : callers[depth - 1]
        // An invalid link has no links below it.
        if (!parent?.ok || !child.ok) return
        for (const path of PATHS) {
          for (const action of ['read', 'write'] as const) {
            compared++
            if (may(child.value, action, path) && !may(parent.value, action, path))
              expect.fail(`${action} ${path} at depth ${depth + 1} of ${JSON.stringify(links)}`)
          }
        }
      }
    },
  )
  fc.assert(law, runs(300))
  expect(compared).toBeGreaterThan(1_000)
})

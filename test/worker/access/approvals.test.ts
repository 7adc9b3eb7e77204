/**
 * The approval level of a change: no client configuration, policy, delegation or grant lowers what the owner
 * or an outer session has set for a folder.
 */

import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { parseScope } from '#core/scope.ts'
import { ownerAccess, resolveAccess, type Access } from '#worker/access/access.ts'
import { NO_METADATA, type CallMetadata } from '#worker/access/metadata.ts'
import {
  callerOf,
  callerWithoutSession,
  withConfiguration,
  type Caller,
} from '#worker/access/caller.ts'
import type { Session } from '#worker/access/session.ts'
import { describe, expect, it } from 'vitest'
import { given } from '../../support/core/policy-laws.ts'

const OWNER = configOf({
  roots: [
    { path: '/' },
    { path: '/docs', approval: 'review' },
    { path: '/docs/law', approval: 'confirm' },
  ],
})

function configOf(value: unknown) {
  return given(readConfig(value, DEFAULT_CONFIG))
}

function chainOf(...links: readonly Partial<Session>[]): Session[] {
  return links.map((link, depth) => ({
    id: String(depth),
    parent: depth === 0 ? null : String(depth - 1),
    principal: 'p',
    label: 'l',
    config: null,
    policy: null,
    scopes: null,
    inherited: null,
    budget: 'p',
    initialize: null,
    transfer: null,
    created: 0,
    expires: null,
    ...link,
  }))
}

const free = (owner = OWNER) => callerWithoutSession('p', owner)
const configured = (config: unknown, caller = free()) => given(withConfiguration(caller, config))
const linked = (...links: readonly Partial<Session>[]) => given(callerOf(chainOf(...links), OWNER))
const accessOf = ({ working }: Caller, metadata: Partial<CallMetadata> = {}) =>
  given(resolveAccess(working, { ...NO_METADATA, ...metadata }))

const levels = (access: Access, ...paths: readonly string[]) =>
  paths.map((path) => access.approvalFor([parsePath(path)]))

/** A file of the workspace, of `/docs` and of `/docs/law`. */
const FILES = ['/notes/x', '/docs/sub/x', '/docs/law/x']

describe('the level of a change', () => {
  const access = accessOf(free())

  it('is the strictest one of its paths', () => {
    const level = (...paths: readonly string[]) =>
      access.approvalFor(paths.map((path) => parsePath(path)))
    expect(levels(access, ...FILES)).toEqual(['none', 'review', 'confirm'])
    expect(level('/notes/x', '/docs/sub/x')).toBe('review')
    expect(level('/docs/law/x', '/notes/x')).toBe('confirm')
    expect(level()).toBe('none')
  })

  it('is that of what is below a folder', () => {
    expect(levels(access, '/', '/docs', '/notes')).toEqual(['confirm', 'confirm', 'none'])
  })

  it('is none without paths, and none where there are no levels', () => {
    const strict = configOf({ approval: 'confirm' })
    expect(accessOf(free(strict)).approvalFor([])).toBe('none')
    expect(levels(accessOf(free(strict)), '/x')).toEqual(['confirm'])
    expect(levels(accessOf(free(DEFAULT_CONFIG)), '/', '/x')).toEqual(['none', 'none'])
  })

  it('is none for the owner in person', () => {
    const strict = configOf({ roots: [{ path: '/a', approval: 'confirm' }], approval: 'confirm' })
    expect(levels(ownerAccess(strict), '/', '/a/x', '/b')).toEqual(['none', 'none', 'none'])
  })
})

describe('a client configuration', () => {
  it.each([
    {},
    { approval: 'none' },
    { roots: [{ path: '/' }] },
    { roots: [{ path: '/docs' }] },
    { roots: [{ path: '/docs/law' }, { path: '/docs/sub' }, { path: '/notes' }] },
    { roots: [{ path: '/', approval: 'none' }] },
    {
      roots: [
        { path: '/docs', approval: 'none' },
        { path: '/docs/law', approval: 'none' },
      ],
    },
    { roots: [{ path: '/', approval: 'none' }], approval: 'none', read_max_bytes: 100 },
  ])('lowers no level: %j', (config) => {
    const once = configured(config)
    expect(levels(accessOf(once), ...FILES)).toEqual(['none', 'review', 'confirm'])
    const twice = configured({ roots: [{ path: '/docs/law/deep' }] }, configured({}, free()))
    expect(levels(accessOf(twice), '/docs/law/deep/x')).toEqual(['confirm'])
  })

  it('raises levels', () => {
    const roots = [{ path: '/notes', approval: 'review' }, { path: '/docs' }]
    const access = accessOf(configured({ roots }))
    expect(levels(access, ...FILES)).toEqual(['review', 'review', 'confirm'])
    const all = accessOf(configured({ approval: 'review' }))
    expect(levels(all, ...FILES)).toEqual(['review', 'review', 'confirm'])
  })

  it.each([
    ['/docs', 'notify', 'review'],
    ['/docs/sub', 'notify', 'review'],
    ['/docs/law', 'review', 'confirm'],
    ['/docs/law/deep', 'notify', 'confirm'],
  ])('is refused if it asks for less in %s: %s', (path, approval, held) => {
    const refused = withConfiguration(free(), { roots: [{ path, approval }] })
    const error = `root.approval of ${path} must not be less strict than ${held}`
    expect(refused).toEqual({ ok: false, error })
  })

  it('may name a level for a folder above a stricter one', () => {
    const access = accessOf(configured({ roots: [{ path: '/', approval: 'notify' }] }))
    expect(levels(access, ...FILES)).toEqual(['notify', 'review', 'confirm'])
  })

  it('keeps rules equal data when it raises the overall level', () => {
    const { area } = configured({ approval: 'review' }).working
    expect(area.layers.at(-1)?.approvals).toEqual([{ folder: '/docs/law', level: 'confirm' }])
  })
})

describe('the policy of a call', () => {
  const narrow = configured({ roots: [{ path: '/docs/law/deep' }, { path: '/notes' }] })

  it.each<[string, Caller]>([
    ['without a configuration', free()],
    ['with roots of the client', narrow],
  ])('lowers no level, %s', (_, caller) => {
    for (const policy of [
      {},
      { approval: 'none' },
      { roots: [{ path: '/docs/law/deep', approval: 'none' }] },
      { roots: [{ path: '/docs/law/deep/er', approval: 'notify' }, { path: '/notes' }] },
      { roots: [{ path: '/docs/law/deep', allow: ['**'] }] },
    ])
      expect(levels(accessOf(caller, { policy }), '/docs/law/deep/er/x')).toEqual(['confirm'])
  })

  it('adds a level in every layer', () => {
    const policy = { roots: [{ path: '/notes/sub', approval: 'review' }] }
    for (const caller of [free(), narrow]) {
      const access = accessOf(caller, { policy })
      expect(levels(access, '/notes/sub/x', '/notes/x')).toEqual(['review', 'none'])
    }
  })

  it('is not forgotten when the same policy is sent again', () => {
    const policy = { roots: [{ path: '/notes', approval: 'confirm' }] }
    const caller = free()
    for (let round = 0; round < 3; round++)
      expect(levels(accessOf(caller, { policy }), '/notes/x')).toEqual(['confirm'])
    expect(levels(accessOf(caller), '/notes/x')).toEqual(['none'])
  })
})

describe('granted scopes', () => {
  it('open a folder and leave its level', () => {
    const caller = configured({ roots: [{ path: '/notes' }] })
    const granted = [parseScope('write:file:/docs/law'), parseScope('write')]
    const access = accessOf(caller, { granted })
    expect(access.judge('write', parsePath('/docs/law/x'))).toBe('permitted')
    expect(levels(access, ...FILES)).toEqual(['none', 'review', 'confirm'])
  })

  it('leave the level that the client set for all its changes', () => {
    const caller = configured({ roots: [{ path: '/notes' }], approval: 'review' })
    const access = accessOf(caller, { granted: [parseScope('write')] })
    expect(levels(access, '/elsewhere/x')).toEqual(['review'])
  })
})

describe('a session', () => {
  it('adds the levels of its policy to those of the owner', () => {
    const policy = { roots: [{ path: '/' }, { path: '/notes', approval: 'confirm' }] }
    expect(levels(accessOf(linked({ policy })), '/notes/x')).toEqual(['confirm'])
  })

  it('holds the sessions below it, whatever their policies and configurations say', () => {
    const above = { policy: { roots: [{ path: '/notes', approval: 'review' }] } }
    const attempts: Partial<Session>[] = [
      {},
      { policy: { roots: [{ path: '/notes', approval: 'none' }], approval: 'none' } },
      { policy: { roots: [{ path: '/notes/sub', approval: 'notify' }] } },
      { config: { roots: [{ path: '/notes/sub' }] } },
      { inherited: { config: { roots: [{ path: '/notes/sub', approval: 'none' }] } } },
      { inherited: { policy: { roots: [{ path: '/notes/sub' }] } } },
    ]
    for (const attempt of attempts) {
      const child = linked(above, attempt)
      expect(levels(accessOf(child), '/notes/sub/x')).toEqual(['review'])
      const grandchild = linked(above, attempt, {})
      expect(levels(accessOf(grandchild), '/notes/sub/x')).toEqual(['review'])
      const narrower = configured({ roots: [{ path: '/notes/sub/deep' }] }, child)
      expect(levels(accessOf(narrower), '/notes/sub/deep/x')).toEqual(['review'])
    }
  })

  it('has what bound the call that created it', () => {
    const config = { roots: [{ path: '/notes', approval: 'confirm' }] }
    const policy = { roots: [{ path: '/notes/sub', approval: 'review' }] }
    const byConfig = linked({}, { inherited: { config } })
    expect(levels(accessOf(byConfig), '/notes/x')).toEqual(['confirm'])
    const byPolicy = linked({}, { inherited: { policy } })
    expect(levels(accessOf(byPolicy), '/notes/sub/x')).toEqual(['review'])
    const bySession = linked({ config }, {})
    expect(levels(accessOf(bySession), '/notes/x')).toEqual(['confirm'])
  })
})

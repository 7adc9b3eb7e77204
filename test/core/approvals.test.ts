/** Approval levels of paths: folders raise the level of the workspace, and nothing lowers it. */

import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import {
  approvalAt,
  approvalOf,
  formatRules,
  hasApproval,
  meet,
  readPolicy,
  restrict,
  rulesOf,
  type Rules,
} from '#core/policy.ts'
import { given } from '../support/core/policy-laws.ts'

const rulesFor = (config: unknown) => rulesOf(given(readConfig(config, DEFAULT_CONFIG)))
const levels = (rules: Rules, ...paths: readonly string[]) =>
  paths.map((path) => approvalOf(rules, parsePath(path)))
const under = (rules: Rules, policy: unknown) =>
  restrict(rules, given(readPolicy(policy, rules, 'human')))

describe('the approval level of a path', () => {
  it('is the strictest one of the workspace and of every folder that contains it', () => {
    const roots = [
      { path: '/' },
      { path: '/a', approval: 'confirm' },
      { path: '/a/b', approval: 'notify' },
      { path: '/c', approval: 'none' },
      { path: '/c/d', approval: 'review' },
    ]
    const rules = rulesFor({ roots, approval: 'notify' })
    expect(levels(rules, '/a', '/a/x', '/a/b', '/a/b/x')).toEqual(Array(4).fill('confirm'))
    expect(levels(rules, '/ab', '/c/x', '/x')).toEqual(['notify', 'notify', 'notify'])
    expect(levels(rules, '/c/d', '/c/d/x')).toEqual(['review', 'review'])
  })

  it('is that of what is below it, for a step on a folder', () => {
    const rules = rulesFor({ roots: [{ path: '/' }, { path: '/a/b', approval: 'review' }] })
    expect(levels(rules, '/', '/a', '/a/b')).toEqual(['review', 'review', 'review'])
    expect(levels(rules, '/a/c', '/b')).toEqual(['none', 'none'])
    expect(approvalAt(rules, parsePath('/a'))).toBe('none')
    expect(approvalAt(rules, parsePath('/a/b/c'))).toBe('review')
  })

  it('compares folders, not the beginnings of names', () => {
    const rules = rulesFor({ roots: [{ path: '/' }, { path: '/a', approval: 'review' }] })
    expect(levels(rules, '/ab', '/a b', '/A')).toEqual(['none', 'none', 'none'])
  })

  it('of two entries for one folder is the stricter one', () => {
    const entries = [
      { path: '/a', approval: 'review' },
      { path: '/a/../a/', approval: 'notify' },
    ]
    for (const roots of [entries, entries.toReversed()])
      expect(levels(rulesFor({ roots }), '/a/x')).toEqual(['review'])
  })

  it('holds outside of all roots as well', () => {
    const rules = rulesFor({ roots: [{ path: '/a' }], approval: 'confirm', allow_escape: true })
    expect(levels(rules, '/elsewhere')).toEqual(['confirm'])
  })
})

describe('approval levels as data', () => {
  it('hold each folder once, sorted, without what is covered', () => {
    const roots = [
      { path: '/b', approval: 'review' },
      { path: '/a', approval: 'review' },
      { path: '/a/b', approval: 'review' },
      { path: '/a/b/c', approval: 'confirm' },
      { path: '/a/b/c/d', approval: 'notify' },
      { path: '/n', approval: 'notify' },
    ]
    expect(formatRules(rulesFor({ roots, approval: 'notify' })).approvals).toEqual([
      { folder: '/a', level: 'review' },
      { folder: '/a/b/c', level: 'confirm' },
      { folder: '/b', level: 'review' },
    ])
  })

  it('are covered by an entry for the top folder', () => {
    const roots = [
      { path: '/', approval: 'confirm' },
      { path: '/a', approval: 'review' },
    ]
    expect(rulesFor({ roots }).approvals).toEqual([{ folder: '/', level: 'confirm' }])
  })

  it('are dropped where a policy raises the overall level', () => {
    const roots = [
      { path: '/', approval: 'notify' },
      { path: '/a', approval: 'confirm' },
    ]
    const rules = under(rulesFor({ roots }), { approval: 'review' })
    expect(rules.approvals).toEqual([{ folder: '/a', level: 'confirm' }])
  })

  it('tell whether any path has a level', () => {
    expect(hasApproval(rulesOf(DEFAULT_CONFIG))).toBe(false)
    expect(hasApproval(rulesFor({ approval: 'notify' }))).toBe(true)
    expect(hasApproval(rulesFor({ roots: [{ path: '/a', approval: 'notify' }] }))).toBe(true)
  })
})

describe('a policy', () => {
  const rules = rulesFor({ roots: [{ path: '/w' }, { path: '/w/kept', approval: 'confirm' }] })

  it('adds a level for a folder', () => {
    const held = under(rules, { roots: [{ path: 'sub', approval: 'review' }] })
    expect(levels(held, '/w/sub/x', '/w/other')).toEqual(['review', 'none'])
    expect(levels(held, '/w/kept')).toEqual(['confirm'])
  })

  it.each([
    { roots: [{ path: '/w/kept', approval: 'none' }] },
    { roots: [{ path: '/w/kept/deep', approval: 'notify' }] },
    { roots: [{ path: '/w', approval: 'none' }] },
    { approval: 'none' },
    { approval: 'review' },
    {},
  ])('never lowers one: %j', (policy) => {
    const held = under(rules, policy)
    expect(levels(held, '/w/kept', '/w/kept/deep/x')).toEqual(['confirm', 'confirm'])
  })

  it('may be written by a model', () => {
    const policy = { roots: [{ path: '/w', approval: 'confirm' }] }
    expect(readPolicy(policy, rules, 'llm').ok).toBe(true)
  })

  it('combines with another one by the stricter level of each path', () => {
    const read = (policy: unknown) => given(readPolicy(policy, rules, 'human'))
    const a = read({ roots: [{ path: '/w/a', approval: 'review' }] })
    const b = read({ roots: [{ path: '/w/a/b', approval: 'confirm' }, { path: '/w/a' }] })
    const c = read({ roots: [{ path: '/w', approval: 'review' }] })
    expect(meet(a, b).approvals).toEqual([
      { folder: '/w/a', level: 'review' },
      { folder: '/w/a/b', level: 'confirm' },
    ])
    expect(meet(meet(a, b), c)).toEqual(meet(a, meet(c, b)))
    expect(meet(meet(a, b), c).approvals).toEqual([
      { folder: '/w', level: 'review' },
      { folder: '/w/a/b', level: 'confirm' },
    ])
  })
})

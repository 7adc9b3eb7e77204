/**
 * The laws of policies, over small alphabets of paths and patterns, for any number of runs.
 *
 * `policy.test.ts` runs each a few hundred times, `test/conformance/policies.slow.test.ts` ten thousand times.
 * The oracle is a plain reading of L7 to L15, straight from the JSON that was sent.
 *
 * @module
 */

import fc from './random.ts'
import { expect } from 'vitest'
import { DEFAULT_CONFIG, defaultRoot, formatConfig, readConfig, type Config } from '#core/config.ts'
import { matches, parseGlob, type Glob } from '#core/glob.ts'
import { isWithin, parsePath, relativeTo, resolvePath, type StorePath } from '#core/path.ts'
import {
  approvalOf,
  formatRules,
  isImmutable,
  isOpen,
  isPlain,
  judge,
  meet,
  reaches,
  readPolicy,
  restrict,
  rulesOf,
  type Policy,
  type Requester,
  type Rules,
  type Verdict,
} from '#core/policy.ts'
import type { Result } from '#core/result.ts'
import { expectIs } from './expect-is.ts'

// What is sent

interface RawRoot {
  readonly path: string
  readonly default?: boolean
  readonly blocked?: boolean
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly immutable?: readonly string[]
  readonly approval?: string
}
export interface RawPolicy {
  readonly roots?: readonly RawRoot[]
  readonly find_limit?: number | null
  readonly read_max_bytes?: number | null
  readonly approval?: string
  readonly read_only?: boolean
}
export interface RawConfig extends RawPolicy {
  readonly roots: readonly RawRoot[]
  readonly allow_escape?: boolean
}

const names = ['a', 'b', 'ab']
const level1 = names.map((name) => `/${name}`)
const level2 = level1.flatMap((path) => names.map((name) => `${path}/${name}`))
const level3 = level2.flatMap((path) => names.map((name) => `${path}/${name}`))

/** Every path there is, here. */
export const PATHS: readonly StorePath[] = ['/', ...level1, ...level2, ...level3].map(parsePath)

const GLOBS = [
  '*',
  '**',
  'a',
  'a/**',
  '**/b',
  '**/a/**',
  '*/b',
  '*/**',
  'a*',
  'a/*/b',
  '[!a]',
  '{a,b}/**',
  '{a/**,b}',
  '**/{a,ab}',
  'a/**/b/**',
  'a/**/',
  'a**',
  'a/a**',
  '{a/,b}**',
  'x',
]

const count = fc.constantFrom(0, 1, 2, 3, null)
const approval = fc.constantFrom('none', 'notify', 'review', 'confirm')
const list = fc.array(fc.constantFrom(...GLOBS), { maxLength: 2 })
const lists = { allow: list, deny: list, immutable: list, approval }
// Read-only rules hide all others that concern changes.
const read_only = fc.constantFrom(false, false, false, true)
const folder = fc.constantFrom('/', '/a', '/a/b', '/a/b/a', '/b', '/ab', 'b', '../ab', '.')

const rawConfig: fc.Arbitrary<RawConfig> = fc.record(
  {
    roots: fc.array(
      fc.record({ path: folder, default: fc.boolean(), ...lists }, { requiredKeys: ['path'] }),
      { minLength: 1, maxLength: 4 },
    ),
    allow_escape: fc.boolean(),
    find_limit: count,
    read_max_bytes: count,
    approval,
    read_only,
  },
  { requiredKeys: ['roots'] },
)

const rawPolicy: fc.Arbitrary<RawPolicy> = fc.record(
  {
    roots: fc.array(
      fc.record({ path: folder, blocked: fc.boolean(), ...lists }, { requiredKeys: ['path'] }),
      { maxLength: 4 },
    ),
    find_limit: count,
    read_max_bytes: count,
    approval,
    read_only,
  },
  { requiredKeys: [] },
)

const rawPolicies = fc.array(rawPolicy, { maxLength: 5 })

// What becomes of it

export function given<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

function configOf(raw: RawConfig): Config {
  return given(readConfig(raw, DEFAULT_CONFIG))
}

/** The policies that the rules accept, with their JSON. */
function accepted(raws: readonly RawPolicy[], rules: Rules): { raw: RawPolicy; policy: Policy }[] {
  return raws.flatMap((raw) => {
    const policy = readPolicy(raw, rules, 'human')
    return policy.ok ? [{ raw, policy: policy.value }] : []
  })
}

/** Lays policies over rules one after another, each read against what the one before it left. */
function nested(rules: Rules, raws: readonly RawPolicy[]): Rules[] {
  const all = [rules]
  for (const raw of raws) {
    const held = all.at(-1) ?? rules
    const policy = readPolicy(raw, held, 'human')
    if (policy.ok) all.push(restrict(held, policy.value))
  }
  return all
}

const LEVELS = ['none', 'notify', 'review', 'confirm']
const rank = (level: string) => LEVELS.indexOf(level)

function allowsNoMore(now: Rules, before: Rules): void {
  for (const path of PATHS) {
    if (judge(now, path) === 'permitted') expectIs(judge(before, path), 'permitted', path)
    if (isImmutable(before, path)) expectIs(isImmutable(now, path), true, path)
    expectIs(rank(approvalOf(now, path)) >= rank(approvalOf(before, path)), true, path)
  }
  const none = (limit: number) => (limit === 0 ? Infinity : limit)
  expect(none(now.limits.find_limit)).toBeLessThanOrEqual(none(before.limits.find_limit))
  expect(none(now.limits.read_max_bytes)).toBeLessThanOrEqual(none(before.limits.read_max_bytes))
  expect(rank(now.approval)).toBeGreaterThanOrEqual(rank(before.approval))
  expect(now.roots).toBe(before.roots)
  expect(now.defaultRoot).toBe(before.defaultRoot)
}

// The laws

export function restrictIsAMeet(runs: number): void {
  const law = fc.property(rawConfig, rawPolicies, (config, raws) => {
    const rules = rulesOf(configOf(config))
    const [p, q, r] = accepted(raws, rules).map(({ policy }) => policy)
    if (!p) return
    const once = restrict(rules, p)
    expect(formatRules(restrict(once, p))).toEqual(formatRules(once))
    expect(meet(p, p)).toEqual(p)
    if (!q) return
    const both = formatRules(restrict(once, q))
    expect(formatRules(restrict(restrict(rules, q), p))).toEqual(both)
    expect(formatRules(restrict(rules, meet(p, q)))).toEqual(both)
    expect(formatRules(restrict(rules, meet(q, p)))).toEqual(both)
    if (!r) return
    const left = restrict(rules, meet(meet(p, q), r))
    const right = restrict(rules, meet(p, meet(q, r)))
    expect(formatRules(left)).toEqual(formatRules(right))
  })
  fc.assert(law, { numRuns: runs })
}

export function restrictNeverWidens(runs: number): void {
  const law = fc.property(rawConfig, rawPolicies, (config, raws) => {
    const base = rulesOf(configOf(config))
    const all = nested(base, raws)
    all.forEach((now, index) => {
      allowsNoMore(now, all[index - 1] ?? base)
      allowsNoMore(now, base)
    })
    for (const now of all.slice(1))
      expect([now.underPolicy, now.allow_escape]).toEqual([true, false])
  })
  fc.assert(law, { numRuns: runs })
}

export function judgeAgreesWithThePlainReading(runs: number): void {
  const law = fc.property(rawConfig, rawPolicies, (config, raws) => {
    const base = rulesOf(configOf(config))
    const policies = accepted(raws, base)
    const rules = policies.reduce((held, { policy }) => restrict(held, policy), base)
    const oracle = oracleOf(
      config,
      policies.map(({ raw }) => raw),
    )
    const order = [...PATHS, ...PATHS.toReversed()] // what is remembered makes no difference
    for (const path of order) {
      expectIs(judge(rules, path), oracle.judge(path), path)
      expectIs(isImmutable(rules, path), oracle.isImmutable(path), path)
      expectIs<string>(approvalOf(rules, path), oracle.approvalOf(path), path)
    }
  })
  fc.assert(law, { numRuns: runs })
}

export function subtreesAreJudgedSoundly(runs: number): void {
  const law = fc.property(rawConfig, rawPolicies, (config, raws) => {
    const rules = nested(rulesOf(configOf(config)), raws).at(-1)
    if (!rules) return
    for (const above of PATHS) {
      const below = PATHS.filter((path) => isWithin(path, above))
      const permitted = below.filter((path) => judge(rules, path) === 'permitted')
      if (permitted.length > 0) expectIs(reaches(rules, above), true, above)
      if (!isOpen(rules, above)) continue
      expect(permitted).toEqual(below)
      expect(below.filter((path) => isImmutable(rules, path))).toEqual([])
    }
    if (isPlain(rules)) expect(isOpen(rules, rules.defaultRoot)).toBe(true)
  })
  fc.assert(law, { numRuns: runs })
}

export function modelsGetNoMoreFields(runs: number): void {
  const law = fc.property(rawConfig, rawPolicy, (config, raw) => {
    const rules = rulesOf(configOf(config))
    const read = (requester: Requester) => readPolicy(raw, rules, requester)
    const model = read('llm')
    if (model.ok) expect(given(read('human'))).toEqual(model.value)
    const personal = raw.find_limit !== undefined || raw.read_max_bytes !== undefined
    if (personal) expect(model.ok).toBe(false)
  })
  fc.assert(law, { numRuns: runs })
}

export function untrustedPoliciesAreReadOrRefused(runs: number): void {
  const rules = rulesOf(DEFAULT_CONFIG)
  const law = fc.property(almost(), (value) => {
    const policy = readPolicy(value, rules, 'human')
    if (policy.ok) allowsNoMore(restrict(rules, policy.value), rules)
    else expect(policy.error.message).toMatch(/\w/)
    const config = readConfig(value, DEFAULT_CONFIG)
    if (!config.ok) {
      for (const { message } of config.error) expect(message).toMatch(/\w/)
      return
    }
    const again = readConfig(formatConfig(config.value), DEFAULT_CONFIG)
    expect(formatConfig(given(again))).toEqual(formatConfig(config.value))
    expect(config.value.roots.filter((root) => root.default)).toHaveLength(1)
    expect(isWithin(defaultRoot(config.value), parsePath('/'))).toBe(true)
  })
  fc.assert(law, { numRuns: runs })
}

/** JSON of any shape, and JSON that is nearly a policy or a configuration. */
function almost(): fc.Arbitrary<unknown> {
  const text = fc.oneof(folder, fc.constantFrom(...GLOBS, '[', '', '\ud800', '\u0000'), fc.string())
  const any = fc.oneof(fc.jsonValue(), fc.constantFrom(-0, 0.5, 1e300, -1, NaN, undefined))
  const or = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: any })
  const texts = or(fc.array(or(text), { maxLength: 3 }))
  const flag = or(fc.boolean())
  const flags = { blocked: flag, default: flag, ['__proto__']: flag, constructor: flag }
  const root = fc.record(
    {
      path: or(text),
      allow: texts,
      deny: texts,
      immutable: texts,
      approval: or(approval),
      ...flags,
    },
    { requiredKeys: [] },
  )
  const fields = {
    find_limit: or(fc.nat(300)),
    approval: or(approval),
    allow_escape: flag,
    read_only: flag,
  }
  const object = fc.record(
    { roots: or(fc.array(or(root), { maxLength: 3 })), ...fields, toString: any },
    { requiredKeys: [] },
  )
  return fc.oneof(object, fc.oneof(rawPolicy, rawConfig), any)
}

// The oracle

const parsed = new Map<string, Glob>()

function globOf(pattern: string): Glob {
  const glob = parsed.get(pattern) ?? given(parseGlob(pattern))
  parsed.set(pattern, glob)
  return glob
}

export function oracleOf(config: RawConfig, policies: readonly RawPolicy[]) {
  const top = parsePath('/')
  const at = (root: RawRoot, base: StorePath) => ({
    ...root,
    at: given(resolvePath(root.path, base)),
  })
  const roots = config.roots.map((root) => at(root, top))
  const first = roots.find((root) => root.default) ?? roots[0]
  const laid = policies.map(({ roots: entries = [] }) =>
    entries.map((entry) => at(entry, first?.at ?? top)),
  )

  const homeOf = (path: StorePath) =>
    roots
      .filter((root) => isWithin(path, root.at))
      .reduce((deepest, root) => (root.at.length > deepest.length ? root.at : deepest), '')
  const hits = (globs: readonly string[] = [], base: StorePath, path: StorePath) =>
    globs.some((glob) => matches(globOf(glob), relativeTo(path, base)))
  const misses = (globs: readonly string[] = [], base: StorePath, path: StorePath) =>
    globs.length > 0 && !hits(globs, base, path)

  function excludedByRoots(path: StorePath): boolean {
    const own = roots.filter((root) => root.at === homeOf(path))
    return own.some((root) => hits(root.deny, root.at, path) || misses(root.allow, root.at, path))
  }
  function excludedBy(entries: (typeof laid)[number], path: StorePath): boolean {
    const same = entries.filter((entry) => homeOf(entry.at) === homeOf(path))
    const inside = same.filter((entry) => entry.at !== homeOf(path) && !entry.blocked)
    if (inside.length > 0 && !inside.some((entry) => isWithin(path, entry.at))) return true
    const holds = (entry: { at: StorePath }) => isWithin(path, entry.at)
    if (entries.filter(holds).some((entry) => hits(entry.deny, entry.at, path))) return true
    const counted = same.filter((entry) => holds(entry) && entry.at !== path && !entry.blocked)
    return counted.some((entry) => misses(entry.allow, entry.at, path))
  }
  return {
    judge(path: StorePath): Verdict {
      const closed = laid.flat().filter((entry) => entry.blocked)
      if (closed.some((entry) => isWithin(path, entry.at))) return 'blocked'
      if (roots.some((root) => root.at === path)) return 'permitted'
      if (homeOf(path) === '')
        return config.allow_escape && policies.length === 0 ? 'permitted' : 'outside'
      const excluded = excludedByRoots(path) || laid.some((entries) => excludedBy(entries, path))
      return excluded ? 'blocked' : 'permitted'
    },
    approvalOf(path: StorePath): string {
      const whole = [config, ...policies].map((one) => one.approval)
      const concerned = [...roots, ...laid.flat()].filter(
        (entry) => isWithin(path, entry.at) || isWithin(entry.at, path),
      )
      const levels = [...whole, ...concerned.map((entry) => entry.approval)]
      return levels.reduce<string>((a, b = 'none') => (rank(b) > rank(a) ? b : a), 'none')
    },
    isImmutable(path: StorePath): boolean {
      if (config.read_only || policies.some((policy) => policy.read_only)) return true
      if (roots.some((root) => root.at === path)) return false
      const own = roots.filter((root) => root.at === homeOf(path))
      const reached = laid.flat().filter((entry) => isWithin(path, entry.at))
      return [...own, ...reached].some((entry) => hits(entry.immutable, entry.at, path))
    },
  }
}

/**
 * The laws of policies, over small alphabets of paths and patterns, for any number of runs.
 *
 * `policy.test.ts` runs each a few hundred times, `test/conformance/policies.slow.test.ts` ten times as often.
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
  clientRulesOf,
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

/** Whose configuration it is: the owner's rules hold by path, those of a client by their deepest entry. */
export type Whose = 'owner' | 'client'

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

const rawRoot: fc.Arbitrary<RawRoot> = fc.record(
  { path: folder, default: fc.boolean(), ...lists },
  { requiredKeys: ['path'] },
)

const whose = fc.constantFrom<Whose>('owner', 'client')

const rawConfig: fc.Arbitrary<RawConfig> = fc.record(
  {
    roots: fc.array(rawRoot, { minLength: 1, maxLength: 4 }),
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

const rulesFor = (raw: RawConfig, by: Whose): Rules =>
  by === 'owner' ? rulesOf(configOf(raw)) : clientRulesOf(configOf(raw))

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
  opensNoMore(now, before)
  const none = (limit: number) => (limit === 0 ? Infinity : limit)
  expect(none(now.limits.find_limit)).toBeLessThanOrEqual(none(before.limits.find_limit))
  expect(none(now.limits.read_max_bytes)).toBeLessThanOrEqual(none(before.limits.read_max_bytes))
  expect(rank(now.approval)).toBeGreaterThanOrEqual(rank(before.approval))
  expect(now.roots).toBe(before.roots)
  expect(now.defaultRoot).toBe(before.defaultRoot)
}

function opensNoMore(now: Rules, before: Rules): void {
  for (const path of PATHS) {
    if (judge(now, path) === 'permitted') expectIs(judge(before, path), 'permitted', path)
    if (isImmutable(before, path)) expectIs(isImmutable(now, path), true, path)
    expectIs(rank(approvalOf(now, path)) >= rank(approvalOf(before, path)), true, path)
  }
}

// The laws

export function restrictIsAMeet(runs: number): void {
  const law = fc.property(rawConfig, whose, rawPolicies, (config, by, raws) => {
    const rules = rulesFor(config, by)
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
  const law = fc.property(rawConfig, whose, rawPolicies, (config, by, raws) => {
    const base = rulesFor(config, by)
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

/** Entries, lists and levels inside the roots of rules, added to them at any place. */
export function addingToTheRulesNeverOpens(runs: number): void {
  const more = fc.array(fc.tuple(fc.nat(4), rawRoot), { minLength: 1, maxLength: 3 })
  const law = fc.property(rawConfig, more, rawPolicies, (config, added, raws) => {
    const before = rulesOf(configOf(config))
    const roots = [...config.roots]
    for (const [at, root] of added)
      if (isInOneOf(root, before)) roots.splice(at, 0, { ...root, default: false })
    const preset = { path: before.defaultRoot, default: true }
    const after = rulesOf(configOf({ ...config, roots: [preset, ...roots] }))
    opensNoMore(after, before)
    for (const { raw, policy } of accepted(raws, before))
      opensNoMore(restrict(after, given(readPolicy(raw, after, 'human'))), restrict(before, policy))
  })
  fc.assert(law, { numRuns: runs })
}

function isInOneOf({ path }: RawRoot, { roots }: Rules): boolean {
  return roots.some((root) => isWithin(given(resolvePath(path)), root))
}

export function judgeAgreesWithThePlainReading(runs: number): void {
  const law = fc.property(rawConfig, whose, rawPolicies, (config, by, raws) => {
    const base = rulesFor(config, by)
    const policies = accepted(raws, base)
    const rules = policies.reduce((held, { policy }) => restrict(held, policy), base)
    const oracle = oracleOf(
      config,
      policies.map(({ raw }) => raw),
      by,
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
  const law = fc.property(rawConfig, whose, rawPolicies, (config, by, raws) => {
    const rules = nested(rulesFor(config, by), raws).at(-1)
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

export function oracleOf(config: RawConfig, policies: readonly RawPolicy[], by: Whose = 'owner') {
  const top = parsePath('/')
  const at = (root: RawRoot, base: StorePath) => ({
    ...root,
    at: given(resolvePath(root.path, base)),
  })
  type Placed = ReturnType<typeof at>
  const roots = config.roots.map((root) => at(root, top))
  const first = roots.find((root) => root.default) ?? roots[0]
  const laid = policies.map(({ roots: entries = [] }) =>
    entries.map((entry) => at(entry, first?.at ?? top)),
  )

  const holds = (path: StorePath) => (entry: Placed) => isWithin(path, entry.at)
  const byLength = (path: StorePath) =>
    roots.filter(holds(path)).toSorted((a, b) => a.at.length - b.at.length)
  /** The outermost entry that holds a path: its root, in the sense of L7, L8 and L15. */
  const homeOf = (path: StorePath) => byLength(path)[0]?.at ?? ''
  const isRoot = (path: StorePath) => homeOf(path) === path

  /** The entries of the configuration whose lists apply to a path (L12). */
  function listing(path: StorePath): Placed[] {
    if (by === 'owner') return byLength(path)
    const deepest = byLength(path).at(-1)?.at
    return deepest === path ? [] : roots.filter((root) => root.at === deepest)
  }
  const hits = (globs: readonly string[] = [], base: StorePath, path: StorePath) =>
    globs.some((glob) => matches(globOf(glob), relativeTo(path, base)))
  const misses = ({ allow = [], at: base }: Placed, path: StorePath) =>
    base !== path && allow.length > 0 && !hits(allow, base, path)
  const refuses = (entry: Placed, path: StorePath) =>
    hits(entry.deny, entry.at, path) || misses(entry, path)

  function excludedBy(entries: readonly Placed[], path: StorePath): boolean {
    const inside = entries.filter(
      (entry) => homeOf(entry.at) === homeOf(path) && !isRoot(entry.at) && !entry.blocked,
    )
    if (inside.length > 0 && !inside.some(holds(path))) return true
    return entries.filter(holds(path)).some((entry) => refuses(entry, path))
  }
  return {
    judge(path: StorePath): Verdict {
      const closed = laid.flat().filter((entry) => entry.blocked)
      if (closed.some(holds(path))) return 'blocked'
      if (isRoot(path)) return 'permitted'
      const escapes = config.allow_escape && by === 'owner' && policies.length === 0
      if (homeOf(path) === '') return escapes ? 'permitted' : 'outside'
      const excluded =
        listing(path).some((entry) => refuses(entry, path)) ||
        laid.some((entries) => excludedBy(entries, path))
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
      if (isRoot(path)) return false
      const reached = [...listing(path), ...laid.flat().filter(holds(path))]
      return reached.some((entry) => hits(entry.immutable, entry.at, path))
    },
  }
}

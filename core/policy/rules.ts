/**
 * Rules: what holds for one call, and how a policy restricts it.
 *
 * Rules consist of restrictions only: folders, lists and limits. Restricting is a meet, which adds
 * restrictions and removes none, so a policy cannot widen access. Lists are sorted and without duplicates,
 * so rules that were combined in another order are equal data, see {@link formatRules};
 * `test/support/core/policy-laws.ts` checks the laws.
 *
 * @module
 */

import { defaultRoot, type Config, type Root } from '../config.ts'
import { LIMITS, type LimitName, type Limits } from '../config/fields.ts'
import type { Glob } from '../glob.ts'
import { isWithin, sortByTree, type StorePath } from '../path.ts'
import { stricter, tidyApprovals, type Approvals } from './approvals.ts'

/** Where a list applies: below `base`, and not below a root inside it if it `endsAtRoots`. */
export interface Extent {
  readonly base: StorePath
  readonly endsAtRoots: boolean
}

/** A pattern, relative to `base`. */
export interface Pattern extends Extent {
  readonly glob: Glob
}

/** A path must match one of these patterns. */
export interface AllowList extends Extent {
  readonly globs: readonly Glob[]
}

/** Paths below `root`, an outermost root, must lie in one of these folders, none of which contains another. */
export interface Narrowing {
  readonly root: StorePath
  readonly folders: readonly StorePath[]
}

/** The parts of rules that refuse a path or limit a call. */
export interface Restrictions extends Approvals {
  /** Folders that are refused with everything below them. */
  readonly blocked: readonly StorePath[]
  readonly narrowings: readonly Narrowing[]
  /** A path must match each list that applies to it. */
  readonly allow: readonly AllowList[]
  readonly deny: readonly Pattern[]
  readonly immutable: readonly Pattern[]
  /** Whether nothing may be changed. */
  readonly read_only: boolean
  /** Upper bounds; 0 means "no limit". */
  readonly limits: Limits
}

/** What a policy adds to rules. It can only restrict. */
export type Policy = Restrictions

/** What holds for one call. */
export interface Rules extends Restrictions {
  /** The folders that may be used. An outermost one can always be listed; for policies it is the only root. */
  readonly roots: readonly StorePath[]
  /** The base of relative paths. A policy does not change it. */
  readonly defaultRoot: StorePath
  /** Whether paths outside all roots may be used. */
  readonly allow_escape: boolean
  /** Whether a policy restricts these rules: grants are then void, and no scopes are requested. */
  readonly underPolicy: boolean
  /** The rules that a policy restricts. What they refuse takes no steps of its patterns, which would reveal it. */
  readonly within?: Rules
}

/** The lists and the level of one entry, of a configuration or of a policy. */
export type EntryLists = Pick<Root, 'path' | 'deny' | 'allow' | 'immutable' | 'approval'>

/** Returns the rules of the owner's configuration: the lists of every entry above a path apply to it. */
export function rulesOf(config: Config): Rules {
  const rules = known.get(config) ?? rulesWith(config, restrictionsOfEntries(config.roots))
  known.set(config, rules)
  return rules
}

/** The rules of configurations, which never change. */
const known = new WeakMap<Config, Rules>()

/** Returns the rules of flags that set folders, which hold beside those of the configuration; null without any. */
export function boundsOf({ flags, ...config }: Config): Rules | null {
  return flags?.roots ? rulesOf({ ...config, roots: flags.roots, allow_escape: false }) : null
}

/** Returns the approval levels that flags set by themselves. */
export const flagLevelsOf = ({ flags = {} }: Config): Restrictions =>
  restrictionsOf({
    ...restrictionsOfEntries(flags.roots ?? []),
    approval: flags.approval ?? 'none',
  })

/** Returns the rules of a client's configuration: the lists of the deepest entry above a path apply to it. */
export function clientRulesOf(config: Config): Rules {
  return { ...rulesWith(config, restrictionsOfEntries(config.roots, true)), allow_escape: false }
}

function rulesWith(config: Config, lists: Partial<Restrictions>): Rules {
  const { approval, read_only, allow_escape } = config
  const limits = pickLimits((limit) => config[limit])
  return {
    ...restrictionsOf({ ...lists, approval, read_only, limits }),
    roots: [...new Set(config.roots.map(({ path }) => path))].toSorted(),
    defaultRoot: baseOf(config),
    allow_escape,
    underPolicy: false,
  }
}

/** Relative paths count from the default root, unless flags close it and name a folder that is open. */
function baseOf(config: Config): StorePath {
  const { roots, flags: { roots: within } = {} } = config
  const base = defaultRoot(config)
  if (!within || isInOne(base, within)) return base
  const named = defaultRoot({ ...config, roots: within })
  return isInOne(named, roots) ? named : base
}

const isInOne = (path: StorePath, roots: Config['roots']) =>
  roots.some((root) => isWithin(path, root.path))

/** Returns what the lists and levels of entries refuse. */
export function restrictionsOfEntries(
  entries: readonly EntryLists[],
  endsAtRoots = false,
): Partial<Restrictions> {
  const patterns = (list: 'deny' | 'immutable') =>
    entries.flatMap(({ path, [list]: globs }) =>
      globs.map((glob) => ({ base: path, endsAtRoots, glob })),
    )
  return {
    allow: entries.map(({ path, allow }) => ({ base: path, endsAtRoots, globs: allow })),
    deny: patterns('deny'),
    immutable: patterns('immutable'),
    approvals: entries.map(({ path, approval }) => ({ folder: path, level: approval })),
  }
}

/** Restricts rules by a policy. */
export function restrict(rules: Rules, policy: Policy): Rules {
  return { ...rules, ...meet(rules, policy), allow_escape: false, underPolicy: true, within: rules }
}

/** Combines restrictions so that they refuse what either refuses: their greatest lower bound. */
export function meet(a: Restrictions, b: Restrictions): Restrictions {
  return restrictionsOf({
    blocked: [...a.blocked, ...b.blocked],
    narrowings: meetNarrowings(a.narrowings, b.narrowings),
    allow: [...a.allow, ...b.allow],
    deny: [...a.deny, ...b.deny],
    immutable: [...a.immutable, ...b.immutable],
    read_only: a.read_only || b.read_only,
    limits: pickLimits((limit) => lower(a.limits[limit], b.limits[limit])),
    approval: stricter(a.approval, b.approval),
    approvals: [...a.approvals, ...b.approvals],
  })
}

/** Builds restrictions in canonical form. An omitted part refuses nothing. */
export function restrictionsOf(parts: Partial<Restrictions>): Restrictions {
  const { narrowings = [], approval = 'none' } = parts
  return {
    blocked: topmost(parts.blocked ?? []),
    narrowings: distinct(
      narrowings.map(({ root, folders }) => ({ root, folders: topmost(folders) })),
      ({ root }) => [root],
    ),
    allow: distinct((parts.allow ?? []).flatMap(tidy), allowKey),
    deny: distinct(parts.deny ?? [], patternKey),
    immutable: distinct(parts.immutable ?? [], patternKey),
    read_only: parts.read_only ?? false,
    limits: parts.limits ?? pickLimits(() => 0),
    approval,
    approvals: tidyApprovals(parts.approvals ?? [], approval),
  }
}

/** Formats rules as JSON; rules are equal if their JSON is. */
export function formatRules({ within: _within, ...rules }: Rules) {
  const pattern = ({ glob, ...where }: Pattern) => ({ ...where, pattern: glob.pattern })
  return {
    ...rules,
    allow: rules.allow.map(({ globs, ...where }) => ({ ...where, patterns: texts(globs) })),
    deny: rules.deny.map(pattern),
    immutable: rules.immutable.map(pattern),
  }
}

/** Whether the limit `a` allows more than the limit `b`; 0 means "no limit". */
export function isHigher(a: number, b: number): boolean {
  return b !== 0 && (a === 0 || a > b)
}

/** Builds limits from a function that returns the value of each. */
export function pickLimits(value: (limit: LimitName) => number): Limits {
  // The names are those of all limits.
  return Object.fromEntries(LIMITS.map((limit) => [limit, value(limit)])) as Limits
}

function lower(a: number, b: number): number {
  return isHigher(a, b) ? b : a
}

function meetNarrowings(a: readonly Narrowing[], b: readonly Narrowing[]): Narrowing[] {
  const others = new Map(b.map(({ root, folders }) => [root, folders]))
  const both = a.map(({ root, folders }) => {
    const other = others.get(root)
    return { root, folders: other ? folders.flatMap((one) => inBoth(one, other)) : folders }
  })
  const first = new Set(a.map(({ root }) => root))
  return [...both, ...b.filter(({ root }) => !first.has(root))]
}

/** Returns the parts of the tree that `folder` shares with the other folders. */
function inBoth(folder: StorePath, others: readonly StorePath[]): StorePath[] {
  if (others.some((other) => isWithin(folder, other))) return [folder]
  return others.filter((other) => isWithin(other, folder))
}

/** Removes folders that lie in another one, and sorts the rest. A deep folder takes no longer than a long name. */
export function topmost(folders: readonly StorePath[]): StorePath[] {
  const kept: StorePath[] = []
  for (const folder of sortByTree(new Set(folders))) {
    const last = kept.at(-1)
    if (last === undefined || !isWithin(folder, last)) kept.push(folder)
  }
  return kept.toSorted()
}

/** Returns an allow list in canonical form, or nothing for an empty list. */
function tidy(list: AllowList): AllowList[] {
  const globs = distinct(list.globs, (glob) => [glob.pattern])
  return globs.length === 0 ? [] : [{ ...list, globs }]
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => readonly (string | boolean)[]): T[] {
  if (items.length < 2) return [...items]
  // The first of equal items is kept, because the automaton of its pattern may have a filled cache.
  const byKey = new Map(items.toReversed().map((item) => [JSON.stringify(keyOf(item)), item]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

function patternKey({ base, endsAtRoots, glob }: Pattern): (string | boolean)[] {
  return [base, endsAtRoots, glob.pattern]
}

function allowKey({ base, endsAtRoots, globs }: AllowList): (string | boolean)[] {
  return [base, endsAtRoots, ...texts(globs)]
}

function texts(globs: readonly Glob[]): string[] {
  return globs.map((glob) => glob.pattern)
}

/**
 * Rules: what holds for one call, and how a policy narrows it.
 *
 * Everything in them can only refuse: folders, lists and ceilings. So restricting is a meet, which
 * adds to what refuses and takes nothing away, and a policy has no way to say "more". Lists are
 * kept sorted and without repetition, so rules that were put together in another order are the
 * same data, see {@link formatRules}; `test/core/policy-laws.ts` holds the laws.
 *
 * @module
 */

import { defaultRoot, type Config } from '../config.ts'
import type { Glob } from '../glob.ts'
import { ancestorsOf, isWithin, ROOT, type StorePath } from '../path.ts'
import { APPROVALS, LIMITS, type Approval, type Limits } from './fields.ts'

/** A pattern for what lies below `base`; with a `root` only for what belongs to that root. */
export interface Pattern {
  readonly root: StorePath | null
  readonly base: StorePath
  readonly glob: Glob
}

/** What belongs to `root` and lies below `base` must match one of these. */
export interface AllowList {
  readonly root: StorePath
  readonly base: StorePath
  readonly globs: readonly Glob[]
}

/** What belongs to `root` must lie in one of these folders, none of which lies in another. */
export interface Narrowing {
  readonly root: StorePath
  readonly folders: readonly StorePath[]
}

/** What refuses. */
export interface Restrictions {
  /** Folders that are closed, with everything below them. */
  readonly blocked: readonly StorePath[]
  readonly narrowed: readonly Narrowing[]
  /** Every list must be matched. */
  readonly allow: readonly AllowList[]
  readonly deny: readonly Pattern[]
  readonly immutable: readonly Pattern[]
  /** Nothing may be changed. */
  readonly read_only: boolean
  /** Ceilings, where 0 is none. */
  readonly limits: Limits
  readonly approval: Approval
}

/** What a call asks for on top. It has no way to say "more". */
export type Policy = Restrictions

/** What holds for one call. A path belongs to the deepest root that holds it. */
export interface Rules extends Restrictions {
  readonly roots: readonly StorePath[]
  /** Relative paths count from here, whatever a policy says. */
  readonly defaultRoot: StorePath
  readonly allow_escape: boolean
  /** With a policy, grants are void and no scopes are asked for. */
  readonly underPolicy: boolean
}

/** What holds when a call brings no policy. */
export function rulesOf(config: Config): Rules {
  const lists = (list: 'deny' | 'immutable') =>
    config.roots.flatMap(({ path, [list]: globs }) =>
      globs.map((glob) => ({ root: path, base: path, glob })),
    )
  const restrictions = restrictionsOf({
    allow: config.roots.map(({ path, allow }) => ({ root: path, base: path, globs: allow })),
    deny: lists('deny'),
    immutable: lists('immutable'),
    read_only: config.read_only,
    limits: pickLimits((limit) => config[limit]),
    approval: config.approval,
  })
  return {
    ...restrictions,
    roots: [...new Set(config.roots.map(({ path }) => path))].toSorted(),
    defaultRoot: defaultRoot(config),
    allow_escape: config.allow_escape,
    underPolicy: false,
  }
}

/** What holds when both hold. */
export function restrict(rules: Rules, policy: Policy): Rules {
  return { ...rules, ...meet(rules, policy), allow_escape: false, underPolicy: true }
}

/** Refuses what either refuses: the greatest that is below both. */
export function meet(a: Restrictions, b: Restrictions): Restrictions {
  return restrictionsOf({
    blocked: [...a.blocked, ...b.blocked],
    narrowed: narrowedByBoth(a.narrowed, b.narrowed),
    allow: [...a.allow, ...b.allow],
    deny: [...a.deny, ...b.deny],
    immutable: [...a.immutable, ...b.immutable],
    read_only: a.read_only || b.read_only,
    limits: pickLimits((limit) => lower(a.limits[limit], b.limits[limit])),
    approval: stricter(a.approval, b.approval),
  })
}

/** Restrictions in their one form. What is left out refuses nothing. */
export function restrictionsOf(parts: Partial<Restrictions>): Restrictions {
  const narrowed = parts.narrowed ?? []
  return {
    blocked: topmost(parts.blocked ?? []),
    narrowed: distinct(
      narrowed.map(({ root, folders }) => ({ root, folders: topmost(folders) })),
      ({ root }) => [root],
    ),
    allow: distinct((parts.allow ?? []).flatMap(tidy), allowKey),
    deny: distinct(parts.deny ?? [], patternKey),
    immutable: distinct(parts.immutable ?? [], patternKey),
    read_only: parts.read_only ?? false,
    limits: parts.limits ?? pickLimits(() => 0),
    approval: parts.approval ?? 'none',
  }
}

/** Rules as JSON: equal data, equal rules. */
export function formatRules(rules: Rules) {
  const pattern = ({ glob, ...where }: Pattern) => ({ ...where, pattern: glob.pattern })
  return {
    ...rules,
    allow: rules.allow.map(({ globs, ...where }) => ({ ...where, patterns: texts(globs) })),
    deny: rules.deny.map(pattern),
    immutable: rules.immutable.map(pattern),
  }
}

/** Whether the first number allows more than the second. */
export function isHigher(a: number, b: number): boolean {
  return b !== 0 && (a === 0 || a > b)
}

/** Whether the first asks less of a person than the second. */
export function isLaxer(a: Approval, b: Approval): boolean {
  return APPROVALS.indexOf(a) < APPROVALS.indexOf(b)
}

export function pickLimits(value: (limit: keyof Limits) => number): Limits {
  const [find, search, top, read, line] = LIMITS
  return {
    [find]: value(find),
    [search]: value(search),
    [top]: value(top),
    [read]: value(read),
    [line]: value(line),
  }
}

function lower(a: number, b: number): number {
  return isHigher(a, b) ? b : a
}

function stricter(a: Approval, b: Approval): Approval {
  return isLaxer(a, b) ? b : a
}

function narrowedByBoth(a: readonly Narrowing[], b: readonly Narrowing[]): Narrowing[] {
  const others = new Map(b.map(({ root, folders }) => [root, folders]))
  const both = a.map(({ root, folders }) => {
    const other = others.get(root)
    return { root, folders: other ? folders.flatMap((one) => inBoth(one, other)) : folders }
  })
  const first = new Set(a.map(({ root }) => root))
  return [...both, ...b.filter(({ root }) => !first.has(root))]
}

/** What a folder and some other folders have in common. */
function inBoth(folder: StorePath, others: readonly StorePath[]): StorePath[] {
  if (others.some((other) => isWithin(folder, other))) return [folder]
  return others.filter((other) => isWithin(other, folder))
}

/** Folders without those that lie in another one. */
function topmost(folders: readonly StorePath[]): StorePath[] {
  const all = new Set(folders)
  const above = (folder: StorePath) => (folder === ROOT ? [] : [ROOT, ...ancestorsOf(folder)])
  return [...all].filter((folder) => !above(folder).some((other) => all.has(other))).toSorted()
}

/** An allow list in its one form; an empty one is none. */
function tidy({ root, base, globs }: AllowList): AllowList[] {
  const distinctGlobs = distinct(globs, (glob) => [glob.pattern])
  return globs.length === 0 ? [] : [{ root, base, globs: distinctGlobs }]
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => readonly (string | null)[]): T[] {
  if (items.length < 2) return [...items]
  // Of equals the first stays: its pattern may have been at work already.
  const byKey = new Map(items.toReversed().map((item) => [JSON.stringify(keyOf(item)), item]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

function patternKey({ root, base, glob }: Pattern): (string | null)[] {
  return [base, root, glob.pattern]
}

function allowKey({ root, base, globs }: AllowList): string[] {
  return [base, root, ...texts(globs)]
}

function texts(globs: readonly Glob[]): string[] {
  return globs.map((glob) => glob.pattern)
}

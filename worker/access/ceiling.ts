/**
 * The ceiling: what a caller may use at most, regardless of the request.
 *
 * It starts with the owner's rules. Every session of the chain adds restrictions: policies, scopes, denied
 * scopes and client configurations; nothing removes one. A path has to be permitted by every layer and
 * every list of scopes. `test/worker/access/access.laws.test.ts` checks this.
 *
 * @module
 */

import { DEFAULT_CONFIG, type Config } from '#core/config.ts'
import { own, recordOf } from '#core/json.ts'
import { isWithin, type StorePath } from '#core/path.ts'
import {
  boundsOf,
  hasApproval,
  LIMITS,
  readPolicy,
  restrict,
  rulesOf,
  type Approvals,
  type LimitName,
  type Requester,
  type Rules,
} from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { formatScope, readScope, type Scope } from '#core/scope.ts'
import { addPatterns, NO_PATTERNS, type PatternCount } from './judging.ts'
import { rememberParsed } from './parse-cache.ts'
import { foldersByAction, type Action, type ByAction } from './scopes.ts'

/** What a caller may use at most. It is immutable; each function here returns a new one. */
export interface Ceiling {
  /** The owner's configuration, which alone sets quotas, retention and previews. */
  readonly owner: Config
  /** The folders of flags, with their lists: nothing that is stored or allowed lifts them. Null without any. */
  readonly bounds: Rules | null
  /** Rules, each of which has to permit a path. The last one has the effective limits. */
  readonly layers: readonly [Rules, ...Rules[]]
  /** The configuration of the last layer; its default root is the base of relative paths. */
  readonly config: Config
  /** Limits that no one has set: their defaults are no ceiling for a client's configuration. */
  readonly open: readonly LimitName[]
  /** Lists of scopes, each of which has to cover a path. */
  readonly scopes: readonly (readonly Scope[])[]
  /** The folders that each list of scopes permits. */
  readonly folders: readonly ByAction<readonly StorePath[]>[]
  /** Folders that are denied. */
  readonly denied: ByAction<readonly StorePath[]>
  /** What the owner allowed in person, beyond the roots of the layers and the first lists of scopes. */
  readonly allowed: Allowed
  /** The approval levels that policies and configurations demand beside the owner's rules. */
  readonly levels: readonly Approvals[]
  /** The patterns of policies and configurations that restrict the owner's rules. */
  readonly patterns: PatternCount
}

/** Folders that the owner allowed beyond a ceiling. They lift roots and scopes, and no other restriction. */
export interface Allowed extends ByAction<readonly StorePath[]> {
  /** The number of the first lists of scopes that they lift: never that of a token. */
  readonly lists: number
}

/** What a ceiling allows that the owner has not widened. */
const NOTHING_ALLOWED: Allowed = { read: [], write: [], lists: 0 }

/** Returns the ceiling of the owner's rules alone. */
export function ownerCeiling(owner: Config): Ceiling {
  return {
    owner,
    bounds: boundsOf(owner),
    layers: [rulesOf(owner)],
    config: owner,
    open: LIMITS.filter(
      (one) => owner[one] === DEFAULT_CONFIG[one] && !owner.chosen?.includes(one),
    ),
    scopes: [],
    folders: [],
    denied: { read: [], write: [] },
    allowed: NOTHING_ALLOWED,
    levels: [],
    patterns: NO_PATTERNS,
  }
}

/** Returns the innermost rules, which set the limits and the base of relative paths. */
export function innermost({ layers }: Pick<Ceiling, 'layers'>): Rules {
  return layers.at(-1) ?? layers[0]
}

/** Restricts a ceiling by a policy. The error names the invalid field. */
export function withPolicy(
  ceiling: Ceiling,
  policy: unknown,
  requester: Requester,
): Result<Ceiling, string> {
  return requester === 'human'
    ? readOnce(ceiling, policy)
    : restrictPolicy(ceiling, policy, requester)
}

/**
 * A policy refers to the roots of the innermost rules. In the others it only switches `allow_escape` off (rule L18 of
 * the mcp4h proposals), because every layer has to permit a path.
 */
function restrictPolicy(
  ceiling: Ceiling,
  policy: unknown,
  requester: Requester,
): Result<Ceiling, string> {
  const patterns = addPatterns(ceiling.patterns, policy)
  if (!patterns.ok) return patterns
  const rules = innermost(ceiling)
  const read = readPolicy(policy, rules, requester)
  if (!read.ok) return err(read.error.message)
  const [first, ...rest] = ceiling.layers
  const layers: Ceiling['layers'] = [first.allow_escape ? withoutEscape(first) : first, ...rest]
  const open = withoutSet(ceiling.open, policy)
  const outer = { ...withLevels(ceiling, read.value), open, layers, patterns: patterns.value }
  return ok(withInnermost(outer, restrict(rules, read.value)))
}

/** Adds approval levels that are not of the owner's rules: trust of the owner does not lower them. */
export const withLevels = (ceiling: Ceiling, levels: Approvals): Ceiling =>
  hasApproval(levels) ? { ...ceiling, levels: [...ceiling.levels, levels] } : ceiling

/** Returns the limits that a policy or a configuration does not set. */
export const withoutSet = (limits: readonly LimitName[], given: unknown): readonly LimitName[] =>
  limits.filter((one) => own(recordOf(given), one) === undefined)

/** The rules of the owner are the only ones that can permit paths outside their roots. */
const withoutEscape = (rules: Rules): Rules => ({ ...rules, allow_escape: false })

const readOnce = rememberParsed((ceiling: Ceiling, policy: unknown) =>
  restrictPolicy(ceiling, policy, 'human'),
)

/** Restricts a ceiling to what a list of scopes covers. */
export function withScopes(ceiling: Ceiling, texts: readonly string[]): Result<Ceiling, string> {
  const scopes = parseScopes(texts)
  if (!scopes.ok) return scopes
  return ok({
    ...ceiling,
    scopes: [...ceiling.scopes, scopes.value],
    folders: [...ceiling.folders, foldersByAction(scopes.value)],
  })
}

/** Denies what a list of scopes covers. */
export function withDenied(ceiling: Ceiling, denied: readonly Scope[]): Ceiling {
  if (denied.length === 0) return ceiling
  const taken = foldersByAction(denied)
  const { read, write } = ceiling.denied
  return {
    ...ceiling,
    denied: { read: [...read, ...taken.read], write: [...write, ...taken.write] },
  }
}

/**
 * Widens a ceiling by what the owner allowed in person: a path outside the roots of a layer, or outside the first
 * `lists` lists of scopes. Deny, immutable and blocked paths, read-only and approval levels keep their effect.
 */
export function withAllowed(ceiling: Ceiling, scopes: readonly Scope[], lists: number): Ceiling {
  if (scopes.length === 0) return ceiling
  const { read, write } = foldersByAction(scopes)
  const { allowed } = ceiling
  const isFirst = allowed.read.length + allowed.write.length === 0
  return {
    ...ceiling,
    allowed: {
      read: [...allowed.read, ...read],
      write: [...allowed.write, ...write],
      lists: isFirst ? lists : Math.min(lists, allowed.lists),
    },
  }
}

/** Removes what the owner allowed: a policy in a request makes it void, like every grant. */
export function withoutAllowed(ceiling: Ceiling): Ceiling {
  return { ...ceiling, allowed: NOTHING_ALLOWED }
}

/** Whether all lists of scopes cover a path, or, with `asFolder`, a part of that folder. */
export function isInScope(
  { folders, allowed }: Pick<Ceiling, 'folders' | 'allowed'>,
  action: Action,
  path: StorePath,
  asFolder = false,
): boolean {
  const covers = (list: ByAction<readonly StorePath[]>) =>
    list[action].some((folder) => isWithin(path, folder) || (asFolder && isWithin(folder, path)))
  return folders.every((list, index) => covers(list) || (index < allowed.lists && covers(allowed)))
}

/**
 * Returns the last list of scopes, for a nested session. It may differ from that of the caller's session: a
 * token may have fewer scopes than its session.
 */
export function lastScopes({ scopes }: Ceiling): readonly string[] | null {
  return scopes.at(-1)?.map(formatScope) ?? null
}

/** Parses all scopes, or returns an error that names the first invalid one. */
export function parseScopes(texts: readonly string[]): Result<Scope[], string> {
  const scopes: Scope[] = []
  for (const text of texts) {
    const scope = readScope(text)
    if (!scope.ok)
      return err(`Cannot use ${JSON.stringify(text.slice(0, 200))} as a scope: ${scope.error}`)
    scopes.push(scope.value)
  }
  return ok(scopes)
}

/** The roots of the owner at one moment, and the base of relative paths. */
export interface KeptRoots {
  readonly roots: readonly StorePath[]
  readonly base: StorePath
}

/**
 * Returns the roots to store with a policy. An entry that the owner adds later could otherwise open a path to the
 * session, or change what a relative path of the policy means.
 */
export function rootsToKeep({ layers: [{ roots, defaultRoot }] }: Ceiling): KeptRoots {
  return { roots, base: defaultRoot }
}

/** Restricts a ceiling to roots that were kept. Policies refer to them, unless a configuration has set others. */
export function withKeptRoots(ceiling: Ceiling, { roots, base }: KeptRoots): Ceiling {
  const { limits, approval, read_only } = innermost(ceiling)
  const rootAt = (path: StorePath) => ({ ...NO_LISTS, path, default: path === base })
  const others = roots.filter((path) => path !== base).map(rootAt)
  const kept: Config['roots'] = [rootAt(base), ...others]
  const config = { ...ceiling.config, ...limits, approval, read_only, roots: kept }
  const rules = withoutEscape(rulesOf(config))
  const [first, ...rest] = ceiling.layers
  if (rest.length === 0) return withLayer(ceiling, config, rules)
  return { ...ceiling, layers: [first, rules, ...rest] }
}

const NO_LISTS = { approval: 'none', deny: [], allow: [], immutable: [] } as const

/** Adds rules, each path of which every other layer still has to permit. */
export function withLayer(ceiling: Ceiling, config: Config, rules: Rules): Ceiling {
  return { ...ceiling, config, layers: [...ceiling.layers, rules] }
}

/** Replaces the innermost rules. */
export function withInnermost(ceiling: Ceiling, rules: Rules): Ceiling {
  const [first, ...rest] = ceiling.layers
  const layers: Ceiling['layers'] =
    rest.length === 0 ? [rules] : [first, ...rest.slice(0, -1), rules]
  return { ...ceiling, layers }
}

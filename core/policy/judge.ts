/**
 * Judging: applies rules to a path.
 *
 * A path is judged by its folder and its name; `compiled.ts` has the restrictions of the children of a
 * folder. A verdict does not depend on the folders above the path, so in a folder that is
 * denied by name alone, files may be permitted; {@link reaches} and {@link isOpen} answer for whole
 * subtrees. `test/support/core/policy-laws.ts` compares all of them with a plain reading of the rules.
 *
 * @module
 */

import { isWithin, nameOf, parentOf, type StorePath } from '../path.ts'
import { matchesChild, isSettled } from './bundle.ts'
import { belowOf, compiledOf, type Below, type CompiledRules, type Lists } from './compiled.ts'
import type { Rules } from './rules.ts'

/** The result of {@link judge}. */
export type Verdict = 'permitted' | 'outside' | 'blocked'

/** Decides whether a path is permitted, outside all roots, or excluded inside a root. */
export function judge(rules: Rules, path: StorePath): Verdict {
  const [only] = rules.roots
  if (only !== undefined && isPlain(rules) && isWithin(path, only)) return 'permitted'
  if (rules.within && judge(rules.within, path) === 'blocked') return 'blocked'
  const compiled = compiledOf(rules)
  const below = belowOf(compiled, parentOf(path))
  if (below.blocked || compiled.blocked.has(path)) return 'blocked'
  if (compiled.outermost.has(path)) return 'permitted'
  if (!below.isInRoot) return rules.allow_escape ? 'permitted' : 'outside'
  if (!below.inside && !compiled.narrowFolders.has(path)) return 'blocked'
  if (isHit(compiled, below, path, 'deny')) return 'blocked'
  return isAllowed(compiled, below, path) ? 'permitted' : 'blocked'
}

/**
 * Whether a path may be read but not changed. A root itself is never immutable by pattern, because no call
 * can change it.
 */
export function isImmutable(rules: Rules, path: StorePath): boolean {
  if (rules.read_only) return true
  if (rules.immutable.length === 0) return false
  const compiled = compiledOf(rules)
  if (compiled.outermost.has(path)) return false
  return isHit(compiled, belowOf(compiled, parentOf(path)), path, 'immutable')
}

/**
 * Whether a folder, or anything that could be below it, is permitted. If not, a walk can skip it. The
 * result does not depend on what exists: a listing shows a path if {@link judge} permits it, and the
 * folders above a path only as part of that path.
 */
export function reaches(rules: Rules, folder: StorePath): boolean {
  return [folder, ...rootsBelow(rules, folder)].some((one) => reachesFrom(rules, one))
}

/** The same, without what could be permitted below a root inside the folder, where other lists apply. */
function reachesFrom(rules: Rules, folder: StorePath): boolean {
  if (judge(rules, folder) === 'permitted') return true
  const compiled = compiledOf(rules)
  const below = belowOf(compiled, folder)
  if (below.blocked) return false
  const lists = [below.wide, below.own]
  if (!below.isInRoot || lists.some(({ deny }) => isSettled(deny))) return false
  if (lists.some(({ allow }) => allow.some((list) => list.length === 0))) return false
  if (below.inside) return true
  return [...compiled.narrowFolders].some((one) => isWithin(one, folder) && reachesFrom(rules, one))
}

/**
 * Whether a folder and everything that could be below it is permitted and may be changed, so that its
 * contents need no checks of their own. The result may be false for a folder where that is true.
 */
export function isOpen(rules: Rules, folder: StorePath): boolean {
  if (judge(rules, folder) !== 'permitted' || isImmutable(rules, folder)) return false
  const compiled = compiledOf(rules)
  const { blocked, narrowRoots, wide, own } = compiled
  const begins = [...blocked, ...narrowRoots, ...wide.keys(), ...own.keys()]
  if (begins.some((one) => isBelow(one, folder))) return false
  const below = belowOf(compiled, folder)
  return below.inside && isEmpty(below.wide) && isEmpty(below.own)
}

/**
 * Whether a deny pattern or a blocked folder refuses a path. Unlike {@link judge}, it ignores allow lists
 * and narrowings.
 */
export function isDenied(rules: Rules, path: StorePath): boolean {
  const compiled = compiledOf(rules)
  if (compiled.blocked.has(path)) return true
  const below = belowOf(compiled, parentOf(path))
  if (below.blocked) return true
  return !compiled.outermost.has(path) && isHit(compiled, below, path, 'deny')
}

/** Lists the roots, or the folders of their narrowings, in which a path can be permitted. */
export function openFolders(rules: Rules): StorePath[] {
  const narrowings = new Map(rules.narrowings.map(({ root, folders }) => [root, folders]))
  const folders = rules.roots.flatMap((root) => narrowings.get(root) ?? [root])
  return folders.filter((folder) => reaches(rules, folder))
}

/** Whether the rules have one root and refuse nothing inside it. */
export function isPlain(rules: Rules): boolean {
  const { roots, blocked, narrowings, allow, deny, immutable, read_only } = rules
  const lists = allow.length + deny.length + immutable.length
  return !read_only && roots.length === 1 && blocked.length + narrowings.length + lists === 0
}

function rootsBelow(rules: Rules, folder: StorePath): StorePath[] {
  return rules.roots.filter((root) => isBelow(root, folder))
}

function isBelow(path: StorePath, folder: StorePath): boolean {
  return path !== folder && isWithin(path, folder)
}

/** Whether a pattern of a list matches a path, or a pattern relative to the path matches it with all that is in it. */
function isHit(
  compiled: CompiledRules,
  { wide, own }: Below,
  path: StorePath,
  list: 'deny' | 'immutable',
): boolean {
  const { bundles, roots } = compiled
  const name = nameOf(path)
  if (matchesChild(bundles, wide[list], name)) return true
  if (compiled.wide.get(path)?.[list].some((bundle) => bundle.accepts)) return true
  return !roots.has(path) && matchesChild(bundles, own[list], name)
}

function isAllowed({ bundles, roots }: CompiledRules, { wide, own }: Below, path: StorePath) {
  const lists = roots.has(path) ? wide.allow : [...wide.allow, ...own.allow]
  return lists.every((list) => matchesChild(bundles, list, nameOf(path)))
}

function isEmpty({ deny, immutable, allow }: Lists): boolean {
  return deny.length + immutable.length + allow.length === 0
}

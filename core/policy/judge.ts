/**
 * Judging: what rules say of a path.
 *
 * A path is judged by its folder and its name, where `plan.ts` has all that the rules say of what
 * lies in a folder. It counts as such and not with what lies above it, so in a folder that is
 * denied by name alone files may be permitted; {@link reaches} and {@link isOpen} speak of whole
 * subtrees. `test/core/policy-laws.ts` holds all of them to a plain reading of the rules.
 *
 * @module
 */

import { isWithin, nameOf, parentOf, type StorePath } from '../path.ts'
import { fits, isSettled } from './bundle.ts'
import { belowOf, planOf, type Below, type Plan, type Reach } from './plan.ts'
import type { Rules } from './rules.ts'

export type Verdict = 'permitted' | 'outside' | 'blocked'

/** What rules say of a path: it may be used, it is in no root, or it is in one and excluded. */
export function judge(rules: Rules, path: StorePath): Verdict {
  const [only] = rules.roots
  if (only !== undefined && isPlain(rules) && isWithin(path, only)) return 'permitted'
  const plan = planOf(rules)
  const below = belowOf(plan, parentOf(path))
  if (below.blocked || plan.blocked.has(path)) return 'blocked'
  if (plan.roots.has(path)) return 'permitted'
  if (below.root === null) return rules.allow_escape ? 'permitted' : 'outside'
  if (!below.inside && !plan.narrowed.get(below.root)?.has(path)) return 'blocked'
  return admits(plan, below, path) ? 'permitted' : 'blocked'
}

/**
 * Whether a path may be read and not changed. A root is only where everything is; it cannot be changed
 * anyway.
 */
export function isImmutable(rules: Rules, path: StorePath): boolean {
  if (rules.read_only) return true
  if (rules.immutable.length === 0) return false
  const plan = planOf(rules)
  if (plan.roots.has(path)) return false
  return plan.fixed.has(path) || hits(plan, belowOf(plan, parentOf(path)).immutable, path)
}

/**
 * Whether a folder, or anything that could be below it, is permitted. When not, a walk can pass it
 * by. It says nothing of what exists: a listing shows a path when {@link judge} permits the path,
 * and the folders on the way only through what it shows.
 */
export function reaches(rules: Rules, folder: StorePath): boolean {
  if (judge(rules, folder) === 'permitted') return true
  const plan = planOf(rules)
  const below = belowOf(plan, folder)
  if (below.blocked) return false
  if (rootsBelow(rules, folder).some((root) => judge(rules, root) === 'permitted')) return true
  if (below.root === null || isSettled(below.deny.own) || isSettled(below.deny.wide)) return false
  if (below.allow.some((list) => list.length === 0)) return false
  if (below.inside) return true
  const folders = [...(plan.narrowed.get(below.root) ?? [])]
  return folders.some((one) => isWithin(one, folder) && reaches(rules, one))
}

/**
 * Whether a folder and all that could be below it is permitted, and may be changed: then nothing in
 * it has to be looked at one by one. It may say no of a folder where that is so.
 */
export function isOpen(rules: Rules, folder: StorePath): boolean {
  if (judge(rules, folder) !== 'permitted' || isImmutable(rules, folder)) return false
  const plan = planOf(rules)
  const begins = [...plan.blocked, ...plan.narrowed.keys(), ...plan.lists.keys()]
  if (begins.some((one) => isBelow(one, folder))) return false
  const { inside, deny, allow, immutable } = belowOf(plan, folder)
  return inside && allow.length === 0 && isEmpty(deny) && isEmpty(immutable)
}

/**
 * Whether a pattern or a blocked folder refuses a path by name. Unlike {@link judge} it does not count what
 * merely lies beside the allowed or narrowed part of a root.
 */
export function isDenied(rules: Rules, path: StorePath): boolean {
  const plan = planOf(rules)
  if (plan.blocked.has(path)) return true
  const below = belowOf(plan, parentOf(path))
  if (below.blocked) return true
  if (plan.roots.has(path)) return false
  return plan.shut.has(path) || hits(plan, below.deny, path)
}

/** The folders that rules open at most: the roots, or what they have been narrowed to, unless blocked. */
export function openFolders(rules: Rules): StorePath[] {
  const narrowed = new Map(rules.narrowed.map(({ root, folders }) => [root, folders]))
  const folders = rules.roots.flatMap((root) => narrowed.get(root) ?? [root])
  return folders.filter((folder) => reaches(rules, folder))
}

/** Whether there is one root and nothing else that refuses a path. */
export function isPlain(rules: Rules): boolean {
  const { roots, blocked, narrowed, allow, deny, immutable, read_only } = rules
  const lists = allow.length + deny.length + immutable.length
  return !read_only && roots.length === 1 && blocked.length + narrowed.length + lists === 0
}

function rootsBelow(rules: Rules, folder: StorePath): StorePath[] {
  return rules.roots.filter((root) => isBelow(root, folder))
}

function isBelow(path: StorePath, folder: StorePath): boolean {
  return path !== folder && isWithin(path, folder)
}

function admits(plan: Plan, { deny, allow }: Below, path: StorePath): boolean {
  if (plan.shut.has(path) || hits(plan, deny, path)) return false
  return allow.every((list) => fits(plan.bundles, list, nameOf(path)))
}

function hits({ bundles }: Plan, reach: Reach, path: StorePath): boolean {
  if (isEmpty(reach)) return false
  const name = nameOf(path)
  return fits(bundles, reach.own, name) || fits(bundles, reach.wide, name)
}

function isEmpty({ own, wide }: Reach): boolean {
  return own.length + wide.length === 0
}

/**
 * Authorization: whether a call may touch the paths it names, and whether the steps of a plan may be taken.
 *
 * Paths that a call names are judged before it is planned, so that a refusal is the same whether or not
 * something exists there. The steps of a plan are judged again with everything that goes along with a folder.
 *
 * @module
 */

import {
  ancestorsOf,
  MAX_PATH_BYTES,
  parentOf,
  rebase,
  resolvePath,
  type StorePath,
} from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { formatScope, parseScope } from '#core/scope.ts'
import type { Problem } from '../problem.ts'
import type { Step, Store } from '../store/store.ts'
import type { Access, Verdict } from './access.ts'
import type { Action } from './scopes.ts'

/** A path that a call names, as it was written. */
export interface Touch {
  readonly action: Action
  readonly text: string
  /** A folder that is listed or searched, and not something in one. */
  readonly isFolder?: true
  /**
   * The result reveals existing content, so reading is required as well: always, or where the content is
   * moved to a place that the caller can read.
   */
  readonly reveals?: 'always' | 'where moved'
}

/** One access to one path that a call needs. */
interface Need {
  readonly action: Action
  readonly path: StorePath
  readonly touch: Touch
}

/** The paths that a call names, when all of them may be touched. All missing scopes are named at once. */
export function authorize(touches: readonly Touch[], access: Access): Result<StorePath[], Problem> {
  const places: StorePath[] = []
  for (const { text } of touches) {
    const path = resolvePath(text, access.base)
    if (!path.ok) return err({ reason: 'bad_path', text, detail: path.error })
    places.push(path.value)
  }
  if (access.unrestricted) return ok(places)
  const refused = refusalOf(needsOf(touches, places, access), access)
  return refused ? err(refused) : ok(places)
}

function needsOf(touches: readonly Touch[], places: readonly StorePath[], access: Access): Need[] {
  const target = places[1]
  const intoSight = target !== undefined && access.canRead(target)
  return touches.flatMap((touch, index) => {
    const path = places[index] ?? access.base
    const need: Need = { action: touch.action, path, touch }
    const isRead =
      touch.reveals === 'always' ||
      // A session or token without the scope to read may not take content elsewhere at all.
      (touch.reveals === 'where moved' && (intoSight || access.judge('read', path) === 'unscoped'))
    return isRead ? [{ ...need, action: 'read' as const }, need] : [need]
  })
}

/** Scopes come first, so that a caller learns nothing of rules outside its own. */
function refusalOf(needs: readonly Need[], access: Access): Problem | null {
  const judged = needs.map((need) => {
    const { action, path, touch } = need
    return { need, verdict: access.judge(action, path, touch.isFolder) }
  })
  const having = (verdict: Verdict) =>
    judged.filter((one) => one.verdict === verdict).map(({ need }) => need)
  const unscoped = having('unscoped')
  if (unscoped[0]) {
    return { reason: 'insufficient_scope', path: unscoped[0].path, scopes: scopesFor(unscoped) }
  }
  const [blocked] = having('blocked')
  if (blocked) return { reason: 'blocked', path: blocked.path }
  const missing = [...having('beyond'), ...having('outside')]
  if (missing[0]) return outside(missing[0].path, missing, having('beyond').length > 0, access)
  const writes = needs.filter(({ action }) => action === 'write')
  if (writes.length > 0 && access.readOnly) return { reason: 'read_only' }
  const fixed = writes.find(({ path }) => access.isImmutable(path))
  return fixed ? { reason: 'immutable', path: fixed.path } : null
}

function outside(
  path: StorePath,
  missing: readonly Need[],
  isBeyond: boolean,
  access: Access,
): Problem {
  const scopes = scopesFor(missing)
  const requested = isBeyond || !access.canAsk ? null : scopes
  return { reason: 'outside_root', path, roots: access.folders(), requested, lacking: scopes }
}

function scopesFor(needs: readonly Need[]): string[] {
  return [...new Set(needs.map(scopeFor))]
}

/** A path is asked for by its folder, a folder by itself. */
function scopeFor({ action, path, touch: { isFolder, text } }: Need): string {
  const folder = isFolder || text.endsWith('/') ? path : parentOf(path)
  return formatScope(parseScope(`${action}:file:${folder}`))
}

type Tree = Pick<Store, 'stat' | 'walk' | 'measure'>

/** The refusal of steps that change what the caller may not change, or null. */
export function refusalOfSteps(steps: readonly Step[], access: Access, tree: Tree): Problem | null {
  if (steps.length > 0 && access.readOnly) return { reason: 'read_only' }
  for (const step of steps) {
    const refused = access.unrestricted ? null : refusalOfStep(step, access, tree)
    const problem = refused ?? misfit(step, tree)
    if (problem) return problem
  }
  return null
}

function refusalOfStep(step: Step, access: Access, tree: Tree): Problem | null {
  const named = pathsOf(step)
  const blocked = named.find((path) => access.judge('write', path) !== 'permitted')
  if (blocked !== undefined) return { reason: 'blocked', path: blocked }
  return (
    refusalOfAncestors(step, access, tree) ??
    refusalBelow(step, access, tree) ??
    immutablePath(named, access)
  )
}

/**
 * A write makes the folders above it. One that a rule denies is refused whether it exists or not; or the answer
 * would tell which. One that is immutable cannot be made either.
 */
function refusalOfAncestors(step: Step, access: Access, tree: Tree): Problem | null {
  if (step.type === 'remove') return null
  const path = step.type === 'move' ? step.to : step.path
  const above = ancestorsOf(path)
  if (above.some((folder) => access.isDenied(folder))) return { reason: 'blocked', path }
  const isFixed = (folder: StorePath) =>
    access.isImmutable(folder) && tree.stat(folder)?.type !== 'folder'
  return above.some(isFixed) ? { reason: 'immutable', path } : null
}

/** Everything that goes along with a folder, and where it would go, is judged by itself. */
function refusalBelow(step: Step, access: Access, tree: Tree): Problem | null {
  if (step.type !== 'remove' && step.type !== 'move') return null
  const from = step.type === 'move' ? step.from : step.path
  const below = refusalInTree(from, step.type === 'move' ? step.to : null, access, tree)
  // A root that is hidden is not named either.
  if (below?.reason !== 'blocked' && access.holdsRoot(from))
    return { reason: 'root_denied', action: step.type === 'move' ? 'move' : 'delete' }
  return below
}

function refusalInTree(
  from: StorePath,
  to: StorePath | null,
  access: Access,
  tree: Tree,
): Problem | null {
  if (access.isOpenBelow(from) && (to === null || access.isOpenBelow(to))) return null
  let fixed: StorePath | null = null
  for (const { path } of tree.walk(from)) {
    const target = to === null ? null : rebase(path, from, to)
    // What is hidden is not named.
    if (!mayGo(path, target, access)) return { reason: 'blocked', path: from }
    if (access.isImmutable(path) || (target !== null && access.isImmutable(target))) fixed ??= path
  }
  if (fixed === null) return null
  return { reason: 'immutable', path: access.canRead(fixed) ? fixed : from }
}

function mayGo(path: StorePath, target: StorePath | null, access: Access): boolean {
  if (access.judge('write', path) !== 'permitted') return false
  if (target === null) return true
  if (access.judge('write', target) !== 'permitted') return false
  return access.canRead(path) || !access.canRead(target)
}

function immutablePath(paths: readonly StorePath[], access: Access): Problem | null {
  const path = paths.find((one) => access.isImmutable(one))
  return path === undefined ? null : { reason: 'immutable', path }
}

/** A folder cannot go where a path below it would become too long. */
function misfit(step: Step, tree: Tree): Problem | null {
  if (step.type !== 'move' || !tree.stat(step.from)) return null
  const bytesOf = (path: string) => new TextEncoder().encode(path).length
  const growth = bytesOf(step.to) - bytesOf(step.from)
  if (growth <= 0 || tree.measure(step.from).longestPath + growth <= MAX_PATH_BYTES) return null
  const detail = `a path below it would be longer than ${MAX_PATH_BYTES} bytes`
  return { reason: 'bad_path', text: step.to, detail }
}

/** The paths that a step names. */
export function pathsOf(step: Step): StorePath[] {
  return step.type === 'move' ? [step.from, step.to] : [step.path]
}

/**
 * Authorization: checks the paths that a call names, and the steps of a plan.
 *
 * The paths that a call names are checked before it is planned, so that a refusal does not depend on what
 * exists there. The steps of a plan are checked again, with everything below a folder that they affect.
 *
 * @module
 */

import { ancestorsOf, MAX_PATH_BYTES, parentOf, rebase, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { formatScope, parseScope } from '#core/scope.ts'
import type { Problem } from '../errors/problem.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { Step, Store } from '../store/store.ts'
import type { Access, Verdict } from './access.ts'
import type { Action } from './scopes.ts'
import { resolveLiterally, type Resolve } from './spelling.ts'

/** A path that a call names, as written in its arguments. */
export interface Touch {
  readonly action: Action
  readonly text: string
  /** Set for a folder that is itself listed or searched. */
  readonly isFolder?: true
  /**
   * The result reveals existing content, so read access is required as well: always, or if the content is
   * moved to a path that the caller can read.
   */
  readonly reveals?: 'always' | 'where moved'
  /** What is put into the folder `text`, under its own name, if `text` ends in a slash. */
  readonly named?: string
  /** Set for one path of several, whose spelling does not fail the call. */
  readonly each?: true
}

/** One action on one path that a call requires. */
interface Need {
  readonly action: Action
  readonly path: StorePath
  readonly touch: Touch
}

/** Resolves the paths that a call names, or returns a problem with all missing scopes. */
export function authorize(
  touches: readonly Touch[],
  access: Access,
  resolve: Resolve = resolveLiterally(access),
): Result<StorePath[], Problem> {
  const places: StorePath[] = []
  for (const touch of touches) {
    const path = resolve(touch)
    if (!path.ok) return path
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
      // A session or token without the scope to read may not move content at all.
      (touch.reveals === 'where moved' && (intoSight || access.judge('read', path) === 'unscoped'))
    return isRead ? [{ ...need, action: 'read' as const }, need] : [need]
  })
}

/** Checks scopes first, so that a caller learns nothing about rules for paths outside its scopes. */
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

/** Returns the scope to request: the folder of a path, or the folder itself. */
function scopeFor({ action, path, touch: { isFolder, text, named } }: Need): string {
  const isWhole = isFolder || (named === undefined && text.endsWith('/'))
  const folder = isWhole ? path : parentOf(path)
  return formatScope(parseScope(`${action}:file:${folder}`))
}

type Tree = Pick<Store, 'stat' | 'walk' | 'measure'>

/** Returns the first reason why the steps may not be applied, or null. */
export function refusalOfSteps(steps: readonly Step[], access: Access, tree: Tree): Problem | null {
  if (steps.length > 0 && access.readOnly) return { reason: 'read_only' }
  for (const step of steps) {
    const refused = access.unrestricted ? null : refusalOfStep(step, access, tree)
    const problem = refused ?? refuseLongPath(step, tree)
    if (problem) return problem
  }
  return null
}

function refusalOfStep(step: Step, access: Access, tree: Tree): Problem | null {
  // The folder came with a path that the caller could write, and is removed only if nothing else is in it.
  if (step.type === 'prune')
    return access.isFixed(step.path) ? { reason: 'immutable', path: step.path } : null
  const named = stepPaths(step)
  const blocked = named.find((path) => access.judge('write', path) !== 'permitted')
  if (blocked !== undefined) return { reason: 'blocked', path: blocked }
  return (
    refusalOfAncestors(step, access, tree) ??
    refusalBelow(step, access, tree) ??
    immutablePath(named, access)
  )
}

/**
 * A write creates missing folders above it. A denied folder is refused whether it exists or not; otherwise
 * the result would reveal which. An immutable folder cannot be created.
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

/** Checks everything below a folder that is moved or deleted, and each new path of a move. */
function refusalBelow(step: Step, access: Access, tree: Tree): Problem | null {
  if (step.type !== 'remove' && step.type !== 'move') return null
  const from = step.type === 'move' ? step.from : step.path
  const below = refusalInTree(from, step.type === 'move' ? step.to : null, access, tree)
  // A hidden root must not be revealed either.
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
    // The message must not name a hidden path.
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

/** Refuses a move that would make a path below the folder too long. */
function refuseLongPath(step: Step, tree: Tree): Problem | null {
  if (step.type !== 'move' || !tree.stat(step.from)) return null
  const bytesOf = (path: string) => new TextEncoder().encode(path).length
  const growth = bytesOf(step.to) - bytesOf(step.from)
  if (growth <= 0 || tree.measure(step.from).longestPath + growth <= MAX_PATH_BYTES) return null
  const detail = `a path below it would be longer than ${MAX_PATH_BYTES} bytes`
  return { reason: 'bad_path', text: step.to, detail }
}

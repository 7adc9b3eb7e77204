/**
 * The area of a call: which paths it may read and write, from configuration, policy and grants.
 *
 * A grant opens folders outside the configured roots for one call and never lifts what a root
 * denies: it stands beside the roots as one more, and the deepest root decides. A policy only
 * narrows, and makes grants void. A call that brings neither costs nothing here.
 *
 * @module
 */

import type { Config, Root } from '#core/config.ts'
import { isWithin, parentOf, rebase, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { isImmutable, isOpen, isPlain, judge, rulesOf, type Rules } from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { covers, formatScope, parseScope, type Scope } from '#core/scope.ts'
import { narrowed } from './narrowed.ts'
import type { Problem } from './problem.ts'
import type { Shows } from './store/view.ts'
import type { Step, Store } from './store/store.ts'
import type { Terms } from './terms.ts'
import type { Touch } from './tools/tool.ts'

export interface Area {
  /** The configuration, with the limits that hold for this call. */
  readonly config: Config
  /** Entries that no argument of the call may go beyond; 0 for no such ceiling. */
  readonly mostFound: number
  readonly rules: Readonly<Record<Touch['action'], Rules>>
  readonly denied: readonly Scope[]
  /** What the caller may ever touch, as folders: one of each list has to hold it. */
  readonly reach: Readonly<Record<Touch['action'], readonly (readonly StorePath[])[]>>
  /** What is there for whoever reads; null when everything is. */
  readonly shows: Shows | null
}

/** What holds for a caller before any terms: compiled once. */
export function baseArea(
  config: Config,
  rules: Rules = rulesOf(config),
  ceilings: readonly (readonly Scope[])[] = [],
): Area {
  const reachOf = (action: Touch['action']) =>
    ceilings.map((scopes) => scopes.flatMap((scope) => folderOf(scope, action) ?? []))
  const reach = { read: reachOf('read'), write: reachOf('write') }
  const mostFound = rules.underPolicy ? rules.limits.find_limit : 0
  return withShows({ config, mostFound, rules: { read: rules, write: rules }, denied: [], reach })
}

/** Whether the caller may ever touch a place; a folder to read, when part of it may be. */
export function isWithinReach(
  { reach }: Pick<Area, 'reach'>,
  touch: Touch,
  path: StorePath,
): boolean {
  return reach[touch.action].every((folders) =>
    folders.some(
      (folder) => isWithin(path, folder) || (touch.isFolder === true && isWithin(folder, path)),
    ),
  )
}

/** What holds for one call. The error is the message of a refused policy. */
export function areaOf(
  base: Area,
  { policy: given, granted, denied }: Terms,
): Result<Area, string> {
  const { config, rules } = base
  if (given !== undefined) {
    const left = narrowed(rules.read, given)
    if (!left.ok) return left
    const mostFound = left.value.limits.find_limit
    const both = { read: left.value, write: left.value }
    return ok(withShows({ ...base, denied, mostFound, rules: both }))
  }
  if (rules.read.underPolicy || granted.length + denied.length === 0) return ok(base)
  const opened = (action: Touch['action']) => withGrants(config, action, granted) ?? rules[action]
  return ok(withShows({ ...base, denied, rules: { read: opened('read'), write: opened('write') } }))
}

function withShows(area: Omit<Area, 'shows'>): Area {
  const { read } = area.rules
  const everything = isPlain(read) && area.reach.read.every((folders) => folders.includes(ROOT))
  // The folders on the way to what may be read are there too.
  const touch = { action: 'read', text: '', isFolder: true } as const
  const shows: Shows = (path) =>
    judge(read, path) === 'permitted' && isWithinReach(area, touch, path)
  return { ...area, config: { ...area.config, ...read.limits }, shows: everything ? null : shows }
}

function withGrants(
  config: Config,
  action: Touch['action'],
  granted: readonly Scope[],
): Rules | null {
  const inside = (path: StorePath) => config.roots.some((root) => isWithin(path, root.path))
  const folders = granted
    .map((scope) => folderOf(scope, action))
    .filter((folder) => folder !== null && !inside(folder))
  if (folders.length === 0) return null
  const [first, ...rest] = config.roots
  const opened = folders.map((path): Root => ({
    path: path ?? ROOT,
    default: false,
    deny: [],
    allow: [],
    immutable: [],
  }))
  return rulesOf({ ...config, roots: [first, ...rest, ...opened] })
}

/** The folder that a grant opens for an action, or null. */
function folderOf(scope: Scope, action: Touch['action']): StorePath | null {
  if (covers(scope, parseScope(`${action}:file`))) return ROOT
  return scope.words[0] === action && scope.words[1] === 'file' ? scope.path : null
}

/**
 * The places that a call touches, when all of them may be touched. Access is judged before
 * mutability, and everything that is missing is asked for at once.
 */
export function allowed(
  touches: readonly Touch[],
  area: Area,
  store: Store,
): Result<StorePath[], Problem> {
  const places: StorePath[] = []
  for (const { text } of touches) {
    const path = resolvePath(text, area.rules.read.defaultRoot)
    if (!path.ok) return err({ reason: 'bad_path', text, detail: path.error })
    places.push(path.value)
  }
  const refused =
    deniedPlace(touches, places, area) ??
    hiddenBelow(touches, places, area, store) ??
    immutablePlace(touches, places, area, store)
  return refused ? err(refused) : ok(places)
}

/**
 * The first step of a plan that may not be taken. What a call names was judged before it was planned;
 * some plans touch more than was named.
 */
export function notAllowed(steps: readonly Step[], area: Area): Problem | null {
  const { write } = area.rules
  if (isPlain(write) && area.reach.write.length === 0) return null
  const touch = { action: 'write', text: '' } as const
  for (const path of steps.flatMap(pathsOf)) {
    if (judge(write, path) !== 'permitted' || !isWithinReach(area, touch, path))
      return { reason: 'blocked', path }
    if (isImmutable(write, path)) return { reason: 'immutable', path }
  }
  return null
}

export function pathsOf(step: Step): StorePath[] {
  return step.type === 'move' ? [step.from, step.to] : [step.path]
}

function deniedPlace(
  touches: readonly Touch[],
  places: readonly StorePath[],
  { rules, denied }: Area,
): Problem | null {
  const missing: { path: StorePath; scope: string }[] = []
  for (const [index, touch] of touches.entries()) {
    const path = places[index] ?? ROOT
    const scope = parseScope(`${touch.action}:file:${path}`)
    if (denied.some((entry) => covers(entry, scope))) return { reason: 'blocked', path }
    const verdict = judge(rules[touch.action], path)
    if (verdict === 'blocked') return { reason: 'blocked', path }
    if (verdict === 'outside') missing.push({ path, scope: askedFor(touch, path) })
  }
  const [first] = missing
  if (!first) return null
  const { roots, underPolicy } = rules.read
  const requested = underPolicy ? null : [...new Set(missing.map(({ scope }) => scope))]
  return { reason: 'outside_root', path: first.path, roots, requested }
}

/** A path is asked for by its folder, a folder by itself. */
function askedFor({ action, text, isFolder }: Touch, path: StorePath): string {
  const folder = isFolder || text.endsWith('/') ? path : parentOf(path)
  return formatScope(parseScope(`${action}:file:${folder}`))
}

/**
 * Everything that goes along with a folder, and where it would go. A folder whose rules say nothing
 * of what lies below need not be walked.
 */
function* alongWith(
  touches: readonly Touch[],
  places: readonly StorePath[],
  rules: Rules,
  store: Store,
): Iterable<StorePath> {
  const [first, to] = places
  if (!touches[0]?.withAll || first === undefined) return
  if (isOpen(rules, first) && (to === undefined || isOpen(rules, to))) return
  for (const { path } of store.walk(first)) {
    yield path
    if (to !== undefined) yield rebase(path, first, to)
  }
}

function hiddenBelow(
  touches: readonly Touch[],
  places: readonly StorePath[],
  { rules }: Area,
  store: Store,
): Problem | null {
  for (const path of alongWith(touches, places, rules.write, store)) {
    // What is hidden is not named.
    if (judge(rules.write, path) !== 'permitted')
      return { reason: 'blocked', path: places[0] ?? ROOT }
  }
  return null
}

function immutablePlace(
  touches: readonly Touch[],
  places: readonly StorePath[],
  { rules }: Area,
  store: Store,
): Problem | null {
  const path = places.find(
    (place, index) => touches[index]?.action === 'write' && isImmutable(rules.write, place),
  )
  if (path !== undefined) return { reason: 'immutable', path }
  for (const below of alongWith(touches, places, rules.write, store)) {
    if (isImmutable(rules.write, below)) return { reason: 'immutable', path: below }
  }
  return null
}

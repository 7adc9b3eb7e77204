/**
 * Undo: the steps that bring paths back to their state before a change, or at a version.
 *
 * An undo is a change like any other, so it is planned, previewed, applied and can itself be undone. It is
 * refused when something was changed later, and when history no longer holds the whole earlier state: a part
 * of it would be a state that never existed.
 *
 * @module
 */

import { ancestorsOf, ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Access } from '../access/access.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Entry, Step } from '../store/store.ts'
import { touchedBy, type Touched } from './touched.ts'

/** Plans the undo of a whole change. */
export function undoSteps(store: ReadStore, id: string, access: Access): Result<Step[], Problem> {
  const changes = store.changesOf(id)
  const touched = touchedBy(changes)
  const approval = changes.every((change) => change.touched === 0) && changes[0]?.approval
  if (approval) return err({ reason: 'superseded', id, approval: approval.id })
  if (touched.length === 0 || changes.some(({ complete }) => !complete))
    return err({ reason: 'no_change', id })
  const undone = touched.filter((each) => !isOnlyPruned(store, beforeOf(each), access))
  const versions = new Set(changes.map((change) => change.version))
  const foreign = undone.find((each) => !isOnlyOf(store, versions, each))
  if (foreign) return err({ reason: 'changed_since', id, path: foreign.path })
  const steps = stepsTo(store, undone.map(beforeOf))
  if (!steps.ok) return steps
  const paths = touched.map(({ path }) => path)
  const before = Math.min(...versions) - 1
  return ok([...steps.value, ...pruneSteps(paths, { versions: [...versions], before }, access)])
}

const beforeOf = ({ path, first }: Touched): Target => ({ path, version: first - 1 })

/**
 * Whether a path is a folder that did not exist before and that the caller may not remove: a root, or a folder above
 * what it may write. It came with a file below it, and goes with it if it is empty ({@link pruneSteps}).
 */
export function isOnlyPruned(store: ReadStore, { path, version }: Target, access: Access): boolean {
  if (mayRemove(path, access) || store.stat(path)?.type !== 'folder') return false
  return store.stateAt(path, version) === null
}

const mayRemove = (path: StorePath, access: Access) =>
  access.unrestricted || (access.judge('write', path) === 'permitted' && !access.holdsRoot(path))

/**
 * Returns the steps that remove the folders at and above removed paths that came with one of these versions, were not
 * there before, and that the caller may not remove itself. They do not depend on what is in them, which the caller may not see.
 */
export function pruneSteps(
  removed: readonly StorePath[],
  span: { readonly versions: readonly number[]; readonly before: number },
  access: Access,
): Step[] {
  if (access.unrestricted) return []
  const places = new Set(removed.flatMap((path) => [...ancestorsOf(path), path]))
  const folders = [...places].filter(
    (path) => path !== ROOT && !mayRemove(path, access) && !access.isFixed(path),
  )
  return folders
    .toSorted()
    .reverse()
    .map((path) => ({ type: 'prune', path, ...span }))
}

/** Whether nothing else has changed a path since a change with these versions touched it first. */
function isOnlyOf(
  store: ReadStore,
  versions: ReadonlySet<number>,
  { path, times }: Touched,
): boolean {
  const newest = store.history(path, times)
  if (newest.length === 0 || newest.some(({ version }) => !versions.has(version))) return false
  // A draft covers what the workspace has changed since, whatever the versions are.
  const now = store.stat(path)
  return now === null || versions.has(now.version)
}

/** Plans the step that restores one file to a version. */
export function restoreSteps(
  store: ReadStore,
  path: StorePath,
  version: number,
): Result<Step[], Problem> {
  const at = store.resolveVersion(version)
  const state = at === null ? null : store.stateAt(path, at)
  if (at === null || state === 'forgotten' || state?.type !== 'file')
    return err({ reason: 'no_version', path, version })
  return stepsTo(store, [{ path, version: at }])
}

/** A path, and the version whose state it is brought back to. */
interface Target {
  readonly path: StorePath
  readonly version: number
}

/**
 * Plans the steps to earlier states. Removals come first, the deepest before its parents, also of a file
 * where a folder was and of a folder where a file was.
 */
export function stepsTo(store: ReadStore, targets: readonly Target[]): Result<Step[], Problem> {
  const removals = new Set<StorePath>()
  const returns: Step[] = []
  for (const { path, version } of targets.toSorted(byPath)) {
    const was = store.stateAt(path, version)
    const now = store.stat(path)
    if (now && was !== 'forgotten' && was?.type !== now.type) removals.add(path)
    if (!was) continue
    const step = was === 'forgotten' ? null : stepBack(store, was)
    if (!step) return err({ reason: 'no_version', path, version })
    returns.push(step)
  }
  return ok([...removalSteps(store, removals), ...returns])
}

const byPath = (one: Target, other: Target) => (one.path < other.path ? -1 : 1)

/** Removes the deepest paths first. A folder with other content, which was added later, is kept. */
function removalSteps(store: ReadStore, removals: ReadonlySet<StorePath>): Step[] {
  const empty = (path: StorePath) =>
    [...store.walk(path)].every((entry) => removals.has(entry.path))
  return [...removals].reverse().flatMap((path) => (empty(path) ? [{ type: 'remove', path }] : []))
}

function stepBack(store: ReadStore, was: Entry): Step | null {
  if (was.type === 'folder') return { type: 'folder', path: was.path }
  const content = store.contentOf(was)
  const { path, mtime, executable = false } = was
  return content && { type: 'put', path, content, mtime, executable }
}

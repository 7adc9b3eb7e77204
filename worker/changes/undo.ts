/**
 * Undo: the steps that bring paths back to their state before a change, or at a version.
 *
 * An undo is a change like any other, so it is planned, previewed, applied and can itself be undone. It is
 * refused when something was changed later, and when history no longer holds the whole earlier state: a part
 * of it would be a state that never existed.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { ReadStore } from '../access/workspace.ts'

import type { AppliedChange, Entry, Step } from '../store/store.ts'

/** Plans the undo of a whole change. */
export function undoSteps(store: ReadStore, id: string): Result<Step[], Problem> {
  const changes = store.changesOf(id)
  const [first] = changes
  const last = changes.at(-1)
  if (!first || !last || changes.some(isCut)) return err({ reason: 'no_change', id })

  const paths = [...new Set(changes.flatMap((change) => change.paths))]
  if (paths.length === 0) return err({ reason: 'no_change', id })
  const versions = new Set(changes.map((change) => change.version))
  const later = paths.find((path) => !versions.has(newestVersion(store, path)))
  if (later !== undefined) return err({ reason: 'changed_since', id, path: later })
  return stepsTo(store, paths, first.version - 1)
}

/** Whether history has dropped a part of what a change touched. Changes of older releases have no count. */
function isCut({ touched, complete }: AppliedChange): boolean {
  return touched !== null && !complete
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
  return stepsTo(store, [path], at)
}

function newestVersion(store: ReadStore, path: StorePath): number {
  return store.history(path, 1)[0]?.version ?? 0
}

/**
 * Plans the steps to an earlier state. Removals come first, the deepest before its parents, also of a file
 * where a folder was and of a folder where a file was.
 */
export function stepsTo(
  store: ReadStore,
  paths: readonly StorePath[],
  version: number,
): Result<Step[], Problem> {
  const removals = new Set<StorePath>()
  const returns: Step[] = []
  for (const path of [...paths].sort()) {
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

/** Removes the deepest paths first. A folder with other content, which was added later, is kept. */
function removalSteps(store: ReadStore, removals: ReadonlySet<StorePath>): Step[] {
  const empty = (path: StorePath) =>
    [...store.walk(path)].every((entry) => removals.has(entry.path))
  return [...removals].reverse().flatMap((path) => (empty(path) ? [{ type: 'remove', path }] : []))
}

function stepBack(store: ReadStore, was: Entry): Step | null {
  if (was.type === 'folder') return { type: 'folder', path: was.path }
  const content = store.contentOf(was)
  return content && { type: 'put', path: was.path, content, mtime: was.mtime }
}

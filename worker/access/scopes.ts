/**
 * Scopes as folders: which part of the tree a list of scopes opens for an action.
 *
 * @module
 */

import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import { covers, parseScope, type Scope } from '#core/scope.ts'

export type Action = 'read' | 'write'

/** Something for each action. */
export type ByAction<T> = Readonly<Record<Action, T>>

/** The folder or file that a scope opens for an action; null when it opens none. */
export function folderOfScope(scope: Scope, action: Action): StorePath | null {
  if (covers(scope, WHOLE[action])) return ROOT
  return scope.words[0] === action && scope.words[1] === 'file' ? scope.path : null
}

const WHOLE: ByAction<Scope> = {
  read: parseScope('read:file'),
  write: parseScope('write:file'),
}

/** The folders that a list of scopes opens, by action. */
export function foldersByAction(scopes: readonly Scope[]): ByAction<readonly StorePath[]> {
  const foldersFor = (action: Action) =>
    scopes.flatMap((scope) => folderOfScope(scope, action) ?? [])
  return { read: foldersFor('read'), write: foldersFor('write') }
}

/** What lies in a folder of both lists. */
export function intersectFolders(
  folders: readonly StorePath[],
  others: readonly StorePath[],
): StorePath[] {
  const common = folders.flatMap((folder) => {
    if (others.some((other) => isWithin(folder, other))) return [folder]
    return others.filter((other) => isWithin(other, folder))
  })
  return [...new Set(common)]
}

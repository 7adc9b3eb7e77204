/**
 * Scopes as folders: the parts of the tree that a list of scopes permits for an action.
 *
 * @module
 */

import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import { covers, parseScope, readScope, type Scope } from '#core/scope.ts'

/** What can be done with a path. */
export type Action = 'read' | 'write'

/** A value for each action. */
export type ByAction<T> = Readonly<Record<Action, T>>

/** Reads scopes that are stored as text, without those of a form that is no longer permitted. */
export function readStoredScopes(texts: readonly string[]): Scope[] {
  return texts.flatMap((text) => {
    const scope = readScope(text)
    return scope.ok ? [scope.value] : []
  })
}

/** Returns the folder or file that a scope permits for an action, or null. */
function folderOfScope(scope: Scope, action: Action): StorePath | null {
  if (covers(scope, WHOLE[action])) return ROOT
  return scope.words[0] === action && scope.words[1] === 'file' ? scope.path : null
}

const WHOLE: ByAction<Scope> = {
  read: parseScope('read:file'),
  write: parseScope('write:file'),
}

/** Returns the folders and files that a list of scopes permits, by action. */
export function foldersByAction(scopes: readonly Scope[]): ByAction<readonly StorePath[]> {
  const foldersFor = (action: Action) =>
    scopes.flatMap((scope) => folderOfScope(scope, action) ?? [])
  return { read: foldersFor('read'), write: foldersFor('write') }
}

/** Returns the parts of the tree that lie in a folder of both lists. */
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

/**
 * Which folders of apps the owner's list has: those with a decision, and of the others a bounded number. Who wrote
 * the files directly in them takes turns, each with its oldest first, so that no number of folders and files hides
 * the app of another, and no folder or file that another adds to it.
 *
 * `test/worker/shares.test.ts` and `test/worker/apps/limits.test.ts` have the cases.
 *
 * @module
 */

import type { ReadStore } from '../access/workspace.ts'
import type { Actor } from '../audit/change-note.ts'
import { isAppFolder } from './folder.ts'
import { MAX_APP_FOLDERS_LOOKED_AT, MAX_APPS, MAX_APPS_ENTRIES } from './limits.ts'
import { listMadeFolders, type MadeFolder } from './made-folders.ts'
import { listBashFolders } from './place.ts'

/** The names of apps in order. */
export interface ListedApps {
  readonly names: readonly string[]
  /** The number of folders that are left out; at least 1 if there are too many to read. */
  readonly left: number
}

/** What the list is made from. */
export interface ListedParts {
  readonly sql: SqlStorage
  readonly files: () => ReadStore
  /** Returns the version of the workspace. */
  readonly version: () => number
  /** Returns the principal whose share the changes of an actor use. */
  readonly budgetOf: (actor: Pick<Actor, 'principal' | 'session'>) => string
}

/** Creates the list of the apps beside those that were `decided`. */
export function createListed({ sql, files, version, budgetOf }: ListedParts) {
  // All below the folder is read, so not twice for one version.
  let kept: { readonly version: number; readonly made: readonly MadeFolder[] } | null = null
  return (decided: readonly string[]): ListedApps => {
    if (kept?.version !== version()) {
      const made = listMadeFolders(sql, MAX_APPS_ENTRIES + 1, listBashFolders(files()))
      kept = { version: version(), made }
    }
    const { made } = kept
    const others = made.slice(0, MAX_APPS_ENTRIES).filter(({ name }) => !decided.includes(name))
    const ordered = takeTurns(others, budgetOf)
    const { names, passed } = firstApps(files(), ordered)
    const left = ordered.length - names.length - passed + (made.length > MAX_APPS_ENTRIES ? 1 : 0)
    return { names: [...decided, ...names].toSorted(), left }
  }
}

/** Takes the first folders that are apps, and counts those before them that are none. */
function firstApps(files: ReadStore, folders: readonly string[]) {
  const names: string[] = []
  let passed = 0
  for (const name of folders.slice(0, MAX_APP_FOLDERS_LOOKED_AT)) {
    if (names.length === MAX_APPS) break
    if (isAppFolder(files, name)) names.push(name)
    else passed++
  }
  return { names, passed }
}

/** Orders folders by turns of the principals whose shares were used. A folder of several has the first of their turns. */
function takeTurns(made: readonly MadeFolder[], budgetOf: ListedParts['budgetOf']): string[] {
  const turns = new Map<string, number>()
  const ordered = made
    .map((folder) => {
      const maker = budgetOf(folder)
      const turn = turns.get(maker) ?? 0
      turns.set(maker, turn + 1)
      return { name: folder.name, turn }
    })
    .toSorted((a, b) => a.turn - b.turn)
  return [...new Set(ordered.map(({ name }) => name))]
}

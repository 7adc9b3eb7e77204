/**
 * Which folders below `/.apps` the owner's list has: those with a decision, and of the others a bounded number. They
 * take turns by who made them, each with its oldest first, so that no number of folders hides the app of another.
 *
 * `test/worker/shares.test.ts` and `test/worker/apps/limits.test.ts` have the cases.
 *
 * @module
 */

import type { ReadStore } from '../access/workspace.ts'
import type { Actor } from '../store/change-note.ts'
import { findFolders, isAppFolder, type NamedFolder } from './folder.ts'
import { MAX_APP_FOLDERS_LOOKED_AT, MAX_APPS, MAX_APPS_ENTRIES } from './limits.ts'

/** The names of apps in order. */
export interface ListedApps {
  readonly names: readonly string[]
  /** The number of folders that are left out; at least 1 if there are too many files and folders to read. */
  readonly left: number
}

/** What the list is made from. */
export interface ListedParts {
  readonly files: () => ReadStore
  /** Returns the principal whose share the changes of an actor use. */
  readonly budgetOf: (actor: Actor) => string
}

interface ListedContext extends ListedParts {
  /** Who made a folder, by the version of the change. */
  readonly makers: Map<number, string>
}

/** Creates the list of the apps beside those that were `decided`. */
export function createListed(parts: ListedParts) {
  const context: ListedContext = { ...parts, makers: new Map() }
  return (decided: readonly string[]): ListedApps => {
    const files = context.files()
    const { folders, isWhole } = findFolders(files)
    const others = folders.filter(({ name }) => !decided.includes(name))
    const ordered = others.length > MAX_APPS ? takeTurns(context, files, others) : others
    const { names, passed } = firstApps(files, ordered)
    const left = ordered.length - names.length - passed + (isWhole ? 0 : 1)
    return { names: [...decided, ...names].toSorted(), left }
  }
}

/** Takes the first folders that are apps, and counts those before them that are none. */
function firstApps(files: ReadStore, folders: readonly NamedFolder[]) {
  const names: string[] = []
  let passed = 0
  for (const { name } of folders.slice(0, MAX_APP_FOLDERS_LOOKED_AT)) {
    if (names.length === MAX_APPS) break
    if (isAppFolder(files, name)) names.push(name)
    else passed++
  }
  return { names, passed }
}

function takeTurns(
  context: ListedContext,
  files: ReadStore,
  folders: readonly NamedFolder[],
): NamedFolder[] {
  if (context.makers.size > MAX_APPS_ENTRIES) context.makers.clear()
  const turns = new Map<string, number>()
  return folders
    .toSorted((a, b) => a.version - b.version)
    .map((folder) => {
      const maker = makerOf(context, files, folder)
      const turn = turns.get(maker) ?? 0
      turns.set(maker, turn + 1)
      return { ...folder, turn }
    })
    .toSorted((a, b) => a.turn - b.turn)
}

/** Returns who made a folder. Where history has forgotten it, all makers are one. */
function makerOf(
  { makers, budgetOf }: ListedContext,
  files: ReadStore,
  { version }: NamedFolder,
): string {
  const known = makers.get(version)
  if (known !== undefined) return known
  const [change] = files.listChanges({ before: version + 1, limit: 1 }).changes
  const maker = change?.version === version ? budgetOf(change.actor) : ''
  makers.set(version, maker)
  return maker
}

/**
 * Which folders of a kind the owner's list has: those with a decision, and of the others a bounded number. Who wrote
 * the files directly in them takes turns, each with its oldest first, so that no number of folders and files hides
 * the folder of another, and no folder or file that another adds to it.
 *
 * `test/worker/shares.test.ts` and `test/worker/apps/limits.test.ts` have the cases.
 *
 * @module
 */

import type { ReadStore } from '../access/workspace.ts'
import type { Actor } from '../audit/change-note.ts'
import type { MadeFolder } from './made-folders.ts'

/** What the lists of the kinds differ in. */
export interface ListedKind {
  /** Lists the folders that may be of this kind, by who wrote the files directly in them. */
  readonly listMade: (sql: SqlStorage, files: ReadStore, limit: number) => MadeFolder[]
  /** Whether a folder is listed. */
  readonly isListed: (files: ReadStore, name: string) => boolean
  /** The most that are listed, that are looked into for that, and that are searched. */
  readonly most: { readonly listed: number; readonly lookedAt: number; readonly entries: number }
}

/** The names of folders in order. */
export interface Listed {
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

/** Creates the list of the folders beside those that were `decided`. */
export function createListed(
  { listMade, isListed, most }: ListedKind,
  { sql, files, version, budgetOf }: ListedParts,
) {
  // All below the folder is read, so not twice for one version.
  let kept: { readonly version: number; readonly made: readonly MadeFolder[] } | null = null
  return (decided: readonly string[]): Listed => {
    if (kept?.version !== version()) {
      const made = listMade(sql, files(), most.entries + 1)
      kept = { version: version(), made }
    }
    const { made } = kept
    const others = made.slice(0, most.entries).filter(({ name }) => !decided.includes(name))
    const ordered = takeTurns(others, budgetOf)
    const { names, passed } = takeFirst(ordered, {
      ...most,
      isOne: (name) => isListed(files(), name),
    })
    const left = ordered.length - names.length - passed + (made.length > most.entries ? 1 : 0)
    return { names: [...decided, ...names].toSorted(), left }
  }
}

interface Taken {
  readonly listed: number
  readonly lookedAt: number
  readonly isOne: (name: string) => boolean
}

/** Takes the first folders that are of the kind, and counts those before them that are not. */
function takeFirst(folders: readonly string[], { listed, lookedAt, isOne }: Taken) {
  const names: string[] = []
  let passed = 0
  for (const name of folders.slice(0, lookedAt)) {
    if (names.length === listed) break
    if (isOne(name)) names.push(name)
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

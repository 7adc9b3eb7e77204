/**
 * The rows of a list of changed files: a move is one row, and what goes with a deleted folder is below its row.
 * `test/worker/drafts/changed-files.test.ts` has the cases.
 *
 * @module
 */

import { foldersAbove, parentOf, ROOT, type StorePath } from '#core/path.ts'
import type { Difference } from './units.ts'

/** One row: a difference of one type, and what it belongs to. */
export interface Row extends Difference {
  /** Both states of the path, which its digest names. */
  readonly whole: Difference
  /** What was moved there: the path that is gone, with the same content. */
  readonly source?: Difference
  /** The outermost deleted folder that it goes with. */
  readonly below?: StorePath
}

/** Builds the rows of differences, which are in path order. */
export function rowsOf(differences: readonly Difference[]): Row[] {
  const sources = sourcesOf(differences)
  const moved = new Set([...sources.values()].map(({ path }) => path))
  const below = foldersGoneAbove(differences)
  const after = differences.filter((one) => one.after !== null)
  const above = new Set(foldersAbove(after.map(({ path }) => path)))
  const kept = foldersToKeep(differences, moved, below)
  return differences.flatMap((whole): Row[] => {
    const { path } = whole
    if (moved.has(path)) return []
    const source = sources.get(path)
    const folder = below.get(path)
    return kindsOf(whole).flatMap((kind): Row[] => {
      const isImplied =
        isFolder(kind) && (kind.after ? above.has(path) : folder !== undefined || !kept.has(path))
      const row = { ...kind, path, whole }
      return isImplied
        ? []
        : [{ ...row, ...(source && { source }), ...(folder && { below: folder }) }]
    })
  })
}

const isFolder = ({ before, after }: Pick<Difference, 'before' | 'after'>) =>
  (after ?? before)?.type === 'folder'

const isGoneFolder = ({ before, after }: Difference) =>
  before?.type === 'folder' && after?.type !== 'folder'

/** What was moved, by the path that it is at now. */
function sourcesOf(differences: readonly Difference[]): ReadonlyMap<StorePath, Difference> {
  const gone = Map.groupBy(differences.toReversed(), ({ before, after }) =>
    before?.type === 'file' && after === null ? before.blob : null,
  )
  const sources = new Map<StorePath, Difference>()
  for (const { path, before, after } of differences) {
    if (before !== null || after?.type !== 'file') continue
    const source = gone.get(after.blob)?.pop()
    if (source) sources.set(path, source)
  }
  return sources
}

/** The outermost gone folder above each path that has one: with it, all folders between them are gone. */
function foldersGoneAbove(differences: readonly Difference[]): ReadonlyMap<StorePath, StorePath> {
  const gone = new Set(differences.filter(isGoneFolder).map(({ path }) => path))
  const outermost = new Map<StorePath, StorePath>()
  for (const { path } of differences) {
    const parent = parentOf(path)
    if (path !== ROOT && gone.has(parent)) outermost.set(path, outermost.get(parent) ?? parent)
  }
  return outermost
}

/** The outermost gone folders that a move does not explain: not everything in them was moved away. */
function foldersToKeep(
  differences: readonly Difference[],
  moved: ReadonlySet<StorePath>,
  below: ReadonlyMap<StorePath, StorePath>,
): ReadonlySet<StorePath> {
  const left = new Set(foldersAbove(moved))
  const isExplained = (one: Difference) =>
    isGoneFolder(one) ? left.has(one.path) : moved.has(one.path)
  const unexplained = differences.filter((one) => !isExplained(one))
  return new Set(unexplained.map(({ path }) => below.get(path) ?? path))
}

/** A file that becomes a folder, or a folder that becomes a file, is one that is deleted and one that is added. */
function kindsOf({ before, after }: Difference): Pick<Difference, 'before' | 'after'>[] {
  const isOther = before !== null && after !== null && before.type !== after.type
  return isOther
    ? [
        { before, after: null },
        { before: null, after },
      ]
    : [{ before, after }]
}

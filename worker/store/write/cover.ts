/**
 * Covering: keeps every draft a tree when the workspace below it changes.
 *
 * A folder that a draft has deleted, or replaced by a file, hides what the workspace has below it. What the
 * workspace adds there later has no row in the draft yet, so a row that hides it is added with it.
 *
 * @module
 */

import { ancestorsOf, rangeBelow, type StorePath } from '#core/path.ts'
import { draftsIn, GONE } from '../layer.ts'
import type { Step } from '../store.ts'
import { tablesOf } from '../../database/table-groups.ts'

/** Rows `f` of drafts that hide what the workspace has below their path. */
const HIDES = '(f.covers = 1 OR f.blob IS NOT NULL)'

/** Hides what the steps of an applied change added, in the drafts where a folder above it is hidden. */
export function coverNewRows(sql: SqlStorage, version: number, steps: readonly Step[]): void {
  const drafts = JSON.stringify(
    Array.from(
      sql.exec<{ draft: number }>(`SELECT draft FROM ${draftsIn('draft_files')}`),
      ({ draft }) => draft,
    ),
  )
  const covering = { sql, version, drafts }
  for (const step of steps) {
    if (step.type === 'remove' || step.type === 'prune') continue
    const isTree = step.type === 'move'
    const path = step.type === 'move' ? step.to : step.path
    const above = coverBelowAncestors(covering, path, isTree)
    if (isTree) coverInside(covering, path, above)
  }
}

/** Whether any draft has rows. */
export function hasDrafts(sql: SqlStorage): boolean {
  return tablesOf(sql, 'drafts').exec('SELECT 1 FROM draft_files LIMIT 1').toArray().length > 0
}

/** The database, the version of the applied change, and the ids of the drafts with rows, as a JSON array. */
interface Covering {
  readonly sql: SqlStorage
  readonly version: number
  readonly drafts: string
}

/**
 * Covers a path and its ancestors in the drafts that hide one of the ancestors, with everything below the path if
 * `isTree`. Returns these drafts.
 */
function coverBelowAncestors(
  covering: Covering,
  path: StorePath,
  isTree: boolean,
): ReadonlySet<number> {
  const ancestors = ancestorsOf(path)
  const found = new Set<number>()
  for (const [depth, ancestor] of ancestors.entries())
    for (const { draft } of listHiding(covering, 'f.path = ?', ancestor)) {
      // An ancestor further up hides more.
      if (found.has(draft)) continue
      found.add(draft)
      for (const below of [...ancestors.slice(depth + 1), path])
        cover(covering, draft, 'path = ?3', below)
      if (isTree) coverRange(covering, draft, path)
    }
  return found
}

/** Covers the parts of a moved tree that drafts hide, except in drafts that hide all of it. */
function coverInside(covering: Covering, path: StorePath, except: ReadonlySet<number>): void {
  const { low, high } = rangeBelow(path)
  const hiding = [
    ...listHiding(covering, 'f.path = ?', path),
    ...listHiding(covering, 'f.path >= ? AND f.path < ?', low, high),
  ]
  for (const { draft, path: hidden } of hiding)
    if (!except.has(draft)) coverRange(covering, draft, hidden)
}

/** Lists the rows of drafts at paths that hide what the workspace has below them. */
function listHiding({ sql, drafts }: Covering, condition: string, ...bindings: string[]) {
  return sql
    .exec<{ draft: number; path: StorePath }>(
      `SELECT f.draft, f.path FROM json_each(?) d CROSS JOIN draft_files f ON f.draft = d.value
       WHERE ${condition} AND ${HIDES}`,
      drafts,
      ...bindings,
    )
    .toArray()
}

function coverRange(covering: Covering, draft: number, folder: StorePath): void {
  const { low, high } = rangeBelow(folder)
  cover(covering, draft, 'path >= ?3 AND path < ?4', low, high)
}

/** Adds rows to a draft that hide paths of the workspace. */
function cover(
  { sql, version }: Covering,
  draft: number,
  condition: string,
  ...bindings: string[]
): void {
  sql.exec(
    `INSERT OR IGNORE INTO draft_files (draft, path, blob, size, mime, version, mtime, covers)
     SELECT ?1, path, NULL, 0, '${GONE}', ?2, mtime, 1 FROM files WHERE ${condition}`,
    draft,
    version,
    ...bindings,
  )
}

/**
 * Versions: every state that a path has had is a row, written together with the current one. New states are written in
 * `written-rows.ts`, and old versions are dropped in `retention.ts`.
 *
 * @module
 */

import { ancestorsOf, rangeBelow, type StorePath } from '#core/path.ts'
import { GONE } from '../layer.ts'
import { COLUMNS } from '../read/entries.ts'
import { NO_DRAFT } from '../touched-paths.ts'
import type { Work } from './work.ts'

/** For a state written twice in one change. `trimmed` is kept, because dropped versions stay dropped. */
export const ON_REWRITE = `ON CONFLICT DO UPDATE SET blob = excluded.blob, size = excluded.size,
  mime = excluded.mime, version = excluded.version, mtime = excluded.mtime, executable = excluded.executable`

/** Records in the history of every path in the range that it is deleted by this change. */
export function recordDeletion(work: Work, { where, bindings }: Rows): void {
  touchRows(work, 'path', { where, bindings })
  work.sql.exec(
    `INSERT INTO ${work.layer.write.versions} (${work.layer.key.columns}path, blob, size, mime, version, mtime)
     SELECT ${work.layer.key.values}path, NULL, 0, '${GONE}', ?, ?
     FROM ${work.layer.read.files} WHERE ${where} ${ON_REWRITE}`,
    work.change.version,
    work.change.at,
    ...bindings,
  )
}

/** Notes the paths of a range as touched by the change; `path` is their SQL. Many are written at once. */
function touchRows(work: Work, path: string, { where, bindings }: Rows): void {
  const { sql, layer, change, touched } = work
  const from = `FROM ${layer.read.files} WHERE ${where}`
  const rows = sql.exec<{ path: StorePath }>(
    `SELECT ${path} AS path ${from} LIMIT ${MAX_TOUCHED + 1}`,
    ...bindings,
  )
  const paths = rows.toArray()
  if (paths.length <= MAX_TOUCHED) return paths.forEach((row) => touched.add(row.path))
  work.isApart = true
  sql.exec(
    `INSERT OR IGNORE INTO touched_paths (draft, version, path)
     SELECT ${layer.draft ?? NO_DRAFT}, ${change.version}, ${path} ${from}`,
    ...bindings,
  )
}

/** Maximum number of moved or removed paths that are kept in memory at once. */
const MAX_TOUCHED = 500

/** Deletes the current rows of a range. In a draft, rows that say so cover those of the workspace. */
export function deleteRows(work: Work, { where, bindings }: Rows): void {
  const { sql, layer, change } = work
  if (layer.draft === null) sql.exec(`DELETE FROM files WHERE ${where}`, ...bindings)
  else
    sql.exec(
      `INSERT INTO draft_files (draft, path, blob, size, mime, version, mtime, covers)
       SELECT ${layer.draft}, path, NULL, 0, '${GONE}', ?, ?, 1
       FROM ${layer.read.files} WHERE ${where} ${ON_REWRITE}, covers = 1`,
      change.version,
      change.at,
      ...bindings,
    )
}

/** Where the rows of a move go: the characters of the old path after `rest` follow the new path. */
interface Destination {
  readonly to: StorePath
  /** Position of the first character that is kept, counted in code points from 1. */
  readonly rest: number
}

/** Writes the rows of a range, and a version of each, under another path. Deletes the old rows. */
export function moveRows(work: Work, range: Rows, { to, rest }: Destination): void {
  const { sql, layer, change } = work
  touchRows(work, '? || substr(path, ?)', { ...range, bindings: [to, rest, ...range.bindings] })
  const moved = '? || substr(path, ?), blob, size, mime, ?, mtime, executable'
  const bindings = [to, rest, change.version, ...range.bindings]
  sql.exec(
    `INSERT OR IGNORE INTO blob_paths (blob, path)
     SELECT b.id, f.moved FROM (
       SELECT blob, ? || substr(path, ?) AS moved FROM ${layer.read.files} WHERE ${range.where}) f
     JOIN blobs b ON b.id = f.blob WHERE b.path <> f.moved`,
    to,
    rest,
    ...range.bindings,
  )
  const copyTo = (table: string) =>
    sql.exec(
      `INSERT INTO ${table} (${layer.key.columns}${COLUMNS})
       SELECT ${layer.key.values}${moved} FROM ${layer.read.files} WHERE ${range.where} ${ON_REWRITE}`,
      ...bindings,
    )
  copyTo(layer.write.versions)
  if (layer.draft === null)
    sql.exec(
      `UPDATE files SET path = ? || substr(path, ?), version = ? WHERE ${range.where}`,
      ...bindings,
    )
  else {
    copyTo(layer.write.files)
    deleteRows(work, range)
  }
}

/**
 * Gives a draft rows of its own for the folders above a path, so that they stay when the workspace deletes
 * them. In the workspace there is nothing to do.
 */
export function keepAncestors({ sql, layer, own }: Work, path: StorePath): void {
  if (layer.draft === null) return
  for (const above of ancestorsOf(path)) {
    if (own.has(above)) continue
    own.add(above)
    sql.exec(
      `INSERT OR IGNORE INTO draft_files (draft, path, blob, size, mime, version, mtime)
       SELECT ${layer.draft}, path, blob, size, mime, version, mtime FROM files WHERE path = ?`,
      above,
    )
  }
}

/** A set of rows, as an SQL condition with its bindings. */
interface Rows {
  readonly where: string
  readonly bindings: readonly (string | number)[]
}

/** Returns the ranges for a path and for everything below it. */
export function rowsOfTree(path: StorePath): Rows[] {
  const { low, high } = rangeBelow(path)
  return [
    { where: 'path = ?', bindings: [path] },
    { where: 'path >= ? AND path < ?', bindings: [low, high] },
  ]
}

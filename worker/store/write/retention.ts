/**
 * Retention: drops old versions of a path with their content, unless another version names it.
 *
 * The newest versions of each path are kept, and those that the path had at a checkpoint. Where rows are
 * dropped, the row after them is marked with the version of the first, so that a state that was dropped never
 * looks like the one before it. `test/worker/store/checkpoint-model.laws.test.ts` compares it with a model.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { batchesOf } from '../batches.ts'
import type { Blobs } from '../content/blobs.ts'
import { NO_DRAFT } from '../touched-paths.ts'
import { pruneDropped } from './prune.ts'
import type { Work } from './work.ts'
import { transaction } from '../../database/table-groups.ts'
import { rowsOfTree } from './versions.ts'
import { MAX_SINGLE } from './written-rows.ts'

/** A row of a path, with what decides whether it is kept. */
interface OldRow extends Record<string, SqlStorageValue> {
  version: number
  blob: number | null
  /** The version of the first of the rows dropped directly before this one; 0 if there are none. */
  trimmed: number
  /** 1 if it is kept only because of a checkpoint. */
  held: number
}

type Dropped = Pick<OldRow, 'version' | 'blob' | 'trimmed'>

/**
 * Drops old versions of what the steps of a change have written, moved or removed. All steps are done by then, because
 * one of them may put content back that only a version has which another makes too old.
 */
export function dropOld(work: Work): void {
  const files = [...work.written.values()].flatMap(({ type, path }) =>
    type === 'file' ? [path] : [],
  )
  for (const path of files.length <= MAX_SINGLE ? files : findLong(work, files))
    dropOldVersions(work, path)
  for (const path of work.trees) dropOldVersionsOfTree(work, path)
}

/** Drops old versions of a path and of everything below it. */
function dropOldVersionsOfTree(work: Work, path: StorePath): void {
  for (const { where, bindings } of rowsOfTree(path)) {
    const long = work.sql.exec<{ path: StorePath }>(
      `SELECT path FROM ${work.layer.write.versions} WHERE ${work.layer.own}${where}
       GROUP BY path HAVING count(*) > ${work.limits.versions}`,
      ...bindings,
    )
    for (const each of long.toArray()) dropOldVersions(work, each.path)
  }
}

/** Returns those of some paths that have more versions than are kept. */
function findLong({ sql, layer, limits }: Work, paths: readonly StorePath[]): StorePath[] {
  const { own, write } = layer
  const query = `SELECT value AS path FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${write.versions}
    WHERE ${own}path = value ORDER BY version DESC LIMIT 1 OFFSET ?)`
  return [...batchesOf(paths)].flatMap((some) => {
    const rows = sql.exec<{ path: StorePath }>(query, JSON.stringify(some), limits.versions)
    return Array.from(rows, ({ path }) => path)
  })
}

/** Drops old versions of a path, and content that no other version names. */
function dropOldVersions(work: Work, path: StorePath): void {
  const dropped = work.kept.length === 0 ? dropAllOld(work, path) : dropUnkept(work, path)
  const { sql, blobs, layer, change } = work
  dropContent({ sql, blobs, draft: layer.draft, newest: change.version }, path, dropped)
}

/** Without checkpoints, one statement finds and deletes the rows. */
function dropAllOld({ sql, layer, limits }: Work, path: StorePath): Dropped[] {
  const { own, write } = layer
  const { versions } = write
  const dropped = sql
    .exec<Dropped & Record<string, SqlStorageValue>>(
      `DELETE FROM ${versions} WHERE ${own}path = ?1 AND version <=
         (SELECT version FROM ${versions} WHERE ${own}path = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)
       RETURNING blob, version, trimmed`,
      path,
      limits.versions,
    )
    .toArray()
  const [first, ...others] = dropped
  if (!first) return dropped
  const oldest = others.reduce((low, row) => (row.version < low.version ? row : low), first)
  sql.exec(
    `UPDATE ${versions} SET trimmed = ?2 WHERE ${own}path = ?1 AND version =
       (SELECT min(version) FROM ${versions} WHERE ${own}path = ?1)`,
    path,
    startOfGap(oldest),
  )
  return dropped
}

/**
 * Drops the rows beyond the limit that no checkpoint needs, and marks the others as held. Those that are held
 * already are left to the alarm, so a write does not read them.
 */
function dropUnkept({ sql, limits, kept }: Work, path: StorePath): Dropped[] {
  const rows = readUnheld(sql, path, limits.versions - 1)
  if (rows.length < 2) return []
  const dropped = thin(sql, path, { rows, kept, isOld: (_row, index) => index > 0 })
  for (const row of rows.slice(1))
    if (!dropped.includes(row))
      sql.exec('UPDATE versions SET held = 1 WHERE path = ? AND version = ?', path, row.version)
  return dropped
}

/** What {@link releaseBatch} needs. */
interface Release {
  readonly storage: DurableObjectStorage
  readonly blobs: Blobs
  /** The versions of the checkpoints that are left. */
  readonly kept: readonly number[]
  /** The newest version of the workspace. */
  readonly newest: number
}

/** Maximum number of paths that one batch looks at. */
const RELEASED_PATHS = 500

/**
 * Drops versions that were held for a checkpoint and that none needs any more, of some paths after `after`.
 * Returns the last of these paths; null when there are no more.
 */
export function releaseBatch(release: Release, after: string): string | null {
  const { storage, kept, newest } = release
  const { sql } = storage
  return transaction(storage, () => {
    const paths = sql
      .exec<{ path: StorePath }>(
        'SELECT DISTINCT path FROM versions WHERE held = 1 AND path > ? ORDER BY path LIMIT ?',
        after,
        RELEASED_PATHS,
      )
      .toArray()
    for (const { path } of paths) {
      const rows = readRows(sql, path)
      const dropped = thin(sql, path, { rows, kept, isOld: ({ held }) => held === 1 })
      dropContent({ sql, blobs: release.blobs, draft: null, newest }, path, dropped)
    }
    return paths.length < RELEASED_PATHS ? null : (paths.at(-1)?.path ?? null)
  })
}

const OLD_ROWS = 'SELECT version, blob, trimmed, held FROM versions WHERE path = ?1'

/** The rows of a path, newest first. */
function readRows(sql: SqlStorage, path: StorePath): OldRow[] {
  return sql.exec<OldRow>(`${OLD_ROWS} ORDER BY version DESC`, path).toArray()
}

/** The rows of a path without the `skipped` newest and without held ones, which are the oldest. */
function readUnheld(sql: SqlStorage, path: StorePath, skipped: number): OldRow[] {
  return sql
    .exec<OldRow>(
      `${OLD_ROWS} AND version > ifnull(
         (SELECT max(version) FROM versions WHERE path = ?1 AND held = 1), 0)
       ORDER BY version DESC LIMIT -1 OFFSET ?2`,
      path,
      skipped,
    )
    .toArray()
}

/** Rows of a path, newest first, and which of them may be dropped. The newest of a path never is. */
interface Thinned {
  readonly rows: readonly OldRow[]
  readonly kept: readonly number[]
  readonly isOld: (row: OldRow, index: number) => boolean
}

/** Deletes old rows that no checkpoint needs, marks the rows after them, and returns the deleted ones. */
function thin(sql: SqlStorage, path: StorePath, { rows, kept, isOld }: Thinned): OldRow[] {
  const dropped: OldRow[] = []
  let above = rows[0]
  let gap: number | null = null
  const mark = () => {
    if (above && gap !== null)
      sql.exec(
        'UPDATE versions SET trimmed = ? WHERE path = ? AND version = ?',
        gap,
        path,
        above.version,
      )
    gap = null
  }
  rows.forEach((row, index) => {
    const newer = rows[index - 1]
    const isDropped = newer !== undefined && isOld(row, index) && !isNeeded(row, newer, kept)
    if (isDropped) {
      sql.exec('DELETE FROM versions WHERE path = ? AND version = ?', path, row.version)
      dropped.push(row)
      gap = startOfGap(row)
      return
    }
    mark()
    above = row
  })
  mark()
  return dropped
}

/** Whether a row is the state of its path at a checkpoint. `newer` is the row after it. */
function isNeeded({ version }: OldRow, newer: OldRow, kept: readonly number[]): boolean {
  const end = startOfGap(newer)
  return kept.some((checkpoint) => checkpoint >= version && checkpoint < end)
}

/** The version from which states are unknown once a row is dropped. */
const startOfGap = ({ version, trimmed }: Dropped): number => trimmed || version

/** SQL: what a change touched has a row apart only while history has its state, so that no list looks for it in vain. */
const FORGET = 'DELETE FROM touched_paths WHERE draft = ? AND version = ? AND path = ?'

/** Where versions of a path are dropped. */
interface Dropping {
  readonly sql: SqlStorage
  readonly blobs: Blobs
  readonly draft: number | null
  /** The newest version of the workspace. */
  readonly newest: number
}

function dropContent(
  { sql, blobs, draft, newest }: Dropping,
  path: StorePath,
  dropped: readonly Dropped[],
): void {
  blobs.dropUnnamed(dropped.map(({ blob }) => ({ blob, path })))
  for (const { version } of dropped) {
    sql.exec(FORGET, draft ?? NO_DRAFT, version, path)
    pruneDropped(sql, version, newest)
  }
}

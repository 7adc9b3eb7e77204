/**
 * Changes of a draft that were applied to the workspace: takes their rows out of the draft, without writing the rest of
 * it again. So approving one change costs as much in a large draft as in a small one.
 *
 * It serves changes that only write files and create folders, and whose files no other change of the draft concerns.
 * `test/worker/store/applied.laws.test.ts` compares the rows with those of a draft that is written again.
 *
 * @module
 */

import { ancestorsOf, rangeBelow, type StorePath } from '#core/path.ts'
import type { Blobs } from '../content/blobs.ts'
import { WHOLE } from '../path-ranges.ts'
import type { Step } from '../store.ts'
import { readTouched, type TouchedRow } from '../touched-paths.ts'

/** A change of a draft that the workspace has now. */
export interface AppliedProposal {
  /** The version that it has in the draft. */
  readonly version: number
  readonly steps: readonly Step[]
}

/** Whether the rows of a change can be taken out alone: it writes files and creates folders, and no more. */
export function isPlainWrite(steps: readonly Step[]): boolean {
  return steps.every(({ type }) => type === 'put' || type === 'folder')
}

/** Takes the rows of applied changes out of a draft. Call it in the transaction that applied them. */
export function dropApplied(
  { sql, blobs }: { readonly sql: SqlStorage; readonly blobs: Blobs },
  draft: number,
  applied: readonly AppliedProposal[],
): void {
  const dropped = applied.flatMap(({ version }) => dropVersions(sql, draft, version))
  const paths = applied.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.type === 'move' ? [] : [step.path])),
  )
  for (const path of paths)
    sql.exec(
      'DELETE FROM draft_files WHERE draft = ? AND path = ? AND blob IS NOT NULL',
      draft,
      path,
    )
  for (const folder of foldersOf(applied)) dropFolder(sql, draft, folder)
  blobs.dropUnnamed(dropped)
}

/** Deletes the history of a change in a draft. Returns its states. */
function dropVersions(sql: SqlStorage, draft: number, version: number) {
  const [change] = sql
    .exec<TouchedRow>(
      'SELECT version, touched FROM draft_changes WHERE draft = ? AND version = ?',
      draft,
      version,
    )
    .toArray()
  const versions = `(SELECT path, version FROM draft_versions WHERE draft = ${draft})`
  const paths = change ? readTouched({ sql, versions, draft }, change, WHOLE) : []
  const rows = sql
    .exec<{ path: StorePath; blob: number | null }>(
      `DELETE FROM draft_versions
       WHERE draft = ? AND version = ? AND path IN (SELECT value FROM json_each(?)) RETURNING path, blob`,
      draft,
      version,
      JSON.stringify(paths),
    )
    .toArray()
  sql.exec('DELETE FROM draft_changes WHERE draft = ? AND version = ?', draft, version)
  sql.exec('DELETE FROM touched_paths WHERE draft = ? AND version = ?', draft, version)
  return rows
}

/** The folders that the changes created or wrote into, the deepest before those above it. */
function foldersOf(applied: readonly AppliedProposal[]): StorePath[] {
  const folders = new Set<StorePath>()
  for (const step of applied.flatMap(({ steps }) => steps)) {
    if (step.type === 'move') continue
    if (step.type === 'folder') folders.add(step.path)
    for (const above of ancestorsOf(step.path)) folders.add(above)
  }
  return [...folders].toSorted().toReversed()
}

/**
 * Makes the row of a folder a copy of that of the workspace, which has the folder now, or deletes it if no change
 * of the draft has written below it. No change of the draft creates the folder any more.
 */
function dropFolder(sql: SqlStorage, draft: number, folder: StorePath): void {
  const created = sql
    .exec<{ version: number }>(
      'DELETE FROM draft_versions WHERE draft = ? AND path = ? RETURNING version',
      draft,
      folder,
    )
    .toArray()
  for (const { version } of created)
    sql.exec(
      'UPDATE draft_changes SET paths = paths - 1 WHERE draft = ? AND version = ?',
      draft,
      version,
    )
  const { low, high } = rangeBelow(folder)
  sql.exec('DELETE FROM draft_files WHERE draft = ? AND path = ?', draft, folder)
  sql.exec(
    `INSERT INTO draft_files (draft, path, blob, size, mime, version, mtime)
     SELECT ?1, path, blob, size, mime, version, mtime FROM files WHERE path = ?2 AND EXISTS (
       SELECT 1 FROM draft_versions WHERE draft = ?1 AND path >= ?3 AND path < ?4 AND mime <> '')`,
    draft,
    folder,
    low,
    high,
  )
}

/**
 * The row of a change. It also has its entry of the audit log, and tells what the workspace is after it, so that a change
 * writes no other row for that: the totals, and the end of the audit chain.
 *
 * `test/worker/store/change-row.test.ts` tests it.
 *
 * @module
 */

import type { AuditColumns } from '../../audit/audit.ts'
import { versionNamedBy } from '../../audit/change-note.ts'
import type { StorePath } from '#core/path.ts'
import type { Layer } from '../layer.ts'
import type { Change, Totals } from '../store.ts'
import { NO_DRAFT, writeTouched } from '../touched-paths.ts'

/** A change whose steps are done: where its row goes, and what it tells. */
interface Finished extends Pick<Totals, 'files' | 'folders' | 'bytes'> {
  readonly sql: SqlStorage
  readonly layer: Layer
  readonly change: Omit<Change, 'listed'>
  /** The entries that it has written, and the paths that it moved or removed, except those that are written apart. */
  readonly written: ReadonlyMap<StorePath, unknown>
  readonly touched: ReadonlySet<StorePath>
  readonly isApart: boolean
}

/** Writes the row of a change. `about` paths are counted with those that it has written. `audit` is its part of the audit log; null for a draft. */
export function writeChangeRow(work: Finished, about: number, audit: AuditColumns | null): void {
  const { layer } = work
  const row = {
    ...(layer.draft === null ? {} : { draft: layer.draft }),
    ...factsOf(work),
    ...touchedOf(work, about),
    ...(audit && { proposed: work.change.approval?.proposed ?? null, ...audit }),
  }
  const columns = Object.keys(row)
  work.sql.exec(
    `INSERT INTO ${layer.write.changes} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...Object.values(row),
  )
}

function factsOf({ change, files, folders, bytes }: Finished) {
  const { version, id, tool, intent, actor, at, approval } = change
  const { principal, session, label } = actor
  const who = { principal, session, label, at }
  const approved = {
    approval: approval?.id ?? null,
    approver: approval?.by ?? null,
    amended: approval?.amended ?? null,
  }
  const named = versionNamedBy(id)
  const first = named === version ? null : named
  return { version, id, first, tool, intent, ...who, files, folders, bytes, ...approved }
}

/** How many paths it touched, and which. */
function touchedOf({ sql, layer, change, written, touched, isApart }: Finished, about: number) {
  const paths = new Set([...written.keys(), ...touched])
  const place = { draft: layer.draft ?? NO_DRAFT, version: change.version, isApart }
  const { count, listed } = writeTouched(sql, place, [...paths])
  return { paths: about + count, touched: listed }
}

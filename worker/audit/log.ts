/**
 * Where the entries of the audit log are: that of a change in the row of the change, so that both are one row, and all
 * others in `audit`, with the tombstones.
 *
 * The numbers of entries rise with the versions of changes, so an entry of a change is found by its version, without an
 * index. `test/worker/audit/chain.test.ts` has the laws, and `test/worker/store/change-row.test.ts` tests old changes.
 *
 * @module
 */

import { CHANGES_WITH_ENTRIES } from '../limits.ts'
import type { Tables } from '../database/table-groups.ts'

/** SQL: the change up to which all entries that are kept are in `audit`. */
const MOVED = 'ifnull((SELECT moved FROM audit_state), 0)'

/** SQL: the rows of both tables, with the same columns. Only entries of changes have a `version`. */
const AUDIT = '(SELECT *, NULL AS version FROM audit)'
const CHANGES = '(SELECT *, NULL AS first_seq, NULL AS budget FROM changes WHERE entry IS NOT NULL)'

/** Which rows of the log a query finds. */
interface Wanted {
  /** They have a number between these two, without them. */
  readonly after?: number
  readonly before?: number | undefined
  /** SQL conditions, and their values. */
  readonly where?: string
  readonly values?: readonly (string | number)[]
  readonly newestFirst?: boolean
  readonly limit: number
}

/** Finds rows of both tables, ordered by their numbers. */
export function findRows<T extends Record<string, SqlStorageValue>>(
  sql: Tables,
  columns: string,
  { after = 0, before, where = 'true', values = [], newestFirst = false, limit }: Wanted,
): T[] {
  const order = newestFirst ? 'DESC' : 'ASC'
  const within = `seq > ? AND seq < ? AND ${where}`
  const bounds = [after, before ?? Number.MAX_SAFE_INTEGER, ...values, limit]
  const low = after === 0 ? 0 : versionAt(sql, after)
  const high = before === undefined ? Number.MAX_SAFE_INTEGER : versionAt(sql, before)
  const rows = sql.exec<T>(
    `SELECT * FROM (SELECT ${columns} FROM ${AUDIT} WHERE ${within} ORDER BY seq ${order} LIMIT ?)
     UNION ALL SELECT * FROM (SELECT ${columns} FROM ${CHANGES}
       WHERE version > max(?, ${MOVED}) AND version <= ? AND ${within} ORDER BY version ${order} LIMIT ?)
     ORDER BY seq ${order} LIMIT ?`,
    ...[...bounds, low, high, ...bounds, limit],
  )
  return rows.toArray()
}

/** SQL: the rows of both tables after the number `?1`, of which `?2` is the {@link versionAt}. */
export const rowsAfter = (columns: string, where: string): string =>
  [`${AUDIT} WHERE seq > ?1`, `${CHANGES} WHERE version > ?2`]
    .map((from) => `SELECT ${columns} FROM ${from} AND ${where}`)
    .join(' UNION ALL ')

/** Returns a version up to which changes have numbers up to `seq`, and after which they have larger ones. */
export function versionAt(sql: Tables, seq: number): number {
  let { low, high } = sql
    .exec<{ low: number; high: number }>(
      `SELECT ${MOVED} AS low, ifnull((SELECT max(version) FROM changes), 0) AS high`,
    )
    .one()
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const found = sql.exec<{ version: number; seq: number }>(
      'SELECT version, seq FROM changes WHERE version > ? AND version <= ? ORDER BY version DESC LIMIT 1',
      ...[low, middle],
    )
    const [row] = found.toArray()
    if (row && row.seq > seq) high = row.version - 1
    else low = middle
  }
  return low
}

/**
 * Moves the entries of changes older than the newest {@link CHANGES_WITH_ENTRIES} to `audit`, so that a query of the log
 * does not read all of history, and an old change can be deleted.
 */
export function moveOldEntries(sql: Tables, newest: number): void {
  const last = newest - CHANGES_WITH_ENTRIES
  if (last <= 0) return
  const old = `version > ${MOVED} AND version <= ? AND entry IS NOT NULL`
  const columns = 'seq, at, principal, session, entry, hash, share'
  sql.exec(
    `INSERT OR REPLACE INTO audit (${columns}) SELECT ${columns} FROM changes WHERE ${old}`,
    last,
  )
  sql.exec(`UPDATE changes SET entry = NULL WHERE ${old}`, last)
  sql.exec('UPDATE audit_state SET moved = max(moved, ?)', last)
}

/**
 * Finds the number of a change that is missing though it was the newest, so its row alone had its entry and the end of the
 * chain: a file names it, or the files are not those that the newest row tells. `end` is the newest number.
 */
export function findMissing(sql: Tables, end: number): number | null {
  const missing = sql.exec<{ seq: number }>(
    `SELECT ifnull((SELECT seq FROM changes WHERE version > lost ORDER BY version LIMIT 1), ? + 1) AS seq
     FROM (SELECT count(blob) AS files, count(*) - count(blob) AS folders, ifnull(sum(size), 0) AS bytes,
         min(iif(version > ${MOVED} AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.version = f.version),
           version, NULL)) AS lost FROM files f) now
       LEFT JOIN (SELECT files, folders, bytes FROM changes ORDER BY version DESC LIMIT 1) c ON true
     WHERE lost IS NOT NULL OR (now.files, now.folders, now.bytes)
       <> (ifnull(c.files, 0), ifnull(c.folders, 0), ifnull(c.bytes, 0))`,
    end,
  )
  return missing.toArray()[0]?.seq ?? null
}

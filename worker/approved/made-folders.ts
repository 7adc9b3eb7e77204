/**
 * The folders that may be of a kind, by who wrote the files directly in them.
 *
 * `test/worker/apps/limits.test.ts` tests it, and `test/worker/apps/made-folders.test.ts` the names of apps.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'

/** A folder, and one of those who wrote the files directly in it as they are now. */
export interface MadeFolder extends Record<string, SqlStorageValue> {
  readonly name: string
  /** Whose share the change used; empty if history has no such change. */
  readonly principal: string
  /** The session of the change; null if another share is named. */
  readonly session: string | null
}

/** Where folders of a kind are. */
export interface MadePlace {
  /** The folder that has them all. */
  readonly above: StorePath
  /** SQL: whether the column `name` is one that a folder of the kind can have. */
  readonly isName: string
  /** Folders at other places, by name, each with a version of who made it. */
  readonly others?: readonly (readonly [name: string, version: number])[]
}

/** SQL: whose share each change used. */
const WRITTEN = `SELECT name, found.version AS version,
    coalesce(share, session, principal, '') AS principal, iif(share IS NULL, session, NULL) AS session
  FROM found LEFT JOIN changes ON changes.version = found.version`

/**
 * Lists folders with the name of a kind that have files directly in them, and the others. Makers take turns, each with
 * its oldest first, and a folder of several comes with each. Reads everything below the folder above, and a row more for
 * each change that wrote such a file: with fewer, the paths of one maker could hide those of another.
 */
export function listMadeFolders(
  sql: SqlStorage,
  limit: number,
  { above, isName, others = [] }: MadePlace,
): MadeFolder[] {
  const { low, high } = rangeBelow(above)
  const rows = sql.exec<MadeFolder>(
    `WITH below AS (SELECT substr(path, ?3) AS path, version FROM files
       WHERE path >= ?1 AND path < ?2 AND blob IS NOT NULL),
     found AS (SELECT DISTINCT substr(path, 1, instr(path, '/') - 1) AS name, version FROM below
       WHERE path GLOB '*/*' AND path NOT GLOB '*/*/*' AND ${isName}
       UNION ALL SELECT value ->> 0, value ->> 1 FROM json_each(?5)),
     made AS (SELECT name, principal, session, min(version) AS version FROM (${WRITTEN}) GROUP BY 1, 2, 3)
     SELECT name, principal, session FROM made
     ORDER BY row_number() OVER (PARTITION BY principal, session ORDER BY version), version LIMIT ?4`,
    ...[low, high, low.length + 1, limit, JSON.stringify(others)],
  )
  return rows.toArray()
}

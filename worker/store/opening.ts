/**
 * Opening: what an object reads of its database when it wakes up, in one statement.
 *
 * Most workspaces have no draft, no access request and no app, and nearly every statement of a first call costs more
 * than what it reads. So one row has what every call needs, and which rare rows there are; a service reads its own
 * rows only if there are any. Nothing is written unless a migration is due: a transaction, even an empty one, holds
 * the first response back until it is on disk. `test/worker/store/opening.test.ts` counts the statements.
 *
 * @module
 */

import { migrate, MIGRATIONS } from './schema.ts'
import type { Totals } from './store.ts'

/** Which rare rows a workspace may have. Where one is false, nothing has to be read. */
export interface Present {
  /** Drafts, or what is left of them: decisions, and rows of a replay that was interrupted. */
  readonly drafts: boolean
  readonly requests: boolean
  readonly apps: boolean
  readonly checkpoints: boolean
}

/** For a service that is opened without an {@link Opening}. */
export const ANY: Present = { drafts: true, requests: true, apps: true, checkpoints: true }

/** What is known of a workspace when it opens. */
export interface Opening {
  /** The totals of the newest change of the workspace itself. */
  readonly totals: Totals
  /** The newest version of it or of a draft. */
  readonly version: number
  /** The configuration that the owner has stored, as JSON. */
  readonly config: string | null
  /** Whether a draft has rows over those of the workspace. */
  readonly isCovered: boolean
  readonly has: Present
}

type Flag = 0 | 1

interface Row extends Record<string, SqlStorageValue> {
  schema: number
  newest: number
  config: string | null
  version: number
  files: number
  folders: number
  bytes: number
  covered: Flag
  drafts: Flag
  requests: Flag
  apps: Flag
  checkpoints: Flag
}

/** `sqlite_sequence` names the tables with numbered rows that ever had one. */
const QUERY = `
  SELECT meta.value AS schema,
    ifnull((SELECT value FROM meta WHERE name = 'version'), 0) AS newest,
    (SELECT value FROM settings WHERE name = 'config') AS config,
    ifnull(version, 0) AS version, ifnull(files, 0) AS files,
    ifnull(folders, 0) AS folders, ifnull(bytes, 0) AS bytes,
    EXISTS (SELECT 1 FROM draft_files) AS covered,
    EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'drafts') AS drafts,
    EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'access_requests') AS requests,
    EXISTS (SELECT 1 FROM apps) AS apps,
    EXISTS (SELECT 1 FROM checkpoints) AS checkpoints
  FROM meta LEFT JOIN changes ON version = (SELECT max(version) FROM changes)
  WHERE meta.name = 'schema'`

/**
 * Migrates the tables if they are not those of this release, and reads the opening.
 *
 * @throws Error if a newer release wrote the store.
 */
export function openTables(storage: DurableObjectStorage): Opening {
  const { sql } = storage
  const row = readCurrent(sql)
  if (row) return openingOf(row)
  migrate(storage)
  return openingOf(sql.exec<Row>(QUERY).one())
}

/** Reads the row; null if the tables are not those of this release. What then fails is reported by the migration. */
function readCurrent(sql: SqlStorage): Row | null {
  try {
    const row = sql.exec<Row>(QUERY).one()
    return row.schema === MIGRATIONS.length ? row : null
  } catch {
    return null
  }
}

function openingOf(row: Row): Opening {
  const { version, files, folders, bytes, newest, config } = row
  return {
    totals: { version, files, folders, bytes },
    version: Math.max(version, newest),
    config,
    isCovered: row.covered === 1,
    has: {
      drafts: row.drafts === 1 || row.covered === 1,
      requests: row.requests === 1,
      apps: row.apps === 1,
      checkpoints: row.checkpoints === 1,
    },
  }
}

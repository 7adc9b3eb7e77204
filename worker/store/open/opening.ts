/**
 * Opening: what an object reads of its database when it wakes up, in one statement.
 *
 * Most workspaces have no draft, no access request, no app and no skill, and nearly every statement of a first call costs more
 * than what it reads. So one row has what every call needs, and which rare tables there are; a service reads its own
 * rows only if it has tables. Nothing is written unless a migration is due: a transaction, even an empty one, holds
 * the first response back until it is on disk. `test/worker/store/opening.test.ts` counts the statements.
 *
 * @module
 */

import { hasDrafts } from '../write/cover.ts'
import { migrate, SCHEMA } from '../../database/schema.ts'
import type { Totals } from '../store.ts'
import { ALL_NAMES, knowGroups } from '../../database/table-groups.ts'

/** Which rare rows a workspace may have: their tables exist. Where one is false, nothing has to be read. */
export interface Present {
  /** Drafts, or what is left of them: decisions, and rows of a replay that was interrupted. */
  readonly drafts: boolean
  readonly requests: boolean
  readonly apps: boolean
  readonly skills: boolean
  readonly checkpoints: boolean
}

/** For a service that is opened without an {@link Opening}. */
export const ANY: Present = {
  drafts: true,
  requests: true,
  apps: true,
  skills: true,
  checkpoints: true,
}

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

/** A fact by its name; only the newest change has totals. */
interface Row extends Record<string, SqlStorageValue> {
  name: string
  value: number | string | null
  files: number | null
  folders: number | null
  bytes: number | null
}

/** Rows of their own are found faster than columns by subqueries. Names with a space are no names of `meta`. */
const QUERY = `
  SELECT name, value, NULL AS files, NULL AS folders, NULL AS bytes FROM meta
  UNION ALL SELECT 'all names', ${ALL_NAMES}, NULL, NULL, NULL
  UNION ALL SELECT 'the rules', value, NULL, NULL, NULL FROM settings WHERE name = 'config'
  UNION ALL SELECT * FROM (
    SELECT 'newest change', version, files, folders, bytes FROM changes ORDER BY version DESC LIMIT 1)`

/**
 * Migrates the tables if they are not those of this release, and reads the opening.
 *
 * @throws Error if a newer release wrote the store.
 */
export function openTables(storage: DurableObjectStorage): Opening {
  const { sql } = storage
  const facts = readCurrent(sql)
  if (facts) return openingOf(sql, facts)
  migrate(storage)
  return openingOf(sql, readFacts(sql))
}

type Facts = ReadonlyMap<string, Row>

/** Reads all rows at once: each step of a cursor takes some microseconds. */
const readFacts = (sql: SqlStorage): Facts =>
  new Map(
    sql
      .exec<Row>(QUERY)
      .toArray()
      .map((row) => [row.name, row]),
  )

/** Reads the facts; null if the tables are not those of this release. What then fails is reported by the migration. */
function readCurrent(sql: SqlStorage): Facts | null {
  try {
    const facts = readFacts(sql)
    return facts.get('schema')?.value === SCHEMA ? facts : null
  } catch {
    return null
  }
}

function openingOf(sql: SqlStorage, facts: Facts): Opening {
  const { files, folders, bytes } = facts.get('newest change') ?? {}
  const version = numberOf(facts, 'newest change')
  const groups = knowGroups(sql, textOf(facts, 'all names') ?? '')
  return {
    totals: { version, files: files ?? 0, folders: folders ?? 0, bytes: bytes ?? 0 },
    version: Math.max(
      version,
      numberOf(facts, 'version'),
      groups.has('drafts') ? newestOfDrafts(sql) : 0,
    ),
    config: textOf(facts, 'the rules'),
    isCovered: groups.has('drafts') && hasDrafts(sql),
    has: {
      drafts: groups.has('drafts'),
      requests: groups.has('requests'),
      apps: groups.has('apps'),
      skills: groups.has('skills'),
      checkpoints: groups.has('checkpoints'),
    },
  }
}

/** The newest version of a change of a draft whose rows are there. */
const newestOfDrafts = (sql: SqlStorage): number =>
  sql
    .exec<{ version: number }>('SELECT ifnull(max(version), 0) AS version FROM draft_changes')
    .one().version

function numberOf(facts: Facts, name: string): number {
  return Number(facts.get(name)?.value ?? 0)
}

function textOf(facts: Facts, name: string): string | null {
  const value = facts.get(name)?.value ?? null
  return value === null ? null : String(value)
}

/**
 * The properties that WebDAV clients store. Each link has its own: a property is neither reviewed nor approved, so no
 * other caller reads it. They go where the file goes, also by a move of another caller, and end with the session of the link.
 *
 * `test/worker/dav/properties.test.ts` has the cases.
 *
 * @module
 */

import { rangeBelow, rebase, type StorePath } from '#core/path.ts'
import { keepNewest, keepShares } from '../database/shares.ts'
import { hasTables, tablesOf, type Tables } from '../database/table-groups.ts'
import type { AppliedSteps, Step } from '../store/store.ts'
import { MAX_PROPERTIES, MAX_WORKSPACE_PROPERTIES } from './limits.ts'

/** The properties of one resource: XML by the name, as {@link keyOf} writes it. */
export type StoredProperties = ReadonlyMap<string, string>

/** A property that a link stores. */
export interface NewProperty {
  readonly session: string
  readonly budget: string
  readonly path: StorePath
  readonly name: string
  /** The whole element as XML. */
  readonly value: string
}

/** The properties of a workspace. */
export type Properties = ReturnType<typeof createProperties>

const ROWS = { table: 'dav_properties', id: 'seq' }

/** Opens the table. */
export function createProperties(database: SqlStorage) {
  const sql = tablesOf(database, 'dav')
  const exists = () => hasTables(database, 'dav')
  return {
    /** Reads those of a link at some paths; null if they have more than `most` code units of XML. */
    of: (session: string, paths: readonly StorePath[], most = Infinity) =>
      exists() ? readProperties(sql, { session, paths, most }) : NONE,
    set(property: NewProperty): void {
      writeProperty(sql, property)
      keepFew(sql, property.budget)
    },
    remove(session: string, path: StorePath, name: string): void {
      sql.exec(
        'DELETE FROM dav_properties WHERE session = ? AND path = ? AND name = ?',
        ...[session, path, name],
      )
    },
    /** Drops those of a link at and below a path. */
    drop: (session: string, path: StorePath) => dropOf(sql, session, path),
    /** Copies those of a link at and below a path, in place of what is at the other. */
    copy(session: string, from: StorePath, to: StorePath): void {
      if (exists()) copyProperties(sql, { session, from, to })
    },
    /** Takes those of a link along with a change that waits in its draft. */
    carry(session: string, steps: readonly Step[]): void {
      if (exists()) for (const step of steps) carryStep(sql, step, session)
    },
    /** Takes all along with what was applied. Those of the link that proposed it went when it did. */
    applied(changes: readonly AppliedSteps[]): void {
      if (!exists()) return
      for (const { change, steps } of changes) {
        const proposer = change.approval === null ? null : change.actor.session
        for (const session of sessionsBut(sql, proposer, steps))
          for (const step of steps) carryStep(sql, step, session)
      }
    },
    sessionEnded(session: string): void {
      sql.exec('DELETE FROM dav_properties WHERE session = ?', session)
    },
  }
}

interface Row extends Record<string, SqlStorageValue> {
  path: string
  name: string
  value: string
}

const NONE: ReadonlyMap<StorePath, StoredProperties> = new Map()

interface Wanted {
  readonly session: string
  readonly paths: readonly StorePath[]
  readonly most: number
}

function readProperties(sql: Tables, { session, paths, most }: Wanted) {
  const rows = sql.exec<Row>(
    `SELECT path, name, value FROM dav_properties
     WHERE session = ? AND path IN (SELECT value FROM json_each(?)) ORDER BY path, name`,
    ...[session, JSON.stringify(paths)],
  )
  const found = new Map<StorePath, Map<string, string>>()
  const known = new Map<string, StorePath>(paths.map((path) => [path, path]))
  let length = 0
  for (const { path: text, name, value } of rows) {
    const path = known.get(text)
    if (path === undefined) continue
    length += value.length
    if (length > most) return null
    const own = found.get(path) ?? new Map<string, string>()
    found.set(path, own.set(name, value))
  }
  return found as ReadonlyMap<StorePath, StoredProperties>
}

function writeProperty(sql: Tables, { session, budget, path, name, value }: NewProperty): void {
  sql.exec(
    `INSERT OR REPLACE INTO dav_properties (session, budget, path, name, value)
     VALUES (?, ?, ?, ?, ?)`,
    ...[session, budget, path, name, value],
  )
}

function keepFew(sql: Tables, budget: string): void {
  keepNewest(sql, ROWS, budget, MAX_PROPERTIES)
  keepShares(sql, ROWS, MAX_WORKSPACE_PROPERTIES)
}

function dropOf(sql: Tables, session: string, path: StorePath): void {
  const { low, high } = rangeBelow(path)
  sql.exec(
    'DELETE FROM dav_properties WHERE session = ?1 AND (path = ?2 OR (path >= ?3 AND path < ?4))',
    ...[session, path, low, high],
  )
}

interface Copy {
  readonly session: string
  readonly from: StorePath
  readonly to: StorePath
}

function copyProperties(sql: Tables, { session, from, to }: Copy): void {
  dropOf(sql, session, to)
  const { low, high } = rangeBelow(from)
  const rows = sql
    .exec<Row & { budget: string }>(
      `SELECT path, name, value, budget FROM dav_properties
       WHERE session = ?1 AND (path = ?2 OR (path >= ?3 AND path < ?4)) ORDER BY seq LIMIT ?5`,
      ...[session, from, low, high, MAX_PROPERTIES],
    )
    .toArray()
  for (const { path, name, value, budget } of rows) {
    // Only this module writes the rows.
    const target = rebase(path as StorePath, from, to)
    writeProperty(sql, { session, budget, path: target, name, value })
  }
  const [first] = rows
  if (first) keepFew(sql, first.budget)
}

function carryStep(sql: Tables, step: Step, session: string): void {
  if (step.type === 'remove') dropOf(sql, session, step.path)
  if (step.type !== 'move') return
  dropOf(sql, session, step.to)
  const { low, high } = rangeBelow(step.from)
  sql.exec(
    `UPDATE dav_properties SET path = ?5 || substr(path, length(?2) + 1)
     WHERE session = ?1 AND (path = ?2 OR (path >= ?3 AND path < ?4))`,
    ...[session, step.from, low, high, step.to],
  )
}

/** Returns the links with properties that steps concern, without one. */
function sessionsBut(sql: Tables, one: string | null, steps: readonly Step[]): string[] {
  const moves = steps.some(({ type }) => type === 'remove' || type === 'move')
  if (!moves) return []
  const rows = sql.exec<{ session: string }>('SELECT DISTINCT session FROM dav_properties')
  return rows.toArray().flatMap(({ session }) => (session === one ? [] : [session]))
}

/**
 * The tables of decisions on approved folders: for each name the last one, with the files and the manifest that it was
 * made on. `test/worker/apps/apps.test.ts` tests it through the apps.
 *
 * @module
 */

import type { Actor } from '../audit/change-note.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'

/** The last decision on a folder. */
export interface Decision<Manifest> {
  readonly name: string
  readonly state: 'approved' | 'turned_down'
  /** The seal of its folder at that moment. */
  readonly seal: string
  readonly manifest: Manifest
  /** The version of the workspace at that moment. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly principal: string
}

interface Row extends Record<string, SqlStorageValue> {
  name: string
  state: string
  seal: string
  manifest: string
  version: number
  at: number
  principal: string
}

/** The table of decisions of one kind. */
export interface DecisionTable<Manifest> {
  readonly find: (name: string) => Decision<Manifest> | null
  /** The names of all folders with a decision. */
  readonly names: () => string[]
  /** Those that are approved, whether or not their files are still the same; the one approved last is last. */
  readonly approved: () => Decision<Manifest>[]
  readonly write: (decision: Omit<Decision<Manifest>, 'principal'>, actor: Actor) => void
  readonly delete: (name: string) => void
}

/** Opens a table. It is small and read by every list, so its rows are kept in memory. `has`: whether it may have rows. */
export function createDecisionTable<Manifest>(
  database: SqlStorage,
  table: 'apps' | 'skills',
  has: boolean,
): DecisionTable<Manifest> {
  const sql = tablesOf(database, table)
  const rows = new Map(has ? readRows<Manifest>(sql, table) : [])
  return {
    find: (name) => rows.get(name) ?? null,
    names: () => [...rows.keys()],
    approved: () => [...rows.values()].filter(({ state }) => state === 'approved'),
    write: (decision, { principal }) => {
      const { name, state, seal, manifest, version, at } = decision
      sql.exec(
        `INSERT OR REPLACE INTO ${table} (name, state, seal, manifest, version, at, principal)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[name, state, seal, JSON.stringify(manifest), version, at, principal],
      )
      // Its place is that of this decision, as that of its row is.
      rows.delete(name)
      rows.set(name, { ...decision, principal })
    },
    delete: (name) => {
      sql.exec(`DELETE FROM ${table} WHERE name = ?`, name)
      rows.delete(name)
    },
  }
}

const readRows = <Manifest>(sql: Tables, table: string) =>
  Array.from(
    sql.exec<Row>(`SELECT * FROM ${table} ORDER BY rowid`),
    (row) => [row.name, decisionOf<Manifest>(row)] as const,
  )

function decisionOf<Manifest>({
  name,
  seal,
  version,
  at,
  principal,
  ...row
}: Row): Decision<Manifest> {
  // Only this module writes the rows.
  const state = row.state as Decision<Manifest>['state']
  const manifest = JSON.parse(row.manifest) as Manifest
  return { name, state, seal, manifest, version, at, principal }
}

/**
 * The table of decisions on apps: for each name the last one, with the files and the manifest that it was made on.
 * `test/worker/apps/apps.test.ts` tests it through the apps.
 *
 * @module
 */

import type { Actor } from '../audit/change-note.ts'
import { ANY, type Present } from '../store/open/opening.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import type { Manifest } from './manifest.ts'

/** The last decision on an app. */
export interface AppDecision {
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

/** The table of decisions on apps. */
export type AppTable = ReturnType<typeof createAppTable>

/** Opens the table. It is small and read by every list of tools, so its rows are kept in memory. */
export function createAppTable(database: SqlStorage, { apps }: Pick<Present, 'apps'> = ANY) {
  const sql = tablesOf(database, 'apps')
  const rows = new Map(apps ? readRows(sql) : [])
  return {
    find: (name: string): AppDecision | null => rows.get(name) ?? null,
    /** The names of all apps with a decision. */
    names: (): string[] => [...rows.keys()],
    /** The approved apps, whether or not their files are still the same; the one that was approved last is last. */
    approved: (): AppDecision[] => [...rows.values()].filter(({ state }) => state === 'approved'),
    write(decision: Omit<AppDecision, 'principal'>, { principal }: Actor): void {
      const { name, state, seal, manifest, version, at } = decision
      sql.exec(
        `INSERT OR REPLACE INTO apps (name, state, seal, manifest, version, at, principal)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[name, state, seal, JSON.stringify(manifest), version, at, principal],
      )
      // Its place is that of this decision, as that of its row is.
      rows.delete(name)
      rows.set(name, { ...decision, principal })
    },
    delete(name: string): void {
      sql.exec('DELETE FROM apps WHERE name = ?', name)
      rows.delete(name)
    },
  }
}

const readRows = (sql: Tables) =>
  Array.from(
    sql.exec<Row>('SELECT * FROM apps ORDER BY rowid'),
    (row) => [row.name, decisionOf(row)] as const,
  )

function decisionOf({ name, seal, version, at, principal, ...row }: Row): AppDecision {
  // Only this module writes the rows.
  const state = row.state as AppDecision['state']
  return {
    name,
    state,
    seal,
    manifest: JSON.parse(row.manifest) as Manifest,
    version,
    at,
    principal,
  }
}

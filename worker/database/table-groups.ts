/**
 * Groups of tables that are created when one of them gets its first row (`rare-tables.ts`), and the only place that
 * knows whether a group exists.
 *
 * A service reads and writes its tables through {@link tablesOf}, as if they were always there: without them a query
 * finds no rows, an update or a deletion does nothing, and an insertion creates them. Which groups exist is read once and
 * kept in memory, so a transaction that creates one must run in {@link transaction}, which forgets it with the rollback.
 * `test/worker/database/table-groups.test.ts` has the cases.
 *
 * @module
 */

import { RARE_TABLES } from './rare-tables.ts'

/** A group of tables. */
export type TableGroup = keyof typeof RARE_TABLES

/** Access to the tables of a group, or to a whole database. */
export type Tables = Pick<SqlStorage, 'exec'>

const GROUPS = Object.keys(RARE_TABLES) as TableGroup[] // `Object.keys` forgets the keys' type

/** What is known of a group from its statements. */
interface Facts {
  readonly tables: readonly string[]
  /** The table or index that is created last: a group of which this exists is complete. */
  readonly last: string
  /** Common table expressions that stand for the tables, without rows. */
  readonly empty: string
}

const CREATED = /CREATE (TABLE|INDEX) IF NOT EXISTS (\w+)([^;]*);/g

/** A column is the first word of its line; the words of constraints are in upper case. */
const COLUMN = /^\s+([a-z_]+) [A-Z]/gm

const FACTS = Object.fromEntries(
  GROUPS.map((group) => [group, factsOf(RARE_TABLES[group])]),
) as Readonly<Record<TableGroup, Facts>> // one entry for each group

function factsOf(statements: string): Facts {
  const created = [...statements.matchAll(CREATED)]
  const tables = created.filter(([, kind]) => kind === 'TABLE')
  return {
    tables: tables.map(([, , name = '']) => name),
    last: created.at(-1)?.[2] ?? '',
    empty: tables.map(([, , name = '', body = '']) => emptyTable(name, body)).join(', '),
  }
}

function emptyTable(name: string, body: string): string {
  const columns = [...body.matchAll(COLUMN)].map(([, column]) => column)
  // Columns of a table: SQLite would count a row as read where it sorts constants.
  const none = `SELECT ${columns.map(() => 'value').join(', ')} FROM meta WHERE false`
  return `${name} (${columns.join(', ')}) AS (${none})`
}

/** An SQL expression that names all tables and indexes, for {@link knowGroups}. Selecting some takes longer. */
export const ALL_NAMES = '(SELECT group_concat(name) FROM sqlite_schema)'

/** The groups that exist, by database. */
const known = new WeakMap<Tables, ReadonlySet<TableGroup>>()

/** The names that were read last with their groups: most workspaces have the same. */
let recent: { readonly names: string; readonly groups: ReadonlySet<TableGroup> } | null = null

/** Remembers which groups a database has. `names` is the value of {@link ALL_NAMES}. */
export function knowGroups(sql: Tables, names: string): ReadonlySet<TableGroup> {
  if (recent?.names !== names) recent = { names, groups: findGroups(names.split(',')) }
  known.set(sql, recent.groups)
  return recent.groups
}

const findGroups = (names: readonly string[]) =>
  new Set(GROUPS.filter((group) => names.includes(FACTS[group].last)))

/** Forgets which groups a database has, after its tables were changed by something else. */
export function forgetGroups(sql: Tables): void {
  known.delete(sql)
}

function groupsOf(sql: Tables): ReadonlySet<TableGroup> {
  const groups = known.get(sql)
  if (groups) return groups
  const names = sql.exec<{ names: string | null }>(`SELECT ${ALL_NAMES} AS names`).one().names
  return knowGroups(sql, names ?? '')
}

/** Whether a group exists. Otherwise its tables have no rows. */
export const hasTables = (sql: Tables, group: TableGroup): boolean => groupsOf(sql).has(group)

/** Creates a group, if it does not exist. */
export function createTables(sql: Tables, group: TableGroup): void {
  const groups = groupsOf(sql)
  if (groups.has(group)) return
  sql.exec(RARE_TABLES[group])
  known.set(sql, new Set([...groups, group]))
}

/** Gives access to the tables of a group, which need not exist. Statements may use other tables as well. */
export function tablesOf(sql: SqlStorage, group: TableGroup): Tables {
  return {
    exec(query, ...bindings) {
      if (!hasTables(sql, group)) {
        if (READS.test(query)) return sql.exec(withEmpty([group], query), ...bindings)
        if (NEEDS_ROWS.test(query)) return sql.exec(NOTHING)
        createTables(sql, group)
      }
      return sql.exec(query, ...bindings)
    },
  }
}

/** Gives the tables of several groups to `SELECT` statements. */
export const readTables = (sql: SqlStorage, ...groups: TableGroup[]): Tables => ({
  exec(query, ...bindings) {
    const missing = groups.filter((group) => !hasTables(sql, group))
    return sql.exec(missing.length === 0 ? query : withEmpty(missing, query), ...bindings)
  },
})

const withEmpty = (groups: readonly TableGroup[], query: string) =>
  `WITH ${groups.map((group) => FACTS[group].empty).join(', ')} ${query}`

const READS = /^\s*SELECT\b/
const NEEDS_ROWS = /^\s*(?:UPDATE|DELETE)\b/

/** In place of an update or a deletion that would find no row. */
const NOTHING = 'SELECT NULL WHERE false'

/** Runs work in a transaction. Groups that it has created are forgotten if it fails, as they are gone. */
export function transaction<T>(
  storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>,
  work: () => T,
): T {
  const { sql } = storage
  const before = known.get(sql)
  try {
    return storage.transactionSync(work)
  } catch (error) {
    if (known.get(sql) !== before) forgetGroups(sql)
    throw error
  }
}

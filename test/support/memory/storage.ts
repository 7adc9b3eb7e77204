/**
 * `DurableObjectStorage` in memory: tables, pairs of keys and values, transactions, and the time of the alarm.
 *
 * `test/worker/memory/platform.test.ts` holds it to workerd.
 *
 * @module
 */

import { DatabaseSync } from 'node:sqlite'
import { createMemorySql } from './sql.ts'

/** Called when the alarm is set to a time (ms since 1970), or deleted (null). */
type AlarmListener = (time: number | null) => void

/** Creates the storage of one object. It outlives the instances of the object. */
export function createMemoryStorage(alarmSet: AlarmListener): DurableObjectStorage {
  const database = new DatabaseSync(':memory:')
  let alarm: number | null = null
  const setAlarm = async (time: number | Date | null) => {
    alarm = time === null ? null : Number(time)
    alarmSet(alarm)
  }
  const storage = {
    sql: createMemorySql(database),
    kv: createMemoryKv(),
    transactionSync: createTransactions(database),
    getAlarm: async () => alarm,
    setAlarm,
    deleteAlarm: () => setAlarm(null),
    sync: async () => undefined,
    deleteAll: async () => dropTables(database),
  }
  // Of the storage, the Worker uses these members only; another one throws, because it is undefined.
  return storage as unknown as DurableObjectStorage
}

/** Drops every table. The shadow tables of a search index go with it. */
function dropTables(database: DatabaseSync): void {
  const query = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  for (const { name } of database
    .prepare(`${query} ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC`)
    .all())
    database.exec(`DROP TABLE IF EXISTS "${String(name)}"`)
}

/** Transactions nest as savepoints. */
function createTransactions(database: DatabaseSync) {
  let depth = 0
  return <T>(work: () => T): T => {
    const name = `transaction_${depth++}`
    database.exec(`SAVEPOINT ${name}`)
    try {
      const result = work()
      database.exec(`RELEASE ${name}`)
      return result
    } catch (error) {
      database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`)
      throw error
    } finally {
      depth--
    }
  }
}

/** Values are copied in and out, as a store on disk does. */
function createMemoryKv() {
  const values = new Map<string, unknown>()
  return {
    get: (key: string) => structuredClone(values.get(key)),
    put: (key: string, value: unknown) => void values.set(key, structuredClone(value)),
    delete: (key: string) => values.delete(key),
    list: ({ prefix = '' }: { prefix?: string } = {}) =>
      [...values]
        .filter(([key]) => key.startsWith(prefix))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }
}

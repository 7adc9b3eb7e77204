/**
 * The tables of the notifier. Its object has none of a workspace; `worker/database/SCHEMA.md` describes them.
 *
 * @module
 */

const TABLES = `
  CREATE TABLE IF NOT EXISTS notifier (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS devices (
    id TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    label TEXT NOT NULL,
    added INTEGER NOT NULL,
    delivered INTEGER,
    failing INTEGER NOT NULL,
    tested INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS summaries (
    workspace TEXT PRIMARY KEY,
    summary TEXT NOT NULL,
    waiting INTEGER NOT NULL,
    at INTEGER NOT NULL,
    notice INTEGER NOT NULL,
    notified INTEGER,
    due INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deliveries (
    workspace TEXT NOT NULL,
    receiver TEXT NOT NULL,
    notice INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (workspace, receiver)
  ) STRICT, WITHOUT ROWID;
`

/** Creates the tables that do not exist. */
export const createTables = (sql: SqlStorage): void => void sql.exec(TABLES)

/** Reads a value of the notifier itself; null if it was never written. */
export function readValue(sql: SqlStorage, name: string): string | null {
  const rows = sql.exec<{ value: string }>('SELECT value FROM notifier WHERE name = ?', name)
  return rows.toArray()[0]?.value ?? null
}

/** Writes a value of the notifier itself. */
export function writeValue(sql: SqlStorage, name: string, value: string): void {
  sql.exec('INSERT OR REPLACE INTO notifier (name, value) VALUES (?, ?)', name, value)
}

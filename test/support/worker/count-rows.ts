/** Rows that statements read and write, as Cloudflare bills them. @module */

/** A storage that counts the rows of its statements since the last time. */
export function counting(storage: DurableObjectStorage) {
  let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const exec = (query: string, ...bindings: unknown[]) => {
    const cursor = storage.sql.exec(query, ...bindings)
    cursors.push(cursor)
    return cursor
  }
  const sql = new Proxy(storage.sql, { get: (_, key) => (key === 'exec' ? exec : undefined) })
  const transactionSync = <T>(work: () => T) => storage.transactionSync(work)
  const counted = new Proxy(storage, {
    get: (_, key) => (key === 'sql' ? sql : transactionSync),
  })
  const rows = () => {
    const read = cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
    const written = cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
    cursors = []
    return { read, written }
  }
  return { storage: counted, rows }
}

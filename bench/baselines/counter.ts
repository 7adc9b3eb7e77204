/**
 * Counts what Cloudflare bills of a Durable Object's storage: rows read and written, as SQLite's own cursors report
 * them, and R2 operations. The storage is the real one; only the calls are noted.
 *
 * It is used by the Workers whose cost the benchmark prints, and by `test/platform/observe/cost.test.ts`.
 *
 * @module
 */

/** What was used since the last {@link Counter.take}. */
export interface Usage {
  rowsRead: number
  rowsWritten: number
  /** Those of the rows written that are an alarm, set or deleted. */
  alarms: number
  /** R2 operations that change or list: put, list, multipart uploads. */
  classA: number
  /** R2 operations that read: get, head. */
  classB: number
  /** R2 operations that are free. */
  deletes: number
}

/** A running count. */
export interface Counter {
  /** Returns what was used, and starts again from zero. */
  take(): Usage
}

const NONE: Usage = {
  rowsRead: 0,
  rowsWritten: 0,
  alarms: 0,
  classA: 0,
  classB: 0,
  deletes: 0,
}

const CLASS_A = new Set(['put', 'list', 'createMultipartUpload', 'resumeMultipartUpload'])
const CLASS_B = new Set(['get', 'head'])

/** Starts to count. Call it before anything has read `storage.sql`, or the functions of the bucket. */
export function countUsage(storage: DurableObjectStorage, bucket?: R2Bucket): Counter {
  const cursors = new Set<Pick<SqlStorageCursor<never>, 'rowsRead' | 'rowsWritten'>>()
  const usage = { ...NONE }
  noteCursors(storage.sql, (cursor) => cursors.add(cursor))
  // Setting or deleting an alarm is billed as one row written.
  for (const name of ['setAlarm', 'deleteAlarm'] as const)
    noteCalls(storage, name, () => {
      usage.rowsWritten++
      usage.alarms++
    })
  if (bucket) countOperations(bucket, usage)
  return {
    take() {
      for (const { rowsRead, rowsWritten } of cursors) {
        usage.rowsRead += rowsRead
        usage.rowsWritten += rowsWritten
      }
      cursors.clear()
      const taken = { ...usage }
      Object.assign(usage, NONE)
      return taken
    },
  }
}

/** A cursor counts while it is read, so it is kept until the counts are taken. */
function noteCursors(
  sql: SqlStorage,
  note: (cursor: Pick<SqlStorageCursor<never>, 'rowsRead' | 'rowsWritten'>) => void,
): void {
  const exec = sql.exec.bind(sql)
  sql.exec = <T extends Record<string, SqlStorageValue>>(query: string, ...bindings: unknown[]) => {
    const cursor = exec<T>(query, ...bindings)
    note(cursor)
    return cursor
  }
}

function countOperations(bucket: R2Bucket, usage: Usage): void {
  for (const name of CLASS_A) noteCalls(bucket, name, () => usage.classA++)
  for (const name of CLASS_B) noteCalls(bucket, name, () => usage.classB++)
  noteCalls(bucket, 'delete', () => usage.deletes++)
}

/** Replaces a function of an object by one that notes each call. */
function noteCalls(object: object, name: string, note: () => void): void {
  const original: unknown = Reflect.get(object, name)
  if (typeof original !== 'function') return
  Reflect.set(object, name, (...args: unknown[]) => {
    note()
    return Reflect.apply(original, object, args)
  })
}

/** Returns the same namespace, whose objects note each request that is sent to them. */
export function countRequests<T extends DurableObjectNamespace>(namespace: T, note: () => void): T {
  return new Proxy(namespace, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args)
        // An id has no `fetch`.
        if (name === 'get' && typeof result === 'object' && result !== null)
          noteCalls(result, 'fetch', note)
        return result
      }
    },
  })
}

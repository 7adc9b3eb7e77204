/**
 * A lock between processes: one of SQLite, which the operating system releases with the process, however it ends. A process
 * id in a file could not tell: the system gives it to another process later, and in a container to the next start. Tested
 * by `test/data-folder.test.ts` and `test/e2e/sync.test.ts`.
 *
 * @module
 */

import { DatabaseSync } from 'node:sqlite'

/** `SQLITE_BUSY`. */
const BUSY = 5

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === BUSY

/** Takes the lock of a file until it is closed or the process ends; null if another process has it. */
export function takeLock(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    return null
  }
}

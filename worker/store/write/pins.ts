/**
 * Pins: files that are kept as they were, beside history. A pinned file is a row that names its blob, as versions do, so
 * nothing is copied, and no change, rename or dropped version takes its content away.
 *
 * `test/worker/store/pins.test.ts` tests it.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import { tablesOf } from '../../database/table-groups.ts'
import type { Blobs } from '../content/blobs.ts'
import type { FileEntry, Pins } from '../store.ts'

/** A row of `pinned_files`. */
interface Row extends Record<string, SqlStorageValue> {
  path: StorePath
  blob: number
  size: number
  mime: string
  version: number
  mtime: number
}

interface PinParts {
  readonly storage: Pick<DurableObjectStorage, 'sql'>
  readonly blobs: Blobs
}

/** Opens the pins of a workspace. */
export function createPins({ storage, blobs }: PinParts): Pins {
  const sql = tablesOf(storage.sql, 'pages')
  return {
    add(pin, files) {
      const insert = `INSERT INTO pinned_files (link, path, blob, size, mime, version, mtime)
        VALUES (?, ?, ?, ?, ?, ?, ?)`
      for (const { path, blob, size, mime, version, mtime } of files)
        sql.exec(insert, pin, path, blob, size, mime, version, mtime)
    },
    list(pin, path) {
      const { low, high } = rangeBelow(path)
      const query = `SELECT path, blob, size, mime, version, mtime FROM pinned_files
        WHERE link = ?1 AND (path = ?2 OR (path >= ?3 AND path < ?4)) ORDER BY path`
      return Array.from(sql.exec<Row>(query, pin, path, low, high), entryOf)
    },
    drop: (pin) => {
      const query = 'DELETE FROM pinned_files WHERE link = ? RETURNING blob, path'
      blobs.dropUnnamed(sql.exec<Row>(query, pin).toArray())
    },
  }
}

const entryOf = (row: Row): FileEntry => ({ type: 'file', ...row })

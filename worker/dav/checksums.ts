/**
 * MD5 and SHA-1 of uploads whose client named one of them, by SHA-256: programs such as rclone compare files by these.
 *
 * A checksum is shown of a file that the caller reads, so the table needs no owner. `test/worker/dav/checksums.test.ts`
 * tests it.
 *
 * @module
 */

import { tablesOf } from '../database/table-groups.ts'
import { MAX_CHECKSUMS } from './limits.ts'

/** The checksums of a content, in lower-case hexadecimal. */
export interface KnownSums {
  readonly md5: string
  readonly sha1: string
}

/** The checksums of a workspace. */
export type Checksums = ReturnType<typeof createChecksums>

interface Row extends Record<string, SqlStorageValue> {
  hash: string
  md: string
  sha: string
}

/** Opens the table. */
export function createChecksums(database: SqlStorage) {
  const sql = tablesOf(database, 'dav')
  return {
    /** Remembers the checksums of a content. */
    add(hash: string, { md5, sha1 }: KnownSums): void {
      sql.exec(
        'INSERT OR IGNORE INTO dav_checksums (hash, md, sha) VALUES (?, ?, ?)',
        ...[hash, md5, sha1],
      )
      sql.exec(
        'DELETE FROM dav_checksums WHERE seq <= (SELECT max(seq) FROM dav_checksums) - ?',
        MAX_CHECKSUMS,
      )
    },
    /** Finds those that are known. */
    of(hashes: readonly string[]): ReadonlyMap<string, KnownSums> {
      const rows = sql.exec<Row>(
        `SELECT hash, md, sha FROM dav_checksums
         WHERE hash IN (SELECT value FROM json_each(?))`,
        JSON.stringify(hashes),
      )
      return new Map(rows.toArray().map(({ hash, md, sha }) => [hash, { md5: md, sha1: sha }]))
    },
  }
}

/**
 * The table of leases. Few rows are kept, so they are read once and kept in memory, because every call asks for them.
 * `test/worker/leases/leases.test.ts` tests it through the service.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Lease } from '../access/lease.ts'
import { hasTables, tablesOf } from '../database/table-groups.ts'

interface Row extends Record<string, SqlStorageValue> {
  id: string
  kind: string
  path: string
  deep: number
  owner: string
  principal: string
  session: string | null
  label: string | null
  client: string | null
  budget: string
  note: string
  taken: number
  until: number
}

const COLUMNS =
  'id, kind, path, deep, owner, principal, session, label, client, budget, note, taken, until'

/** The kind of a shared lock in the table. */
const SHARED = 'shared lock'

/** The table of leases of one workspace. */
export type LeaseTable = ReturnType<typeof createLeaseTable>

/** Opens the table. */
export function createLeaseTable(database: SqlStorage) {
  const sql = tablesOf(database, 'leases')
  let kept: readonly Lease[] | null = null
  const forget = (): void => {
    kept = null
  }
  const write = (query: string, ...values: SqlStorageValue[]): void => {
    forget()
    sql.exec(query, ...values)
  }
  return {
    /** All rows, the oldest first. No query where there never was one. */
    all(): readonly Lease[] {
      if (!hasTables(database, 'leases')) return []
      const query = `SELECT ${COLUMNS} FROM leases ORDER BY taken, path, id`
      kept ??= Array.from(sql.exec<Row>(query), leaseOf)
      return kept
    },
    add: (lease: Lease): void => {
      const { id, path, isDeep, isShared, holder, note, taken, until } = lease
      const kind = isShared ? SHARED : lease.kind
      const { key, principal, session, label, client, budget } = holder
      write(
        `INSERT INTO leases (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, kind, path, isDeep ? 1 : 0, key, principal, session, label, client, budget],
        ...[note, taken, until],
      )
    },
    renew: ({ id, isDeep, note, until }: Lease): void => {
      const query = 'UPDATE leases SET deep = ?, note = ?, until = ? WHERE id = ?'
      write(query, isDeep ? 1 : 0, note, until, id)
    },
    remove: (id: string): void => write('DELETE FROM leases WHERE id = ?', id),
    /** Forgets what is in memory, after a transaction that failed. */
    forget,
  }
}

/** Only {@link createLeaseTable} writes the rows, with parsed paths. */
function leaseOf({ id, kind, path, deep, note, taken, until, owner: key, ...row }: Row): Lease {
  const { principal, session, label, client, budget } = row
  return {
    ...{ id, kind: kind === 'lease' ? 'lease' : 'lock', path: path as StorePath },
    ...{ isDeep: deep === 1, note, taken, until },
    ...(kind === SHARED && { isShared: true }),
    holder: { key, principal, session, label, client, budget },
  }
}

/**
 * The table of trust that is in force. A row that ends is deleted; the audit log keeps that there was one.
 * `test/worker/trust/life.test.ts` tests it through the service.
 *
 * @module
 */

import { RISKS } from '#core/owner/answers/drafts.ts'
import { parsePath } from '#core/path.ts'
import type { Trust } from '../access/trust.ts'
import { hasTables, tablesOf } from '../database/table-groups.ts'

/** Trust as it is stored. Times are in milliseconds since 1970. */
export interface StoredTrust extends Trust {
  readonly given: number
  /** The id of the passkey that approved it; null without one. */
  readonly passkey: string | null
}

interface Row extends Record<string, SqlStorageValue> {
  id: string
  session: string
  folder: string
  tools: string
  kinds: string
  given: number
  until: number
  passkey: string | null
}

const COLUMNS = 'id, session, folder, tools, kinds, given, until, passkey'

/** The table of trust of one workspace. */
export type TrustTable = ReturnType<typeof createTrustTable>

/** Opens the table. */
export function createTrustTable(database: SqlStorage) {
  const sql = tablesOf(database, 'trust')
  return {
    /** All rows, the one that ends first before the others. No query where there never was one. */
    all: (): StoredTrust[] =>
      hasTables(database, 'trust')
        ? sql.exec<Row>(`SELECT ${COLUMNS} FROM trusts ORDER BY until, id`).toArray().map(trustOf)
        : [],
    add: (trust: StoredTrust): void => {
      sql.exec(
        `INSERT INTO trusts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[trust.id, trust.session, trust.folder, JSON.stringify(trust.tools)],
        ...[JSON.stringify(trust.kinds), trust.given, trust.until, trust.passkey],
      )
    },
    remove: (id: string): void => void sql.exec('DELETE FROM trusts WHERE id = ?', id),
  }
}

/** Only {@link createTrustTable} writes the rows. */
function trustOf({ tools, kinds, folder, ...row }: Row): StoredTrust {
  const ticked: unknown[] = JSON.parse(kinds)
  return {
    ...{ id: row.id, session: row.session, folder: parsePath(folder) },
    tools: JSON.parse(tools),
    kinds: RISKS.filter((risk) => ticked.includes(risk)),
    ...{ given: row.given, until: row.until, passkey: row.passkey },
  }
}

/**
 * The table of passkeys. `test/worker/passkeys/passkeys.test.ts` tests it through the routes.
 *
 * @module
 */

import { tablesOf, type Tables } from '../database/table-groups.ts'

/** A passkey of the owner. Times are in milliseconds since 1970. */
export interface Passkey {
  /** The public id. */
  readonly id: string
  /** The id of the credential, in base64url. */
  readonly credential: string
  /** The public key as COSE. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** The signature counter of the authenticator; 0 where it does not count. */
  readonly counter: number
  /** How browsers reach the authenticator. */
  readonly transports: readonly string[]
  /** The host name for which it was registered (the RP ID). Browsers use it on no other. */
  readonly host: string
  readonly label: string
  readonly created: number
  /** When it was used last; null if never. */
  readonly used: number | null
  /** When it will be removed; null if that was not requested. */
  readonly removal: number | null
}

interface Row extends Record<string, SqlStorageValue> {
  id: string
  credential: string
  public_key: ArrayBuffer
  counter: number
  transports: string
  host: string
  label: string
  created: number
  used: number | null
  removal: number | null
}

/** The passkeys of one workspace. */
export type PasskeyTable = ReturnType<typeof createPasskeyTable>

export function createPasskeyTable(database: SqlStorage) {
  const sql = tablesOf(database, 'passkeys')
  const read = (condition: string, ...bindings: SqlStorageValue[]) =>
    Array.from(
      sql.exec<Row>(`SELECT * FROM passkeys ${condition} ORDER BY created, id`, ...bindings),
      passkeyOf,
    )
  return {
    all: () => read(''),
    find: (id: string): Passkey | null => read('WHERE id = ?', id)[0] ?? null,
    /** Finds a passkey by the id of its credential. */
    ofCredential: (credential: string): Passkey | null =>
      read('WHERE credential = ?', credential)[0] ?? null,
    /** Passkeys whose waiting time is over. */
    due: (now: number) => read('WHERE removal <= ?', now),
    add: (passkey: Passkey) => insert(sql, passkey),
    rename: (id: string, label: string) =>
      void sql.exec('UPDATE passkeys SET label = ? WHERE id = ?', label, id),
    /** Records a use. Returns whether the counter has grown; it is 0 for authenticators without one. */
    use: (id: string, counter: number, now: number): boolean =>
      sql.exec(
        `UPDATE passkeys SET counter = ?, used = ?
         WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))`,
        ...[counter, now, id, counter, counter],
      ).rowsWritten > 0,
    /** Sets or cancels the time of a removal. */
    removeAt: (id: string, removal: number | null) =>
      void sql.exec('UPDATE passkeys SET removal = ? WHERE id = ?', removal, id),
    remove: (id: string) => void sql.exec('DELETE FROM passkeys WHERE id = ?', id),
  }
}

function insert(sql: Tables, passkey: Passkey): void {
  const { id, credential, publicKey, counter, transports, host, label, created } = passkey
  const key = publicKey.buffer.slice(
    publicKey.byteOffset,
    publicKey.byteOffset + publicKey.byteLength,
  )
  sql.exec(
    `INSERT INTO passkeys (id, credential, public_key, counter, transports, host, label, created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, credential, key, counter, transports.join(' '), host, label, created],
  )
}

function passkeyOf({ public_key: key, transports, ...row }: Row): Passkey {
  return {
    ...row,
    publicKey: new Uint8Array(key),
    transports: transports === '' ? [] : transports.split(' '),
  }
}

/**
 * History: the states that paths have had, and the changes that wrote them.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import { GONE } from './apply.ts'
import { COLUMNS, entryOf, type FileRow } from './entries.ts'
import type {
  AppliedChange,
  ChangeRecord,
  Content,
  Entry,
  FileEntry,
  TrailQuery,
  Version,
} from './store.ts'

interface ChangeRow extends Record<string, SqlStorageValue> {
  version: number
  id: string
  tool: string
  intent: string
  principal: string
  session: string | null
  label: string | null
  at: number
}

const CHANGE = 'c.version, c.id, c.tool, c.intent, c.principal, c.session, c.label, c.at'

/** Creates the queries of history. */
export function createHistory(sql: SqlStorage) {
  function history(path: StorePath, limit: number): Version[] {
    const rows = sql.exec<FileRow & ChangeRow>(
      `SELECT v.path, v.blob, v.size, v.mime, v.mtime, ${CHANGE}
       FROM versions v JOIN changes c ON c.version = v.version
       WHERE v.path = ? ORDER BY v.version DESC LIMIT ?`,
      path,
      limit,
    )
    return rows.toArray().map((row) => {
      const entry = entryOf(row)
      return { ...changeOf(row), file: entry.type === 'file' ? entry : null }
    })
  }

  function stateAt(path: StorePath, version: number): Entry | null | 'forgotten' {
    const row = sql
      .exec<FileRow>(
        `SELECT ${COLUMNS} FROM versions WHERE path = ? AND version <= ?
         ORDER BY version DESC LIMIT 1`,
        path,
        version,
      )
      .toArray()[0]
    if (!row) return version > 0 && isTrimmed(path) ? 'forgotten' : null
    return row.mime === GONE ? null : entryOf(row)
  }

  /** Whether older versions of a path were dropped, which is marked on the oldest kept one. */
  function isTrimmed(path: StorePath): boolean {
    const oldest = sql.exec<{ trimmed: number }>(
      'SELECT trimmed FROM versions WHERE path = ? ORDER BY version LIMIT 1',
      path,
    )
    return oldest.toArray()[0]?.trimmed === 1
  }

  function contentOf({ blob, size }: FileEntry): Content | null {
    const row = sql
      .exec<{ hash: ArrayBuffer; text: number }>('SELECT hash, text FROM blobs WHERE id = ?', blob)
      .toArray()[0]
    return row
      ? { hash: new Uint8Array(row.hash), size, text: row.text === 1, place: { type: 'blob' } }
      : null
  }

  function changesOf(id: string): AppliedChange[] {
    const changes = sql.exec<ChangeRow & { touched: number | null }>(
      `SELECT ${CHANGE}, c.paths AS touched FROM changes c WHERE c.id = ? ORDER BY c.version`,
      id,
    )
    return changes.toArray().map((row) => {
      const { touched } = row
      const paths = pathsOf(row.version)
      return { ...changeOf(row), paths, touched, complete: paths.length === touched }
    })
  }

  function pathsOf(version: number): StorePath[] {
    const rows = sql.exec<{ path: StorePath }>(
      'SELECT path FROM versions WHERE version = ? ORDER BY path',
      version,
    )
    return rows.toArray().map(({ path }) => path)
  }

  function trail({ limit, before, path, actor, since, until }: TrailQuery): ChangeRecord[] {
    const { low, high } = path ? rangeBelow(path) : { low: '', high: '' }
    const conditions: [string, ...(string | number | undefined)[]][] = [
      ['c.version < ?', before],
      ['? IN (c.principal, c.session, c.label)', actor],
      ['c.at >= ?', since],
      ['c.at <= ?', until],
      [
        `EXISTS (SELECT 1 FROM versions v WHERE v.version = c.version
         AND (v.path = ? OR (v.path >= ? AND v.path < ?)))`,
        path,
        low,
        high,
      ],
    ]
    const wanted = conditions.filter(([, value]) => value !== undefined)
    const where = wanted.length > 0 ? `WHERE ${wanted.map(([text]) => text).join(' AND ')}` : ''
    const rows = sql.exec<ChangeRow>(
      `SELECT ${CHANGE} FROM changes c ${where} ORDER BY c.version DESC LIMIT ?`,
      ...wanted.flatMap(([, ...values]) => values),
      limit,
    )
    return rows.toArray().map(changeOf)
  }

  return { history, stateAt, contentOf, changesOf, trail }
}

function changeOf({ principal, session, label, ...row }: ChangeRow): ChangeRecord {
  const { version, id, tool, intent, at } = row
  return { version, id, tool, intent, actor: { principal, session, label }, at }
}

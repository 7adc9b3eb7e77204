/**
 * Looking entries of the audit up, and reading them from their rows.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import type { ChainRow } from './audit-chain.ts'
import type { AuditEntry, Fate } from './audit-entry.ts'

/** An entry in its place. The hash is SHA-256 over the hash before and the entry, as hex. */
export interface ChainedEntry extends AuditEntry {
  readonly seq: number
  readonly hash: string
}

export interface AuditQuery {
  readonly limit: number
  /** Only entries before this one. */
  readonly before?: number | undefined
  readonly path?: StorePath | undefined
  readonly principal?: string | undefined
  readonly session?: string | undefined
  readonly outcome?: Fate | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** The columns of a {@link ChainRow}. */
export const ROW = 'seq, first_seq, entry, hash'

export function createFind(sql: SqlStorage) {
  /** The newest entries that are asked for, newest first. */
  return function find(query: AuditQuery): ChainedEntry[] {
    const { before, principal, session, outcome, since, until, path, limit } = query
    const { low, high } = path === undefined ? { low: '', high: '' } : rangeBelow(path)
    const conditions: [string, ...(string | number | undefined)[]][] = [
      ['seq < ?', before],
      ['principal = ?', principal],
      ['session = ?', session],
      ["entry ->> 'outcome' = ?", outcome],
      ['at >= ?', since],
      ['at <= ?', until],
      [
        `EXISTS (SELECT 1 FROM json_each(entry, '$.paths') p
         WHERE p.value = ? OR (p.value >= ? AND p.value < ?))`,
        path,
        low,
        high,
      ],
    ]
    const wanted = conditions.filter(([, value]) => value !== undefined)
    const where = ['first_seq IS NULL', ...wanted.map(([text]) => text)].join(' AND ')
    const rows = sql.exec<ChainRow>(
      `SELECT ${ROW} FROM audit WHERE ${where} ORDER BY seq DESC LIMIT ?`,
      ...wanted.flatMap(([, ...values]) => values),
      limit,
    )
    return rows.toArray().map(entryOf)
  }
}

export function entryOf({ seq, entry, hash }: ChainRow): ChainedEntry {
  // Written by `record`, which takes nothing else.
  return { seq, ...(JSON.parse(entry) as AuditEntry), hash }
}

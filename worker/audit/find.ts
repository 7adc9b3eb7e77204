/**
 * Queries of the audit log.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import type { ChainRow } from './chain.ts'
import type { AuditEntry, AuditOutcome } from './entry.ts'
import { findRows } from './log.ts'

/** An entry with its position. The hash is the SHA-256 of the previous hash and the entry, as hex. */
export interface ChainedEntry extends AuditEntry {
  readonly seq: number
  readonly hash: string
}

/** Filters for entries; all given ones must match. */
export interface AuditQuery {
  readonly limit: number
  /** Only entries whose `seq` is less. */
  readonly before?: number | undefined
  /** Only entries that name this path or one below it. */
  readonly path?: StorePath | undefined
  /** A principal, its address, a session, its label, or the name of its client. */
  readonly actor?: string | undefined
  readonly principal?: string | undefined
  readonly session?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  /** The earliest and the latest time, in milliseconds since 1970, both inclusive. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** The columns of a {@link ChainRow}. */
export const ROW = 'seq, first_seq, entry, hash'

/** The names of an actor that are in its entry only. */
const NAMES = ['label', 'client', 'email']

/** Creates the query of the audit log. */
export function createAuditQuery(sql: SqlStorage) {
  /** Returns matching entries, newest first. */
  return function find(query: AuditQuery): ChainedEntry[] {
    const { before, actor, principal, session, outcome, since, until, path, limit } = query
    const { low, high } = path === undefined ? { low: '', high: '' } : rangeBelow(path)
    const conditions: [string, ...(string | number | undefined)[]][] = [
      [
        `? IN (principal, session, ${NAMES.map((name) => `entry ->> '$.actor.${name}'`).join(', ')})`,
        actor,
      ],
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
    const values = wanted.flatMap(([, ...bound]) => bound.flatMap((value) => value ?? []))
    const rows = findRows<ChainRow>(sql, ROW, { before, where, values, newestFirst: true, limit })
    return rows.map(parseEntry)
  }
}

/** Parses a row that is not a tombstone. */
export function parseEntry({ seq, entry, hash }: ChainRow): ChainedEntry {
  // Only `record` writes entries, and it accepts this type only.
  return { seq, ...(JSON.parse(entry) as AuditEntry), hash }
}

/**
 * The audit: who asked for what, when, and what was decided, as a chain that only grows.
 *
 * Each entry carries the hash of the one before it, so nobody can change or leave out an entry in the
 * middle without being found out by {@link Audit.check}. What was applied is written in the same
 * transaction as the change; previews and refusals are written by the road of a call.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import { createHash } from 'node:crypto'
import { AUDIT_PATHS, MAX_AUDIT } from '../limits.ts'
import type { ChangeNote } from './note.ts'

export type Fate = 'applied' | 'previewed' | 'refused'

export interface AuditEntry extends Required<ChangeNote> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly outcome: Fate
  /** Null where nothing was applied. */
  readonly version: number | null
  /** The first {@link AUDIT_PATHS} of them. */
  readonly paths: readonly string[]
}

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

interface Row extends Record<string, SqlStorageValue> {
  seq: number
  entry: string
  hash: string
}

/** How many entries there are, and the first whose hash is not what it has to be. */
export interface Checked {
  readonly entries: number
  readonly broken: number | null
}

export type Audit = ReturnType<typeof createAudit>

/** Entries that are loaded at once where all of them are gone through. */
const PAGE = 500

export function createAudit(sql: SqlStorage) {
  function record(entry: AuditEntry): void {
    const last = newest()
    const seq = (last?.seq ?? 0) + 1
    const text = JSON.stringify({ ...entry, paths: entry.paths.slice(0, AUDIT_PATHS) })
    const { principal, session } = entry.actor
    sql.exec(
      'INSERT INTO audit (seq, at, principal, session, entry, hash) VALUES (?, ?, ?, ?, ?, ?)',
      seq,
      entry.at,
      principal,
      session,
      text,
      hashOf(last?.hash ?? '', text),
    )
    if (seq % PAGE === 0) sql.exec('DELETE FROM audit WHERE seq <= ?', seq - MAX_AUDIT)
  }

  function newest(): Row | undefined {
    const rows = sql.exec<Row>('SELECT seq, entry, hash FROM audit ORDER BY seq DESC LIMIT 1')
    return rows.toArray()[0]
  }

  /** The newest entries that are asked for, newest first. */
  function find(query: AuditQuery): ChainedEntry[] {
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
    const where = wanted.length > 0 ? `WHERE ${wanted.map(([text]) => text).join(' AND ')}` : ''
    const rows = sql.exec<Row>(
      `SELECT seq, entry, hash FROM audit ${where} ORDER BY seq DESC LIMIT ?`,
      ...wanted.flatMap(([, ...values]) => values),
      limit,
    )
    return rows.toArray().map(entryOf)
  }

  function after(seq: number): Row[] {
    const rows = sql.exec<Row>(
      'SELECT seq, entry, hash FROM audit WHERE seq > ? ORDER BY seq LIMIT ?',
      seq,
      PAGE,
    )
    return rows.toArray()
  }

  /** All entries, oldest first, a page at a time, so that they may change in between. */
  function* all(): Generator<readonly ChainedEntry[]> {
    for (let page = after(0); page.length > 0; page = after(page.at(-1)?.seq ?? Infinity))
      yield page.map(entryOf)
  }

  /** Goes through the whole chain. The oldest entry that is left is where it begins. */
  function check(): Checked {
    let entries = 0
    let before: Row | undefined
    for (let page = after(0); page.length > 0; page = after(page.at(-1)?.seq ?? Infinity)) {
      for (const row of page) {
        entries++
        if (before ? !follows(row, before) : row.seq === 1 && !isFirst(row))
          return { entries, broken: row.seq }
        before = row
      }
    }
    return { entries, broken: null }
  }

  return { record, find, all, check }
}

const follows = (row: Row, before: Row) =>
  row.seq === before.seq + 1 && row.hash === hashOf(before.hash, row.entry)

const isFirst = (row: Row) => row.hash === hashOf('', row.entry)

function hashOf(before: string, entry: string): string {
  return createHash('sha256').update(`${before}\n${entry}`).digest('hex')
}

function entryOf({ seq, entry, hash }: Row): ChainedEntry {
  // Written by `record`, which takes nothing else.
  return { seq, ...(JSON.parse(entry) as AuditEntry), hash }
}

/** What tells two calls with the same arguments from others, without keeping what was written. */
export function digestOf(args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(args) ?? '')
    .digest('hex')
}

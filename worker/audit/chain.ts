/**
 * The chain of the audit log: each entry's hash covers the previous hash, so that a changed, moved or removed
 * entry is detected.
 *
 * Entries that were dropped to make room leave a tombstone: one row for a run of them, with the hash of the
 * last, from which the chain continues.
 *
 * @module
 */

import { hash } from 'node:crypto'

/** The `entry` of a tombstone. It is JSON, because queries parse the entries of all rows. */
export const NO_ENTRY = '{}'

/** A row of the audit log. A tombstone has the `seq` and `hash` of the last entry that it replaces. */
export interface ChainRow extends Record<string, SqlStorageValue> {
  seq: number
  /** The first entry that a tombstone replaces; null for an entry. */
  first_seq: number | null
  /** {@link NO_ENTRY} for a tombstone. */
  entry: string
  hash: string
}

/** The end of the chain, stored outside the rows, so that a removed last entry is detected. */
export interface ChainEnd extends Record<string, SqlStorageValue> {
  /** The `seq` of the newest entry, and its hash. */
  head: number
  hash: string
  /** The number of dropped entries. */
  dropped: number
}

/** The result of a check, up to the first fault. */
export interface ChainCheck {
  /** The number of kept entries. */
  readonly entries: number
  /** The number of entries dropped to make room. */
  readonly dropped: number
  /** The `seq` of the first missing or modified entry; null if the chain is intact. */
  readonly broken: number | null
}

/** Computes the SHA-256 of the previous hash and the entry, as hex. */
export function hashEntry(before: string, entry: string): string {
  return hash('sha256', `${before}\n${entry}`, 'hex')
}

/** Checks a whole chain, oldest row first. */
export function checkChain(rows: Iterable<ChainRow>, end: ChainEnd): ChainCheck {
  let [entries, dropped] = [0, 0]
  let tombstone: number | null = null
  let before: Pick<ChainRow, 'seq' | 'hash'> = { seq: 0, hash: '' }
  for (const row of rows) {
    if (!follows(row, before)) return { entries, dropped, broken: row.seq }
    if (row.first_seq === null) entries++
    else {
      dropped += row.seq - row.first_seq + 1
      tombstone ??= row.first_seq
    }
    before = row
  }
  const { seq, hash } = before
  if (seq !== end.head) return { entries, dropped, broken: Math.min(seq, end.head) + 1 }
  if (hash !== end.hash) return { entries, dropped, broken: seq }
  // If the tombstones do not add up to the dropped entries, any of them may hide a removed entry.
  return { entries, dropped, broken: dropped === end.dropped ? null : (tombstone ?? 1) }
}

function follows(
  { seq, first_seq, entry, hash }: ChainRow,
  before: Pick<ChainRow, 'seq' | 'hash'>,
) {
  if ((first_seq ?? seq) !== before.seq + 1) return false
  return first_seq === null
    ? hash === hashEntry(before.hash, entry)
    : seq >= first_seq && entry === NO_ENTRY
}

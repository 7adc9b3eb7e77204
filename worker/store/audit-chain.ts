/**
 * The chain of the audit: each entry's hash covers the hash before it, so that an entry that was
 * changed, moved or taken out is found.
 *
 * Entries that were dropped to make room leave a tombstone: one row for a run of them, with the hash of
 * the last, from which the chain goes on.
 *
 * @module
 */

import { createHash } from 'node:crypto'

/** The entry of a tombstone: JSON, because queries look into all rows. */
export const NO_ENTRY = '{}'

/** A row of the audit. Of a tombstone, `seq` and `hash` are those of the last entry it stands for. */
export interface ChainRow extends Record<string, SqlStorageValue> {
  seq: number
  /** Of a tombstone, the first entry it stands for; null for an entry. */
  first_seq: number | null
  /** {@link NO_ENTRY} for a tombstone. */
  entry: string
  hash: string
}

/** The end of the chain, as the store keeps it beside the rows: without it, nobody could miss the last. */
export interface ChainEnd extends Record<string, SqlStorageValue> {
  /** The newest entry, and its hash. */
  head: number
  hash: string
  /** Entries that were dropped. */
  dropped: number
}

/** The result of a check, up to the first fault. */
export interface Checked {
  /** Entries that are kept. */
  readonly entries: number
  /** Entries that were dropped to make room. */
  readonly dropped: number
  /** The first entry that is missing or is not what was written; null when all are. */
  readonly broken: number | null
}

/** Computes the SHA-256 over the hash before and the entry, as hex. */
export function hashEntry(before: string, entry: string): string {
  return createHash('sha256').update(`${before}\n${entry}`).digest('hex')
}

/** Checks a whole chain, oldest row first. */
export function checkChain(rows: Iterable<ChainRow>, end: ChainEnd): Checked {
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
  // A tombstone that nothing was dropped for may hide an entry anywhere from the first one on.
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

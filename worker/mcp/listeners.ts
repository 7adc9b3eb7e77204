/** Listeners: the request that opened each stream, which decides what the stream may receive. @module */

import { MAX_STORED_METADATA_BYTES } from '../limits.ts'
import type { Listener } from '../sessions/callers.ts'
import type { Tables } from '../database/table-groups.ts'

/** The stored listeners of one workspace. */
export type Listeners = ReturnType<typeof createListeners>

/** Stores listeners by the key of their stream, in SQLite and in memory. */
export function createListeners(sql: Tables) {
  const known = new Map<string, Listener>()

  function keep(key: string, listener: Listener): void {
    known.set(key, listener)
    sql.exec(
      'INSERT OR REPLACE INTO listeners (key, request) VALUES (?, ?)',
      key,
      JSON.stringify(listener),
    )
  }

  /** Returns the listener of a stream. An unknown one has no session, so it may receive nothing. */
  function find(key: string): Listener {
    const remembered = known.get(key)
    if (remembered) return remembered
    const row = sql
      .exec<{ request: string }>('SELECT request FROM listeners WHERE key = ?', key)
      .toArray()[0]
    // Written by `keep`, which takes nothing else.
    const listener = row ? (JSON.parse(row.request) as Listener) : UNKNOWN
    known.set(key, listener)
    return listener
  }

  function forget(key: string): void {
    known.delete(key)
    sql.exec('DELETE FROM listeners WHERE key = ?', key)
  }

  return { keep, find, forget }
}

/** Whether metadata and configuration of a request are small enough to be stored with its stream. */
export function isStorable(metadata: unknown): boolean {
  return utf8Length(JSON.stringify(metadata)) <= MAX_STORED_METADATA_BYTES
}

const utf8Length = (text: string) => new TextEncoder().encode(text).length

const UNKNOWN: Listener = { session: '', token: null }

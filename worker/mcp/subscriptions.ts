/**
 * Subscriptions to resources: which streams receive an update of a file. They are in a table, because memory
 * does not survive hibernation. `test/worker/mcp` tests them through the streams.
 *
 * @module
 */

import { pathOf, uriOf } from '#core/file-uri.ts'
import { rangeBelow, type StorePath } from '#core/path.ts'
import { FILE_SCHEME } from '#core/wire.ts'
import { MAX_PRINCIPAL_SUBSCRIPTIONS, MAX_SUBSCRIPTIONS } from '../limits.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { Tables } from '../database/table-groups.ts'
import type { Publication } from './list-changes.ts'

/** The stored subscriptions of one workspace. */
export interface SubscriptionTable {
  readonly sql: Tables
  /** Subscriptions by principal, counted when first needed. */
  readonly shares: Map<string, number>
}

/** Separates the two spellings of a stored URI. The server writes no URI with it, and it sorts before a slash. */
const SPELLED = '\n'
const AFTER_SPELLED = '\v'

/**
 * Returns a URI as it is stored: as the server writes it, so that it is found by its path, and then as the client wrote
 * it, if that is another spelling.
 */
function storedUri(uri: string): string {
  const path = pathOf(uri)
  const own = path === null ? uri : uriOf(path)
  return own === uri ? uri : own + SPELLED + uri
}

/** Returns a stored URI as the client wrote it, by which the client recognises it. */
const spellingOf = (stored: string) => stored.slice(stored.indexOf(SPELLED) + 1)

/** Subscribes to a resource. Returns false when the stream or its principal is at its limit. */
export function subscribe(
  context: SubscriptionTable,
  key: string,
  uri: string,
  budget: string,
): boolean {
  const stored = storedUri(uri)
  const columns = 'count(*) AS count, coalesce(max(uri = ?), 0) AS known'
  const { count, known } = context.sql
    .exec<{ count: number; known: number }>(
      `SELECT ${columns} FROM subscriptions WHERE session = ?`,
      stored,
      key,
    )
    .one()
  if (known === 1) return true
  const share = context.shares.get(budget) ?? countShare(context, budget)
  if (count >= MAX_SUBSCRIPTIONS || share >= MAX_PRINCIPAL_SUBSCRIPTIONS) return false
  context.shares.set(budget, share + 1)
  context.sql.exec(
    'INSERT INTO subscriptions (session, uri, budget) VALUES (?, ?, ?)',
    key,
    stored,
    budget,
  )
  return true
}

function countShare(context: SubscriptionTable, budget: string): number {
  const query = 'SELECT count(*) AS count FROM subscriptions WHERE budget = ?'
  return context.sql.exec<{ count: number }>(query, budget).one().count
}

/** Ends the subscription of a stream or session to a resource. */
export function unsubscribe(context: SubscriptionTable, key: string, uri: string): void {
  const query = 'DELETE FROM subscriptions WHERE session = ? AND uri = ?'
  context.sql.exec(query, key, storedUri(uri))
  context.shares.clear()
}

/** Ends all subscriptions of a stream or session. */
export function dropSubscriptions(context: SubscriptionTable, key: string): void {
  context.sql.exec('DELETE FROM subscriptions WHERE session = ?', key)
  context.shares.clear()
}

/** Lists the URIs that a stream or session is subscribed to, as its client wrote them. */
export function listSubscriptions({ sql }: SubscriptionTable, key: string): string[] {
  const query = 'SELECT uri FROM subscriptions WHERE session = ?'
  return Array.from(sql.exec<{ uri: string }>(query, key), ({ uri }) => spellingOf(uri))
}

/** Finds the streams and sessions that are subscribed to a URI. */
export function findSubscribers({ sql }: SubscriptionTable, uri: string): ReadonlySet<string> {
  const query = 'SELECT session FROM subscriptions WHERE uri = ?'
  return new Set(Array.from(sql.exec<{ session: string }>(query, uri), ({ session }) => session))
}

/** Finds the subscribed URIs that changes touch, by stream. */
export function findSubscribed(
  context: SubscriptionTable,
  changes: readonly Publication[],
): Map<string, Set<string>> {
  const touched = new Map<string, Set<string>>()
  for (const { change, steps } of changes)
    for (const path of steps.flatMap(stepPaths))
      addBelow(context, path, touched, (uri) => isTouched(context, uri, path, change.version))
  return touched
}

/** Finds the subscribed URIs of paths and of everything below them, by stream. */
export function findSubscribedBelow(
  context: SubscriptionTable,
  paths: readonly StorePath[],
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const path of paths) addBelow(context, path, found, () => true)
  return found
}

function addBelow(
  context: SubscriptionTable,
  path: StorePath,
  found: Map<string, Set<string>>,
  isWanted: (uri: string) => boolean,
): void {
  for (const { session, stored } of findBelow(context, path)) {
    const uri = spellingOf(stored)
    if (!isWanted(uri)) continue
    const uris = found.get(session) ?? new Set()
    found.set(session, uris.add(uri))
  }
}

/** Finds the subscriptions to a path, and to paths below it. */
function findBelow({ sql }: SubscriptionTable, path: StorePath) {
  const { low, high } = rangeBelow(path)
  const own = uriOf(path)
  return sql
    .exec<{ session: string; stored: string }>(
      `SELECT session, uri AS stored FROM subscriptions
       WHERE uri = ? OR (uri >= ? AND uri < ?) OR (uri >= ? AND uri < ?)`,
      own,
      own + SPELLED,
      own + AFTER_SPELLED,
      own + low.slice(path.length),
      FILE_SCHEME + encodedBound(high),
    )
    .toArray()
}

/**
 * Whether a change touched a URI: below a path that it names, only files with a version of that change were
 * touched.
 */
function isTouched(
  context: SubscriptionTable,
  uri: string,
  named: StorePath,
  version: number,
): boolean {
  const path = pathOf(uri)
  if (path === null || path === named) return path !== null
  const query = 'SELECT 1 FROM versions WHERE path = ? AND version = ?'
  return context.sql.exec(query, path, version).toArray().length > 0
}

/** Encodes the upper bound of a range of paths as URIs are encoded; its last character is a plain `0`. */
function encodedBound(high: string): string {
  return high.split('/').map(encodeURIComponent).join('/')
}

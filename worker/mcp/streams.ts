/**
 * Notification streams, in the object: subscriptions, and the notifications that a change causes.
 *
 * A stream is a hibernatable WebSocket to the front Worker, which holds the client's event stream. So a
 * client may listen for days while the object sleeps, and nothing is billed until something changes. The
 * subscriptions of a stream or session, and the request that opened it, are in tables, because memory does
 * not survive hibernation.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { rangeBelow, type StorePath } from '#core/path.ts'
import { FILE_SCHEME } from '#core/wire.ts'
import type { Access } from '../access/access.ts'
import { pathsOf } from '../access/authorize.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import {
  MAX_NAME_LENGTH,
  MAX_PRINCIPAL_SUBSCRIPTIONS,
  MAX_STREAMS,
  MAX_SUBSCRIPTIONS,
  MAX_WORKSPACE_STREAMS,
} from '../limits.ts'
import type { Listener } from '../sessions/callers.ts'
import type { Change, Step } from '../store/store.ts'
import { createListeners, isStorable } from './listeners.ts'
import { pathOf, uriOf } from './uri.ts'

/** The state of a socket; small, because it is stored with the socket while the object sleeps. */
interface Attachment {
  readonly kind: 'new' | 'modern' | 'session'
  readonly key: string
  /** The principal whose share of streams and subscriptions it uses. */
  readonly budget: string
  /** Streams are numbered as they are opened. */
  readonly opened: number
  /** The id of the request that listens. */
  readonly id?: string | number
  readonly list?: boolean
}

/** Returns what a listener may read now; null when its session has ended. */
export type AccessOf = (listener: Listener) => Pick<Access, 'canRead'> | null

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'

/** The streams of one workspace. */
export type Streams = ReturnType<typeof createStreams>

/** Manages the streams of one object. Without `accessOf` every listener may read everything. */
export function createStreams(ctx: DurableObjectState, accessOf: AccessOf = () => OPEN) {
  const { sql } = ctx.storage
  const listeners = createListeners(sql)
  /** Subscriptions by principal, counted when first needed. */
  const shares = new Map<string, number>()
  let last = 0

  /**
   * Opens a stream: of an existing session of the older era, or a new one that its first message describes.
   */
  function open(session: string | undefined, listener: Listener, budget: string): Response {
    // A session has one stream; a client that comes again has lost the one before.
    if (session) for (const old of ctx.getWebSockets(session)) old.close(1000, 'replaced')
    makeRoom(budget)
    const [client, server] = Object.values(new WebSocketPair())
    if (!client || !server) throw new Error('A pair has two sockets')
    const key = session ?? crypto.randomUUID()
    ctx.acceptWebSocket(server, [key])
    listeners.keep(key, listener)
    attach(server, { kind: session ? 'session' : 'new', key, budget, opened: nextNumber() })
    return new Response(null, { status: 101, webSocket: client })
  }

  /** The time, or one more than the last where several streams are opened within a millisecond. */
  function nextNumber(): number {
    return (last = Math.max(last + 1, Date.now()))
  }

  /**
   * Closes the oldest stream of a principal at its limit, or, at the limit of the workspace, of the principal
   * with the most streams.
   */
  function makeRoom(budget: string): void {
    const open = ctx.getWebSockets().filter((socket) => socket.readyState === WebSocket.OPEN)
    const sockets = open
      .map((socket) => ({ socket, ...attachmentOf(socket) }))
      .toSorted((a, b) => a.opened - b.opened)
    const mine = sockets.filter((one) => one.budget === budget)
    if (mine.length >= MAX_STREAMS) return mine[0]?.socket.close(1000, 'too many streams')
    if (sockets.length < MAX_WORKSPACE_STREAMS) return
    const largest = largestGroup(sockets.map((one) => one.budget))
    const oldest = sockets.find((one) => one.budget === largest)
    oldest?.socket.close(1000, 'too many streams')
  }

  /** The first message of a stream is the `subscriptions/listen` request; no other is expected. */
  function receive(socket: WebSocket, message: string | ArrayBuffer): void {
    const { kind, key, budget, opened } = attachmentOf(socket)
    const request: unknown = typeof message === 'string' ? JSON.parse(message) : null
    if (kind !== 'new' || !isRecord(request)) return socket.close(1008, 'unexpected')
    const { id, uris, list, configuration, meta } = request
    if ((typeof id !== 'string' && typeof id !== 'number') || !isStrings(uris))
      return socket.close(1008, 'unexpected')

    const listener = { ...listeners.find(key), configuration, meta: recordOf(meta) }
    const access = isStorable({ configuration, meta }) ? accessOf(listener) : null
    if (!access) {
      // The request asks for more than its caller may have, or its metadata is invalid or too large to store.
      const error = { code: INVALID_PARAMS, message: 'Invalid configuration or policy' }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
      return socket.close(1000, 'refused')
    }
    listeners.keep(key, listener)
    const seen = uris.filter((uri) => isSeen(uri, access))
    const kept = seen.slice(0, MAX_SUBSCRIPTIONS).filter((uri) => subscribe(key, uri, budget))
    attach(socket, { kind: 'modern', key, budget, opened, id, list: list === true })
    const honored = {
      ...(list === true && { resourcesListChanged: true }),
      ...(kept.length > 0 && { resourceSubscriptions: kept }),
    }
    socket.send(
      notification('notifications/subscriptions/acknowledged', { notifications: honored }, id),
    )
  }

  function closed(socket: WebSocket): void {
    const { kind, key } = attachmentOf(socket)
    // A session keeps its subscriptions: its client may open the stream again.
    if (kind === 'modern') dropSubscriptions(key)
    if (kind !== 'session') listeners.forget(key)
  }

  /** Returns false when the stream or its principal is at its limit. */
  function subscribe(key: string, uri: string, budget: string): boolean {
    const columns = 'count(*) AS count, coalesce(max(uri = ?), 0) AS known'
    const { count, known } = sql
      .exec<{ count: number; known: number }>(
        `SELECT ${columns} FROM subscriptions WHERE session = ?`,
        uri,
        key,
      )
      .one()
    if (known === 1) return true
    const share = shares.get(budget) ?? countShare(budget)
    if (count >= MAX_SUBSCRIPTIONS || share >= MAX_PRINCIPAL_SUBSCRIPTIONS) return false
    shares.set(budget, share + 1)
    sql.exec('INSERT INTO subscriptions (session, uri, budget) VALUES (?, ?, ?)', key, uri, budget)
    return true
  }

  function countShare(budget: string): number {
    const query = 'SELECT count(*) AS count FROM subscriptions WHERE budget = ?'
    return sql.exec<{ count: number }>(query, budget).one().count
  }

  function unsubscribe(key: string, uri: string): void {
    sql.exec('DELETE FROM subscriptions WHERE session = ? AND uri = ?', key, uri)
    shares.clear()
  }

  function dropSubscriptions(key: string): void {
    sql.exec('DELETE FROM subscriptions WHERE session = ?', key)
    shares.clear()
  }

  /** Deletes a session's subscriptions and closes its stream. */
  function forget(session: string): void {
    dropSubscriptions(session)
    listeners.forget(session)
    for (const socket of ctx.getWebSockets(session)) socket.close(1000, 'session ended')
    closeEnded()
  }

  /** Closes every stream whose caller may no longer listen. */
  function closeEnded(): void {
    for (const socket of ctx.getWebSockets())
      if (!accessOf(listeners.find(attachmentOf(socket).key))) socket.close(1000, 'session ended')
  }

  /** Sends a message of a session's server that answers no request. */
  function send(session: string, message: unknown): void {
    for (const socket of ctx.getWebSockets(session)) socket.send(JSON.stringify(message))
  }

  /**
   * Notifies every stream of a change. `listed` are the paths at which a file was created, deleted or moved.
   */
  function publish(
    { version }: Pick<Change, 'version'>,
    steps: readonly Step[],
    listed: readonly StorePath[],
  ): void {
    const sockets = ctx.getWebSockets()
    if (sockets.length === 0) return
    const touched = subscribedTo(steps, version)
    for (const socket of sockets) tell(socket, listed, touched)
  }

  function tell(
    socket: WebSocket,
    listed: readonly StorePath[],
    touched: ReadonlyMap<string, ReadonlySet<string>>,
  ): void {
    const { kind, key, id, list } = attachmentOf(socket)
    const access = accessOf(listeners.find(key))
    if (!access) return socket.close(1000, 'session ended')
    if (kind === 'new') return
    if ((kind === 'session' || list) && listed.some((path) => access.canRead(path))) {
      socket.send(notification('notifications/resources/list_changed', {}, id))
    }
    for (const uri of touched.get(key) ?? []) {
      // Rules may have changed since it subscribed.
      if (!isSeen(uri, access)) continue
      socket.send(notification('notifications/resources/updated', { uri }, id))
    }
  }

  /** Finds the subscribed URIs that the steps touch, by stream. */
  function subscribedTo(steps: readonly Step[], version: number): Map<string, Set<string>> {
    const touched = new Map<string, Set<string>>()
    for (const path of steps.flatMap(pathsOf)) {
      const { low, high } = rangeBelow(path)
      const rows = sql.exec<{ session: string; uri: string }>(
        'SELECT session, uri FROM subscriptions WHERE uri = ? OR (uri >= ? AND uri < ?)',
        uriOf(path),
        uriOf(path) + low.slice(path.length),
        FILE_SCHEME + encodedBound(high),
      )
      for (const { session, uri } of rows.toArray()) {
        if (!isTouched(uri, path, version)) continue
        const uris = touched.get(session) ?? new Set()
        touched.set(session, uris.add(uri))
      }
    }
    return touched
  }

  /**
   * Whether a change touched a URI: below a path that it names, only files with a version of that change were
   * touched.
   */
  function isTouched(uri: string, named: StorePath, version: number): boolean {
    const path = pathOf(uri)
    if (path === null || path === named) return path !== null
    const query = 'SELECT 1 FROM versions WHERE path = ? AND version = ?'
    return sql.exec(query, path, version).toArray().length > 0
  }

  return { open, receive, closed, closeEnded, subscribe, unsubscribe, forget, send, publish }
}

/** Encodes the upper bound of a range of paths as URIs are encoded; its last character is a plain `0`. */
function encodedBound(high: string): string {
  return high.split('/').map(encodeURIComponent).join('/')
}

const OPEN: Pick<Access, 'canRead'> = { canRead: () => true }

/** Whether a caller may read the file of a URI. A URI that names no file never changes. */
function isSeen(uri: string, access: Pick<Access, 'canRead'>): boolean {
  const path = uri.length <= MAX_NAME_LENGTH ? pathOf(uri) : null
  return path !== null && access.canRead(path)
}

function largestGroup(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

function attach(socket: WebSocket, attachment: Attachment): void {
  socket.serializeAttachment(attachment)
}

function attachmentOf(socket: WebSocket): Attachment {
  // Only this module writes attachments.
  return socket.deserializeAttachment() as Attachment
}

function notification(
  method: string,
  params: Record<string, unknown>,
  id: string | number | undefined,
): string {
  const meta = id === undefined ? {} : { _meta: { [SUBSCRIPTION_ID]: id } }
  return JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, ...meta } })
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/**
 * Streams, the object's side: who wants to hear of changes, and telling them.
 *
 * A stream is a hibernatable WebSocket to the Worker in front, which holds the client's event stream.
 * So a client may listen for days while the object sleeps, and nothing is billed until something
 * happens. What a stream or session subscribed to stands in a table, because memory does not last.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { rangeBelow, type StorePath } from '#core/path.ts'
import { FILE_SCHEME } from '#core/wire.ts'
import { MAX_STREAMS, MAX_SUBSCRIPTIONS } from '../limits.ts'
import type { Change, Step } from '../store/store.ts'
import { pathOf, uriOf } from './uri.ts'

/** What a socket is for; small, because it is stored with the socket while the object sleeps. */
interface Attachment {
  readonly kind: 'new' | 'modern' | 'session'
  readonly key: string
  /** The session whose rights hold; null for a caller without one. */
  readonly session: string | null
  /** The id of the request that listens. */
  readonly id?: string | number
  readonly list?: boolean
}

/** Whether somebody may see a path; null when the session is over. */
export type Sight = (session: string | null) => ((path: StorePath) => boolean) | null

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'

export type Streams = ReturnType<typeof createStreams>

export function createStreams(ctx: DurableObjectState, sight: Sight = () => () => true) {
  const { sql } = ctx.storage

  /**
   * Opens a stream: of a session of the older era that is known to exist, or one whose first message
   * will say more, for a caller with a session or without.
   */
  function open(session: string | undefined, caller: string | null): Response {
    if (ctx.getWebSockets().length >= MAX_STREAMS) {
      return Response.json(
        { code: 'TOO_MANY_STREAMS', message: `This workspace has ${MAX_STREAMS} streams` },
        { status: 429 },
      )
    }
    // A session has one stream; a client that comes again has lost the one before.
    if (session) for (const old of ctx.getWebSockets(session)) old.close(1000, 'replaced')
    const [client, server] = Object.values(new WebSocketPair())
    if (!client || !server) throw new Error('A pair has two sockets')
    const key = session ?? crypto.randomUUID()
    ctx.acceptWebSocket(server, [key])
    const kind = session ? 'session' : 'new'
    attach(server, { kind, key, session: session ?? caller })
    return new Response(null, { status: 101, webSocket: client })
  }

  /** The first message of a stream is the `subscriptions/listen` request; no other is expected. */
  function receive(socket: WebSocket, message: string | ArrayBuffer): void {
    const { kind, key, session } = attachmentOf(socket)
    const request: unknown = typeof message === 'string' ? JSON.parse(message) : null
    const sees = sight(session)
    if (kind !== 'new' || !sees || !isRecord(request)) return socket.close(1008, 'unexpected')
    const { id, uris, list } = request
    if ((typeof id !== 'string' && typeof id !== 'number') || !isStrings(uris))
      return socket.close(1008, 'unexpected')

    const kept = uris.filter((uri) => isSeen(uri, sees)).slice(0, MAX_SUBSCRIPTIONS)
    for (const uri of kept) subscribe(key, uri)
    attach(socket, { kind: 'modern', key, session, id, list: list === true })
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
    if (kind === 'modern') sql.exec('DELETE FROM subscriptions WHERE session = ?', key)
  }

  function subscribe(key: string, uri: string): boolean {
    const { count } = sql
      .exec<{ count: number }>(
        'SELECT count(*) AS count FROM subscriptions WHERE session = ? AND uri <> ?',
        key,
        uri,
      )
      .one()
    if (count >= MAX_SUBSCRIPTIONS) return false
    sql.exec('INSERT OR IGNORE INTO subscriptions (session, uri) VALUES (?, ?)', key, uri)
    return true
  }

  function unsubscribe(key: string, uri: string): void {
    sql.exec('DELETE FROM subscriptions WHERE session = ? AND uri = ?', key, uri)
  }

  /** Forgets a session's subscriptions, and ends its stream. */
  function forget(session: string): void {
    sql.exec('DELETE FROM subscriptions WHERE session = ?', session)
    for (const socket of ctx.getWebSockets(session)) socket.close(1000, 'session ended')
  }

  /** A message of a session's server that belongs to no request. */
  function send(session: string, message: unknown): void {
    for (const socket of ctx.getWebSockets(session)) socket.send(JSON.stringify(message))
  }

  /** Tells everybody who asked. Costs nothing when nobody listens. */
  function publish(change: Change, steps: readonly Step[]): void {
    const sockets = ctx.getWebSockets()
    if (sockets.length === 0) return
    const touched = subscribedTo(steps)
    const paths = steps.flatMap(pathsOf)
    for (const socket of sockets) tell(socket, change.listChanged && paths, touched)
  }

  function tell(
    socket: WebSocket,
    listed: readonly StorePath[] | false,
    touched: ReadonlyMap<string, ReadonlySet<string>>,
  ): void {
    const { kind, key, session, id, list } = attachmentOf(socket)
    const sees = sight(session)
    if (!sees) return socket.close(1000, 'session ended')
    if (kind === 'new') return
    if (listed && (kind === 'session' || list) && listed.some(sees)) {
      socket.send(notification('notifications/resources/list_changed', {}, id))
    }
    for (const uri of touched.get(key) ?? []) {
      socket.send(notification('notifications/resources/updated', { uri }, id))
    }
  }

  /** The subscribed URIs that the steps touch, by stream. */
  function subscribedTo(steps: readonly Step[]): Map<string, Set<string>> {
    const touched = new Map<string, Set<string>>()
    for (const path of steps.flatMap(pathsOf)) {
      const { low, high } = rangeBelow(path)
      const rows = sql.exec<{ session: string; uri: string }>(
        'SELECT session, uri FROM subscriptions WHERE uri = ? OR (uri >= ? AND uri < ?)',
        uriOf(path),
        uriOf(path) + low.slice(path.length),
        FILE_SCHEME + encodedBound(high),
      )
      for (const { session, uri } of rows) {
        const uris = touched.get(session) ?? new Set()
        touched.set(session, uris.add(uri))
      }
    }
    return touched
  }

  return { open, receive, closed, subscribe, unsubscribe, forget, send, publish }
}

/** The upper bound of a range of paths, spelled as URIs are; its last character is a plain `0`. */
function encodedBound(high: string): string {
  return high.split('/').map(encodeURIComponent).join('/')
}

function pathsOf(step: Step): StorePath[] {
  return step.type === 'move' ? [step.from, step.to] : [step.path]
}

/** A URI that names no file is nobody's, and nothing will ever be told of it. */
function isSeen(uri: string, sees: (path: StorePath) => boolean): boolean {
  const path = pathOf(uri)
  return path === null || sees(path)
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

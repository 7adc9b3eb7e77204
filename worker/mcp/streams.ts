/**
 * Notification streams, in the object: how they open, what they listen for, and when they close.
 *
 * A stream is a hibernatable WebSocket to the front Worker, which holds the client's event stream. So a
 * client may listen for days while the object sleeps, and nothing is billed until something changes. The
 * subscriptions of a stream or session, and the request that opened it, are in tables, because memory does
 * not survive hibernation. What the streams receive is in `notifications.ts`. `test/platform/mcp/listen.test.ts` tests
 * both.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { isRecord, recordOf } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { problemOfSpent } from '../access/judging.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import { sentence } from '../errors/problem.ts'
import { MAX_SUBSCRIPTIONS } from '../limits.ts'
import type { Listener } from '../sessions/callers.ts'
import { tablesOf } from '../database/table-groups.ts'
import { mayAlterLists, type Publication, type Sight } from './list-changes.ts'
import { createListeners, isStorable } from './listeners.ts'
import {
  formatNotification,
  isSeen,
  notifyEach,
  publish,
  publishComments,
  publishDraft,
  publishLists,
  publishListsOf,
  publishSkills,
  publishTools,
  type AccessOf,
  type CommentedThread,
  type NotificationContext,
} from './notifications.ts'
import type { ChangedFolder } from '../approved/approved.ts'
import type { DraftPublication } from '../access/draft.ts'
import { withClaimedName } from '../access/draft-owner.ts'
import { sendMissed } from './resume.ts'
import { attach, attachmentOf, makeRoom, openSockets, shareOf } from './stream-sockets.ts'
import { dropSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'

/** The streams of one workspace. */
export type Streams = ReturnType<typeof createStreams>

/** The sockets and tables of the streams of one object. */
interface StreamContext extends NotificationContext {
  /** Called with the id of a session whose stream was closed. */
  readonly closed: (session: string) => void
  /** The number of the last stream. */
  last: number
}

/** Manages the streams of one object. Without `accessOf` every listener may read everything. */
export function createStreams(
  ctx: DurableObjectState,
  accessOf: AccessOf = () => OPEN,
  closed: (session: string) => void = () => {},
) {
  const sql = tablesOf(ctx.storage.sql, 'streams')
  const listeners = createListeners(sql)
  const shares = new Map<string, number>()
  const context: StreamContext = { ctx, sql, accessOf, closed, listeners, shares, last: 0 }
  return {
    open: (session: string | undefined, listener: Listener, budget: string) =>
      openStream(context, session, listener, budget),
    receive: (socket: WebSocket, message: string | ArrayBuffer) =>
      receive(context, socket, message),
    closed: (socket: WebSocket) => release(context, socket),
    isEmpty: () => openSockets(ctx).length === 0,
    resume: (session: string, messages: readonly unknown[]) =>
      sendMissed(context, session, messages),
    subscribe: (key: string, uri: string, budget: string) => subscribe(context, key, uri, budget),
    unsubscribe: (key: string, uri: string) => unsubscribe(context, key, uri),
    forget: (session: string) => forget(context, session),
    send: (session: string, message: unknown) => send(context, session, message),
    publish: (changes: readonly Publication[]) => publish(context, changes),
    publishDraft: (owner: string, change?: DraftPublication) =>
      publishDraft(context, owner, change),
    publishComments: (thread: CommentedThread) => publishComments(context, thread),
    publishTools: (folders: readonly StorePath[]) => publishTools(context, folders),
    publishSkills: (folders: readonly ChangedFolder[]) => publishSkills(context, folders),
    publishListsOf: (session: string) => publishListsOf(context, session),
    applyRules: (before: Config, after: Config) => applyRules(context, before, after),
  }
}

/**
 * Opens a stream: of an existing session of the older era, or a new one that its first message describes.
 */
function openStream(
  context: StreamContext,
  session: string | undefined,
  listener: Listener,
  budget: string,
): Response {
  // A session has one stream; a client that comes again has lost the one before.
  if (session) for (const old of openSockets(context.ctx, session)) old.close(1000, 'replaced')
  makeRoom(context.ctx, budget)
  const [client, server] = Object.values(new WebSocketPair())
  if (!client || !server) throw new Error('Cannot open a stream: a WebSocket is missing')
  const key = session ?? crypto.randomUUID()
  context.ctx.acceptWebSocket(server, [key, shareOf(budget)])
  context.listeners.keep(key, listener)
  attach(server, { kind: session ? 'session' : 'new', key, budget, opened: nextNumber(context) })
  return new Response(null, { status: 101, webSocket: client })
}

/** The time, or one more than the last where several streams are opened within a millisecond. */
function nextNumber(context: StreamContext): number {
  return (context.last = Math.max(context.last + 1, Date.now()))
}

/** The first message of a stream is the `subscriptions/listen` request; no other is expected. */
function receive(context: StreamContext, socket: WebSocket, message: string | ArrayBuffer): void {
  const { kind, key, budget, opened: number } = attachmentOf(socket)
  const request: unknown = typeof message === 'string' ? JSON.parse(message) : null
  if (kind !== 'new' || !isRecord(request)) return socket.close(1008, 'unexpected')
  const { id, uris, list, tools, configuration, meta, name } = request
  if ((typeof id !== 'string' && typeof id !== 'number') || !isStrings(uris))
    return socket.close(1008, 'unexpected')

  const opened = withName(context.listeners.find(key), name)
  const listener = { ...opened, configuration, meta: recordOf(meta) }
  const seen = findSeen(context, listener, uris)
  if (!seen.ok) {
    const error = { code: INVALID_PARAMS, message: seen.error }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
    return socket.close(1000, 'refused')
  }
  context.listeners.keep(key, listener)
  const kept = seen.value
    .slice(0, MAX_SUBSCRIPTIONS)
    .filter((uri) => subscribe(context, key, uri, budget))
  const lists = { list: list === true, tools: tools === true }
  attach(socket, { kind: 'modern', key, budget, opened: number, id, ...lists })
  acknowledge(socket, id, { ...lists, kept })
}

/** A listener hears of the draft that the requests of its client read. */
const withName = (listener: Listener, name: unknown): Listener =>
  listener.draft === undefined || typeof name !== 'string'
    ? listener
    : { ...listener, draft: withClaimedName(listener.draft, name) }

/** Finds the URIs that a listener may read. The error says why it may not listen. */
function findSeen(
  { accessOf }: StreamContext,
  listener: Listener,
  uris: readonly string[],
): Result<string[], string> {
  const { configuration, meta } = listener
  try {
    const access = isStorable({ configuration, meta }) ? accessOf(listener) : null
    if (access) return ok(uris.filter((uri) => isSeen(uri, access)))
    // The request asks for more than its caller may have, or its metadata is invalid or too large to store.
    return err('Invalid configuration or policy')
  } catch (error) {
    return err(sentence(problemOfSpent(error)))
  }
}

/** Tells the client which of its subscriptions are honored. */
function acknowledge(socket: WebSocket, id: string | number, { list, tools, kept }: Honored): void {
  const notifications = {
    ...(list && { resourcesListChanged: true }),
    ...(tools && { toolsListChanged: true }),
    ...(kept.length > 0 && { resourceSubscriptions: kept }),
  }
  const method = 'notifications/subscriptions/acknowledged'
  socket.send(formatNotification(method, { notifications }, id))
}

/** What a stream is notified of: lists, and the URIs of resources. */
interface Honored {
  readonly list: boolean
  readonly tools: boolean
  readonly kept: readonly string[]
}

/** Deletes what a closed stream leaves behind. */
function release(context: StreamContext, socket: WebSocket): void {
  const { kind, key } = attachmentOf(socket)
  // A session keeps its subscriptions: its client may open the stream again.
  if (kind === 'modern') dropSubscriptions(context, key)
  if (kind === 'session') context.closed(key)
  else context.listeners.forget(key)
}

/** Deletes a session's subscriptions and closes its stream. */
function forget(context: StreamContext, session: string): void {
  dropSubscriptions(context, session)
  context.listeners.forget(session)
  for (const socket of openSockets(context.ctx, session)) socket.close(1000, 'session ended')
  closeEnded(context)
}

/** Closes every stream whose caller may no longer listen. */
function closeEnded(context: StreamContext): void {
  notifyEach(openSockets(context.ctx), (socket) => {
    if (!context.accessOf(context.listeners.find(attachmentOf(socket).key)))
      socket.close(1000, 'session ended')
  })
}

/** Sends a message of a session's server that answers no request. */
function send(context: StreamContext, session: string, message: unknown): void {
  for (const socket of openSockets(context.ctx, session)) socket.send(JSON.stringify(message))
}

/** Closes the streams that new rules end, and notifies the others if the rules may alter their lists. */
function applyRules(context: StreamContext, before: Config, after: Config): void {
  closeEnded(context)
  if (mayAlterLists(before, after)) publishLists(context, () => true)
}

const OPEN: Sight = { canRead: () => true, unrestricted: true }

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

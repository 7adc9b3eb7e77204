/**
 * Notification streams, in the object: they deliver the notifications that a change causes.
 *
 * A stream is a hibernatable WebSocket to the front Worker, which holds the client's event stream. So a
 * client may listen for days while the object sleeps, and nothing is billed until something changes. The
 * subscriptions of a stream or session, and the request that opened it, are in tables, because memory does
 * not survive hibernation.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { isRecord, recordOf } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import { DRAFT_URI, SUBSCRIPTION_META } from '#core/wire.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import {
  MAX_NAME_LENGTH,
  MAX_STREAMS,
  MAX_SUBSCRIPTIONS,
  MAX_WORKSPACE_STREAMS,
} from '../limits.ts'
import type { Listener } from '../sessions/callers.ts'
import type { Step } from '../store/store.ts'
import { tablesOf } from '../store/table-groups.ts'
import { findListChange, mayAlterLists, type Published, type Sight } from './list-changes.ts'
import { createListeners, isStorable, type Listeners } from './listeners.ts'
import {
  dropSubscriptions,
  findSubscribed,
  findSubscribers,
  subscribe,
  unsubscribe,
  type SubscriptionTable,
} from './subscriptions.ts'
import { pathOf } from './uri.ts'

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
  /** Whether it asked for changes of the list of resources, and of the list of tools. */
  readonly list?: boolean
  readonly tools?: boolean
}

/** Returns what a listener may read now; null when its session has ended. */
export type AccessOf = (listener: Listener) => Sight | null

/** The streams of one workspace. */
export type Streams = ReturnType<typeof createStreams>

/** The sockets and tables of the streams of one object. */
interface StreamContext extends SubscriptionTable {
  readonly ctx: DurableObjectState
  readonly accessOf: AccessOf
  readonly listeners: Listeners
  /** The number of the last stream. */
  last: number
}

/** Manages the streams of one object. Without `accessOf` every listener may read everything. */
export function createStreams(ctx: DurableObjectState, accessOf: AccessOf = () => OPEN) {
  const sql = tablesOf(ctx.storage.sql, 'streams')
  const listeners = createListeners(sql)
  const context: StreamContext = { ctx, sql, accessOf, listeners, shares: new Map(), last: 0 }
  return {
    open: (session: string | undefined, listener: Listener, budget: string) =>
      openStream(context, session, listener, budget),
    receive: (socket: WebSocket, message: string | ArrayBuffer) =>
      receive(context, socket, message),
    closed: (socket: WebSocket) => release(context, socket),
    isEmpty: () => openSockets(context).length === 0,
    subscribe: (key: string, uri: string, budget: string) => subscribe(context, key, uri, budget),
    unsubscribe: (key: string, uri: string) => unsubscribe(context, key, uri),
    forget: (session: string) => forget(context, session),
    send: (session: string, message: unknown) => send(context, session, message),
    publish: (change: Published, steps: readonly Step[]) => publish(context, change, steps),
    publishDraft: (owner: string) => publishDraft(context, owner),
    publishTools: (folders: readonly StorePath[]) => publishTools(context, folders),
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
  if (session) for (const old of openSockets(context, session)) old.close(1000, 'replaced')
  makeRoom(context, budget)
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

/**
 * Closes the oldest stream of a principal at its limit, or, at the limit of the workspace, of the principal
 * with the most streams. Below both, which is the rule, streams are only counted.
 */
function makeRoom(context: StreamContext, budget: string): void {
  const mine = openSockets(context, shareOf(budget))
  if (mine.length >= MAX_STREAMS) return closeOldest(mine)
  const all = openSockets(context)
  if (all.length < MAX_WORKSPACE_STREAMS) return
  const largest = largestGroup(all.map((socket) => attachmentOf(socket).budget))
  closeOldest(openSockets(context, shareOf(largest)))
}

function closeOldest(sockets: readonly WebSocket[]): void {
  const [oldest] = sockets
    .map((socket) => ({ socket, ...attachmentOf(socket) }))
    .toSorted((a, b) => a.opened - b.opened)
  oldest?.socket.close(1000, 'too many streams')
}

/** The tag of all streams that use a principal's share. A session, whose id is a tag as well, may have a share. */
const shareOf = (budget: string) => `share:${budget}`

/** The first message of a stream is the `subscriptions/listen` request; no other is expected. */
function receive(context: StreamContext, socket: WebSocket, message: string | ArrayBuffer): void {
  const { kind, key, budget, opened } = attachmentOf(socket)
  const request: unknown = typeof message === 'string' ? JSON.parse(message) : null
  if (kind !== 'new' || !isRecord(request)) return socket.close(1008, 'unexpected')
  const { id, uris, list, tools, configuration, meta } = request
  if ((typeof id !== 'string' && typeof id !== 'number') || !isStrings(uris))
    return socket.close(1008, 'unexpected')

  const listener = { ...context.listeners.find(key), configuration, meta: recordOf(meta) }
  const access = isStorable({ configuration, meta }) ? context.accessOf(listener) : null
  if (!access) {
    // The request asks for more than its caller may have, or its metadata is invalid or too large to store.
    const error = { code: INVALID_PARAMS, message: 'Invalid configuration or policy' }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
    return socket.close(1000, 'refused')
  }
  context.listeners.keep(key, listener)
  const seen = uris.filter((uri) => isSeen(uri, access))
  const kept = seen
    .slice(0, MAX_SUBSCRIPTIONS)
    .filter((uri) => subscribe(context, key, uri, budget))
  const lists = { list: list === true, tools: tools === true }
  attach(socket, { kind: 'modern', key, budget, opened, id, ...lists })
  const honored = {
    ...(lists.list && { resourcesListChanged: true }),
    ...(lists.tools && { toolsListChanged: true }),
    ...(kept.length > 0 && { resourceSubscriptions: kept }),
  }
  socket.send(
    notification('notifications/subscriptions/acknowledged', { notifications: honored }, id),
  )
}

/** Deletes what a closed stream leaves behind. */
function release(context: StreamContext, socket: WebSocket): void {
  const { kind, key } = attachmentOf(socket)
  // A session keeps its subscriptions: its client may open the stream again.
  if (kind === 'modern') dropSubscriptions(context, key)
  if (kind !== 'session') context.listeners.forget(key)
}

/** Deletes a session's subscriptions and closes its stream. */
function forget(context: StreamContext, session: string): void {
  dropSubscriptions(context, session)
  context.listeners.forget(session)
  for (const socket of openSockets(context, session)) socket.close(1000, 'session ended')
  closeEnded(context)
}

/** Closes every stream whose caller may no longer listen. */
function closeEnded(context: StreamContext): void {
  for (const socket of openSockets(context))
    if (!context.accessOf(context.listeners.find(attachmentOf(socket).key)))
      socket.close(1000, 'session ended')
}

/** Sends a message of a session's server that answers no request. */
function send(context: StreamContext, session: string, message: unknown): void {
  for (const socket of openSockets(context, session)) socket.send(JSON.stringify(message))
}

/** Notifies every stream of a change. */
function publish(context: StreamContext, change: Published, steps: readonly Step[]): void {
  const sockets = openSockets(context)
  if (sockets.length === 0) return
  const altersList = findListChange(context.sql, { change, steps, streams: sockets.length })
  const touched = findSubscribed(context, steps, change.version)
  for (const socket of sockets) notify(context, socket, altersList, touched)
}

function notify(
  context: StreamContext,
  socket: WebSocket,
  altersList: (access: Sight) => boolean,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const { kind, key, id, list } = attachmentOf(socket)
  const access = context.accessOf(context.listeners.find(key))
  if (!access) return socket.close(1000, 'session ended')
  if (kind === 'new') return
  if ((kind === 'session' || list) && altersList(access))
    socket.send(notification('notifications/resources/list_changed', {}, id))
  for (const uri of touched.get(key) ?? []) {
    // Rules may have changed since it subscribed.
    if (!isSeen(uri, access)) continue
    socket.send(notification('notifications/resources/updated', { uri }, id))
  }
}

/** Notifies the streams of a draft's owner, and no others, that the draft has changed. */
function publishDraft(context: StreamContext, owner: string): void {
  const sockets = openSockets(context)
  if (sockets.length === 0) return
  const subscribed = findSubscribers(context, DRAFT_URI)
  for (const socket of sockets) {
    const { kind, key, id } = attachmentOf(socket)
    const listener = context.listeners.find(key)
    if (kind === 'new' || listener.draft !== owner || !subscribed.has(key)) continue
    if (!context.accessOf(listener)) socket.close(1000, 'session ended')
    else socket.send(notification('notifications/resources/updated', { uri: DRAFT_URI }, id))
  }
}

/** Notifies readers of the folders of apps that the apps came or went: their tools and pages. */
function publishTools(context: StreamContext, folders: readonly StorePath[]): void {
  publishLists(context, (access) => folders.some((folder) => access.canRead(folder)))
}

/** Closes the streams that new rules end, and notifies the others if the rules may alter their lists. */
function applyRules(context: StreamContext, before: Config, after: Config): void {
  closeEnded(context)
  if (mayAlterLists(before, after)) publishLists(context, () => true)
}

/** Notifies the callers with a session, whose lists may be others after the owner allowed it more or less. */
function publishListsOf(context: StreamContext, session: string): void {
  publishLists(context, (_access, listener) => listener.session === session)
}

type IsConcerned = (access: Sight, listener: Listener) => boolean

/** Notifies the streams that asked for it, and all sessions, if their caller is concerned. */
function publishLists(context: StreamContext, isConcerned: IsConcerned): void {
  for (const socket of openSockets(context)) {
    const { kind, key, id, list, tools } = attachmentOf(socket)
    const listener = context.listeners.find(key)
    const access = context.accessOf(listener)
    if (!access || !isConcerned(access, listener)) continue
    if (kind === 'session' || tools)
      socket.send(notification('notifications/tools/list_changed', {}, id))
    if (kind === 'session' || list)
      socket.send(notification('notifications/resources/list_changed', {}, id))
  }
}

/**
 * The streams that can be written to, of all clients or with one tag, of a session or a share. A closed stream
 * stays listed until its client has answered; sending to it throws.
 */
function openSockets({ ctx }: StreamContext, tag?: string): WebSocket[] {
  return ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN)
}

const OPEN: Sight = { canRead: () => true, unrestricted: true }

/** Whether a caller may read a URI: its draft, or a file. Any other URI never changes. */
function isSeen(uri: string, access: Sight): boolean {
  if (uri === DRAFT_URI) return true
  const path = uri.length <= MAX_NAME_LENGTH ? pathOf(uri) : null
  return path !== null && access.canRead(path)
}

function largestGroup(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
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
  const meta = id === undefined ? {} : { _meta: { [SUBSCRIPTION_META]: id } }
  return JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, ...meta } })
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

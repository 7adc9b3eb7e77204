/**
 * Notifications: which streams learn of a change, of a draft and of altered lists, and what each receives.
 *
 * Every stream is checked against what its listener may read now, because rules and sessions may have changed since
 * it subscribed. `test/platform/mcp/listen.test.ts` and `test/platform/mcp/draft-resource.test.ts` have the cases.
 *
 * @module
 */

import { pathOf } from '#core/file-uri.ts'
import type { StorePath } from '#core/path.ts'
import { COMMENTS_URI, DRAFT_URI, SUBSCRIPTION_META } from '#core/wire.ts'
import { maySeeThread } from '../access/comment-view.ts'
import type { ThreadHead } from '../access/comment.ts'
import type { ChangedFolder } from '../approved/approved.ts'
import type { DraftPublication } from '../access/draft.ts'
import { problemOfSpent } from '../access/judging.ts'
import { MAX_NAME_LENGTH } from '../limits.ts'
import type { Listener } from '../sessions/callers.ts'
import { findListChange, type Publication, type Sight } from './list-changes.ts'
import type { Listeners } from './listeners.ts'
import { attachmentOf, openSockets } from './stream-sockets.ts'
import {
  findSubscribed,
  findSubscribedBelow,
  findSubscribers,
  type SubscriptionTable,
} from './subscriptions.ts'

/** Returns what a listener may read now; null when its session has ended. */
export type AccessOf = (listener: Listener) => Sight | null

/** The streams that notifications go to, and what each may receive. */
export interface NotificationContext extends SubscriptionTable {
  readonly ctx: DurableObjectState
  readonly accessOf: AccessOf
  readonly listeners: Listeners
}

/**
 * Notifies every stream of the changes of one decision, once: for each, its access is computed. Returns how many
 * streams were left out because no steps are left to judge what they may read.
 */
export function publish(context: NotificationContext, changes: readonly Publication[]): number {
  const sockets = openSockets(context.ctx)
  if (sockets.length === 0) return 0
  const altersList = findListChange(context.sql, changes, sockets.length)
  const touched = findSubscribed(context, changes)
  return notifyEach(sockets, (socket) => notify(context, socket, altersList, touched))
}

/**
 * Notifies streams one by one. A stream whose listener has no steps left gets nothing, because a notification without a
 * verdict would tell of hidden files. Returns how many.
 */
export function notifyEach(
  sockets: readonly WebSocket[],
  notifyOne: (socket: WebSocket) => void,
): number {
  let dropped = 0
  for (const socket of sockets) {
    try {
      notifyOne(socket)
    } catch (error) {
      problemOfSpent(error)
      dropped++
    }
  }
  if (dropped > 0) console.warn('Notifications dropped: no steps left')
  return dropped
}

function notify(
  context: NotificationContext,
  socket: WebSocket,
  altersList: (access: Sight) => boolean,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const { kind, key, id, list } = attachmentOf(socket)
  const access = context.accessOf(context.listeners.find(key))
  if (!access) return socket.close(1000, 'session ended')
  if (kind === 'new') return
  if ((kind === 'session' || list) && altersList(access))
    socket.send(formatNotification('notifications/resources/list_changed', {}, id))
  for (const uri of touched.get(key) ?? []) {
    // Rules may have changed since it subscribed.
    if (!isSeen(uri, access)) continue
    socket.send(formatNotification('notifications/resources/updated', { uri }, id))
  }
}

/** Notifies the streams of a draft's owner, and no others, that the draft has changed, and what the owner reads with it. */
export function publishDraft(
  context: NotificationContext,
  owner: string,
  { paths, listed }: DraftPublication = { paths: [], listed: [] },
): void {
  const sockets = openSockets(context.ctx)
  if (sockets.length === 0) return
  const subscribed = findSubscribers(context, DRAFT_URI)
  const touched = findSubscribedBelow(context, paths)
  notifyEach(sockets, (socket) => {
    const { kind, key, id, list } = attachmentOf(socket)
    const listener = context.listeners.find(key)
    if (kind === 'new' || listener.draft !== owner) return
    const access = context.accessOf(listener)
    if (!access) return socket.close(1000, 'session ended')
    const own = subscribed.has(key) ? [DRAFT_URI] : []
    const files = [...(touched.get(key) ?? [])].filter((uri) => isSeen(uri, access))
    for (const uri of [...own, ...files])
      socket.send(formatNotification('notifications/resources/updated', { uri }, id))
    if ((kind === 'session' || list) && listed.some((path) => access.canRead(path)))
      socket.send(formatNotification('notifications/resources/list_changed', {}, id))
  })
}

/** What is known of a thread whose comments have changed. */
export type CommentedThread = Pick<ThreadHead, 'reader' | 'anchor'>

/** Notifies the streams of those who may read a thread that their comments have changed. */
export function publishComments(context: NotificationContext, thread: CommentedThread): void {
  const sockets = openSockets(context.ctx)
  if (sockets.length === 0) return
  const uris = [COMMENTS_URI, ...(thread.reader === null ? [] : [DRAFT_URI])]
  const subscribed = uris.map((uri) => ({ uri, by: findSubscribers(context, uri) }))
  notifyEach(sockets, (socket) => {
    const { kind, key, id } = attachmentOf(socket)
    const listener = context.listeners.find(key)
    const access = kind === 'new' ? null : context.accessOf(listener)
    if (!access || !maySeeThread(thread, access, listener.draft ?? null)) return
    for (const { uri, by } of subscribed)
      if (by.has(key))
        socket.send(formatNotification('notifications/resources/updated', { uri }, id))
  })
}

/** Whether a URI is that of a resource whose content is the reader's own. */
export const isOwnResource = (uri: string) => uri === DRAFT_URI || uri === COMMENTS_URI

/** Notifies readers of the folders of apps that the apps came or went: their tools and pages. */
export function publishTools(context: NotificationContext, folders: readonly StorePath[]): void {
  publishLists(context, (access) => folders.some((folder) => access.canRead(folder)))
}

/**
 * Notifies callers that skills came or went, which are resources: those that may read all files of one, as no other has it.
 */
export function publishSkills(
  context: NotificationContext,
  folders: readonly ChangedFolder[],
): void {
  const isConcerned = (access: Sight) =>
    folders.some((folder) => [folder.path, ...folder.files].every((path) => access.canRead(path)))
  publishLists(context, isConcerned, RESOURCES)
}

/** Notifies the callers with a session, whose lists may be others after the owner allowed it more or less. */
export function publishListsOf(context: NotificationContext, session: string): void {
  publishLists(context, (_access, listener) => listener.session === session)
}

type IsConcerned = (access: Sight, listener: Listener) => boolean

/** The lists that may have changed. */
interface Lists {
  readonly hasTools: boolean
}

const ALL: Lists = { hasTools: true }
const RESOURCES: Lists = { hasTools: false }

/** Notifies the streams that asked for it, and all sessions, if their caller is concerned. */
export function publishLists(
  context: NotificationContext,
  isConcerned: IsConcerned,
  { hasTools } = ALL,
): void {
  notifyEach(openSockets(context.ctx), (socket) => {
    const { kind, key, id, list, tools } = attachmentOf(socket)
    const listener = context.listeners.find(key)
    const access = context.accessOf(listener)
    if (!access || !isConcerned(access, listener)) return
    if (hasTools && (kind === 'session' || tools))
      socket.send(formatNotification('notifications/tools/list_changed', {}, id))
    if (kind === 'session' || list)
      socket.send(formatNotification('notifications/resources/list_changed', {}, id))
  })
}

/** Whether a caller may read a URI: its draft, or a file. Any other URI never changes. */
export function isSeen(uri: string, access: Sight): boolean {
  if (isOwnResource(uri)) return true
  const path = uri.length <= MAX_NAME_LENGTH ? pathOf(uri) : null
  return path !== null && access.canRead(path)
}

/** Formats a notification, with the id of the request that listens for it. */
export function formatNotification(
  method: string,
  params: Record<string, unknown>,
  id: string | number | undefined,
): string {
  const meta = id === undefined ? {} : { _meta: { [SUBSCRIPTION_META]: id } }
  return JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, ...meta } })
}

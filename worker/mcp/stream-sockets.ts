/**
 * The sockets of streams: what each remembers while the object sleeps, which can be written to, and which one is
 * closed when there are too many. `test/platform/call/budgets.test.ts` tests the limits.
 *
 * @module
 */

import { MAX_STREAMS, MAX_WORKSPACE_STREAMS } from '../limits.ts'
import { countShares, cutLargest } from '../database/shares.ts'

/** The state of a socket; small, because it is stored with the socket while the object sleeps. */
export interface Attachment {
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

/** Replaces the state of a socket. */
export function attach(socket: WebSocket, attachment: Attachment): void {
  socket.serializeAttachment(attachment)
}

/** Returns the state of a socket. */
export function attachmentOf(socket: WebSocket): Attachment {
  // Only `attach` writes attachments.
  return socket.deserializeAttachment() as Attachment
}

/**
 * Lists the streams that can be written to, of all clients or with one tag, of a session or a share. A closed stream
 * stays listed until its client has answered; sending to it throws.
 */
export function openSockets(ctx: DurableObjectState, tag?: string): WebSocket[] {
  return ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN)
}

/** The tag of all streams that use a principal's share. A session, whose id is a tag as well, may have a share. */
export const shareOf = (budget: string) => `share:${budget}`

/**
 * Closes the oldest stream of a principal at its limit, or, at the limit of the workspace, of the principal
 * with the most streams. Below both, which is the rule, streams are only counted.
 */
export function makeRoom(ctx: DurableObjectState, budget: string): void {
  const mine = openSockets(ctx, shareOf(budget))
  closeOldest(mine, mine.length - MAX_STREAMS + 1)
  const all = openSockets(ctx)
  const over = all.length - MAX_WORKSPACE_STREAMS + 1
  if (over <= 0) return
  const shares = countShares(all.map((socket) => attachmentOf(socket).budget))
  for (const share of cutLargest(shares, over))
    closeOldest(openSockets(ctx, shareOf(share.budget)), share.entries)
}

function closeOldest(sockets: readonly WebSocket[], count: number): void {
  if (count <= 0) return
  const oldest = sockets
    .map((socket) => ({ socket, ...attachmentOf(socket) }))
    .toSorted((a, b) => a.opened - b.opened)
    .slice(0, count)
  for (const { socket } of oldest) socket.close(1000, 'too many streams')
}

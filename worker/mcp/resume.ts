/**
 * Resuming the stream of a session: what its client gets after the connection was lost.
 *
 * Nothing is stored for it. Notifications say that something may have changed, so the client gets those of all lists
 * and of all its subscriptions, whichever event it has seen last. `test/platform/mcp/resume.test.ts` has the cases.
 *
 * @module
 */

import {
  formatNotification,
  isSeen,
  notifyEach,
  type NotificationContext,
} from './notifications.ts'
import { openSockets } from './stream-sockets.ts'
import { listSubscriptions } from './subscriptions.ts'

/** The header of a client that resumes a stream. */
export const LAST_EVENT_ID = 'last-event-id'

/** Sends to the stream of a session all that it may have missed: notifications, and further messages. */
export function sendMissed(
  context: NotificationContext,
  session: string,
  messages: readonly unknown[],
): void {
  notifyEach(openSockets(context.ctx, session), (socket) => {
    for (const message of listMissed(context, session, messages)) socket.send(message)
  })
}

function listMissed(
  context: NotificationContext,
  session: string,
  messages: readonly unknown[],
): string[] {
  const access = context.accessOf(context.listeners.find(session))
  if (!access) return []
  const lists = ['tools', 'resources'].map((list) => `notifications/${list}/list_changed`)
  const uris = listSubscriptions(context, session).filter((uri) => isSeen(uri, access))
  return [
    ...lists.map((method) => formatNotification(method, {}, undefined)),
    ...uris.map((uri) => formatNotification('notifications/resources/updated', { uri }, undefined)),
    ...messages.map((message) => JSON.stringify(message)),
  ]
}

/** Maps MCP notifications to connection events. @module */

import type { JsonRecord } from '#core/json.ts'
import type { Events } from './events.ts'
import { logOf, textOf } from './read.ts'
import type { ConnectionEvents } from './types.ts'

/** Emits the event of a notification; unknown notifications are ignored. */
export function announce(
  events: Events<ConnectionEvents>,
  method: string,
  params: JsonRecord,
): void {
  switch (method) {
    case 'notifications/resources/list_changed':
      return events.emit('resources', null)
    case 'notifications/prompts/list_changed':
      return events.emit('prompts', null)
    case 'notifications/resources/updated':
      return events.emit('updated', { uri: textOf(params['uri']) })
    case 'notifications/message':
      return events.emit('log', logOf(params))
    default:
  }
}

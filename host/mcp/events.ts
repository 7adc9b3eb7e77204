/**
 * A typed event emitter, and the mapping of MCP notifications to the events of a connection.
 *
 * If a listener throws, the error is reported like any error of the page, and the other listeners
 * still run.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { parseLogMessage, textOf } from './parse.ts'
import type { ConnectionEvents } from './connection.ts'

type Listener<T> = (value: T) => void

/** Listeners by event; `Map` gives the type of each event's value. */
export interface Events<Map> {
  /** Adds a listener; returns the function that removes it. */
  on<E extends keyof Map>(event: E, listener: Listener<Map[E]>): () => void
  emit<E extends keyof Map>(event: E, value: Map[E]): void
}

/** Creates an emitter without listeners. */
export function createEvents<Map>(): Events<Map> {
  const listeners: { [E in keyof Map]?: Set<Listener<Map[E]>> } = {}

  function on<E extends keyof Map>(event: E, listener: Listener<Map[E]>): () => void {
    const set = (listeners[event] ??= new Set())
    // A new function per call, so that the same listener can be added twice.
    const own: Listener<Map[E]> = (value) => listener(value)
    set.add(own)
    return () => void set.delete(own)
  }

  function emit<E extends keyof Map>(event: E, value: Map[E]): void {
    for (const listener of [...(listeners[event] ?? [])]) {
      try {
        listener(value)
      } catch (error) {
        reportError(error)
      }
    }
  }
  return { on, emit }
}

/** Emits the event of a notification; unknown notifications are ignored. */
export function emitNotification(
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
      return events.emit('log', parseLogMessage(params))
    default:
  }
}

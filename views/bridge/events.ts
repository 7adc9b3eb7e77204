/**
 * Event listeners of a view, with replay for those that subscribe late.
 *
 * A host sends the input and the result as soon as it can, often before the view has drawn
 * anything. The last value of each is kept and replayed to listeners that subscribe later.
 *
 * @module
 */

import type { BridgeEvents } from './types.ts'

/** The name of an event of the host. */
export type EventName = keyof BridgeEvents
type Listener<K extends EventName> = (value: BridgeEvents[K]) => unknown
type Listeners = { readonly [K in EventName]: Set<Listener<K>> }
type Replayed = { [K in EventName]?: BridgeEvents[K] }

/** The listeners of one connection. */
export type Events = ReturnType<typeof createEvents>

/** Events that are replayed to late listeners. */
const REPLAYED: ReadonlySet<EventName> = new Set([
  'input',
  'partial',
  'progress',
  'result',
  'cancelled',
])

/** Creates an empty set of listeners, with functions that subscribe and that dispatch. */
export function createEvents() {
  const lastValues: Replayed = {}
  const listeners: Listeners = {
    input: new Set(),
    partial: new Set(),
    result: new Set(),
    progress: new Set(),
    cancelled: new Set(),
    context: new Set(),
    teardown: new Set(),
    changed: new Set(),
  }

  /** Subscribes to an event and returns a function that unsubscribes. */
  function on<K extends EventName>(event: K, listener: Listener<K>): () => void {
    const all = listeners[event]
    const replay = lastValues[event]
    all.add(listener)
    if (replay !== undefined) {
      queueMicrotask(() => {
        if (all.has(listener)) void notify(listener, replay)
      })
    }
    return () => void all.delete(listener)
  }

  /** Dispatches an event without waiting; the last value is kept where the event is replayed. */
  function emit<K extends EventName>(event: K, value: BridgeEvents[K]): void {
    if (REPLAYED.has(event)) lastValues[event] = value
    if (event === 'input') delete lastValues.partial
    for (const listener of listeners[event]) void notify(listener, value)
  }

  /** Dispatches an event and waits for the promises that listeners return. */
  async function dispatch<K extends EventName>(event: K, value: BridgeEvents[K]): Promise<void> {
    await Promise.all([...listeners[event]].map((listener) => notify(listener, value)))
  }
  return { on, emit, dispatch }
}

/** Calls one listener. An error does not stop the others; the browser reports it as unhandled. */
async function notify<K extends EventName>(listener: Listener<K>, value: BridgeEvents[K]) {
  await listener(value)
}

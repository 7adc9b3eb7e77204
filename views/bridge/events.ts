/**
 * Listeners of a view, who may come after what they wait for.
 *
 * A host sends input and result as soon as it may, which is often before a view has drawn anything.
 * The last of each is kept, and told to whoever begins to listen later.
 *
 * @module
 */

import type { BridgeEvents } from './types.ts'

export type EventName = keyof BridgeEvents
type Listener<K extends EventName> = (value: BridgeEvents[K]) => unknown
type Listeners = { readonly [K in EventName]: Set<Listener<K>> }
type Kept = { [K in EventName]?: BridgeEvents[K] }

export type Events = ReturnType<typeof createEvents>

const KEPT: ReadonlySet<EventName> = new Set(['input', 'partial', 'result', 'cancelled'])

export function createEvents() {
  const kept: Kept = {}
  const listeners: Listeners = {
    input: new Set(),
    partial: new Set(),
    result: new Set(),
    cancelled: new Set(),
    context: new Set(),
    teardown: new Set(),
    changed: new Set(),
  }

  /** Begins to listen, and answers how to end it. */
  function on<K extends EventName>(event: K, listener: Listener<K>): () => void {
    const all = listeners[event]
    const early = kept[event]
    all.add(listener)
    if (early !== undefined) {
      queueMicrotask(() => {
        if (all.has(listener)) void tell(listener, early)
      })
    }
    return () => void all.delete(listener)
  }

  function emit<K extends EventName>(event: K, value: BridgeEvents[K]): void {
    if (KEPT.has(event)) kept[event] = value
    if (event === 'input') delete kept.partial
    for (const listener of listeners[event]) void tell(listener, value)
  }

  /** Tells every listener, and waits for what they promise. */
  async function ask<K extends EventName>(event: K, value: BridgeEvents[K]): Promise<void> {
    await Promise.all([...listeners[event]].map((listener) => tell(listener, value)))
  }
  return { on, emit, ask }
}

/** A listener that throws stops no other: it is a bug, and the browser reports it. */
async function tell<K extends EventName>(listener: Listener<K>, value: BridgeEvents[K]) {
  await listener(value)
}

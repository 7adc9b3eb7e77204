/**
 * Listeners by event, typed by what each event carries.
 *
 * A listener that throws is reported like any error of the page and keeps nobody else from hearing.
 *
 * @module
 */

type Listener<T> = (value: T) => void

export interface Events<Map> {
  on<E extends keyof Map>(event: E, listener: Listener<Map[E]>): () => void
  emit<E extends keyof Map>(event: E, value: Map[E]): void
}

export function createEvents<Map>(): Events<Map> {
  const listeners: { [E in keyof Map]?: Set<Listener<Map[E]>> } = {}

  function on<E extends keyof Map>(event: E, listener: Listener<Map[E]>): () => void {
    const set = (listeners[event] ??= new Set())
    // A function of its own, so that the same listener can be there twice.
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

/**
 * Tool events, and `on…` attributes with the rules of HTML event handlers.
 *
 * A script cannot create trusted events; SPEC.md lists that as a deviation.
 *
 * @module
 */

import { isFunction, toDOMString } from '../idl.ts'
import type { ToolEvent, ToolEventInit } from '../types.ts'

/** The constructor of a tool event. */
export type ToolEventClass = new (type: string, init?: ToolEventInit) => ToolEvent

/**
 * Creates the class of a tool event.
 * https://webmachinelearning.github.io/webmcp/#tool-activated-event
 */
export function toolEventClass(name: string): ToolEventClass {
  // The key provides the class name; the rest parameter keeps `length` at 1.
  const { [name]: made = Event } = {
    [name]: class extends Event {
      readonly #toolName: string

      constructor(_type: string, ...[init]: [ToolEventInit?]) {
        // All arguments as they came: without any, Event throws the TypeError that is due.
        super(...(arguments as unknown as [string, ToolEventInit?]))
        const toolName = init?.toolName
        this.#toolName = toolName === undefined ? '' : toDOMString(toolName)
      }

      get toolName() {
        return this.#toolName
      }
    },
  }
  Object.defineProperty(made.prototype, 'toolName', { enumerable: true })
  tag(made, name)
  return made as ToolEventClass
}

/** Sets the class string. https://webidl.spec.whatwg.org/#dfn-class-string */
export function tag({ prototype }: { prototype: object }, value: string): void {
  Object.defineProperty(prototype, Symbol.toStringTag, { value, configurable: true })
}

/**
 * An event handler attribute: a listener whose callback can be replaced without changing its
 * position among the listeners. https://html.spec.whatwg.org/#event-handler-attributes
 */
export interface EventHandler extends EventListenerObject {
  /** The callback, an object that need not be callable; null while no handler is set. */
  value: object | null
}

/** Creates an event handler attribute without a callback. */
export const createEventHandler = (): EventHandler => ({
  value: null,
  handleEvent(event) {
    if (isFunction(this.value) && this.value.call(event.currentTarget, event) === false)
      event.preventDefault()
  },
})

/**
 * Tool events, and `on…` attributes that keep the rules of HTML's event handlers.
 *
 * A script cannot make trusted events; SPEC.md lists that as a deviation.
 *
 * @module
 */

import { isFunction, isObject, toDOMString } from '../idl.ts'
import type { ToolEvent, ToolEventInit } from '../types.ts'

export type ToolEventClass = new (type: string, init?: ToolEventInit) => ToolEvent

/** https://webmachinelearning.github.io/webmcp/#tool-activated-event, and the one for cancelling */
export function toolEventClass(name: string): ToolEventClass {
  // The class takes its name from the key; the rest parameter keeps its `length` at 1.
  const { [name]: made = Event } = {
    [name]: class extends Event {
      readonly #toolName: string

      constructor(type: string, ...[init]: [ToolEventInit?]) {
        if (arguments.length === 0) throw new TypeError('1 argument required')
        super(type, init)
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

/** https://webidl.spec.whatwg.org/#dfn-class-string */
export function tag({ prototype }: { prototype: object }, value: string): void {
  Object.defineProperty(prototype, Symbol.toStringTag, { value, configurable: true })
}

/**
 * An event handler: a listener whose callback can be exchanged, and keeps its place in line.
 * https://html.spec.whatwg.org/#event-handler-attributes
 */
export class EventHandler {
  value: object | null = null

  handleEvent(event: Event): void {
    if (isFunction(this.value) && this.value.call(event.currentTarget, event) === false)
      event.preventDefault()
  }

  /** What is no object takes the handler away. Adding a listener that is there does nothing. */
  set(target: EventTarget, type: string, value: unknown): void {
    this.value = isObject(value) ? value : null
    if (this.value) target.addEventListener(type, this)
    else target.removeEventListener(type, this)
  }
}

/**
 * Keeps `toolactivated` back while a call waits at the gate.
 *
 * The event is due when the tool has been called. A guarded `execute` returns a promise at once, so
 * the event would be fired while the question is open, also for a call that is denied, and at a
 * document that the tool then removes. A call that asks nothing keeps the event of the browser.
 * `test/pages/polyfill/approval-activation.slow.test.ts` covers it.
 *
 * @module
 */

import type { ToolEventClass } from '../model-context/events.ts'
import { bare, read } from './builtins.ts'
import { intrinsics } from './intrinsics.ts'

/** A call at the gate. */
interface Waiting {
  readonly tool: string
  /** The event of the call, once it was stopped. */
  event: Event | null
}

/** The call whose event comes next: it is fired in the task of the call, when `execute` returns. */
let due: Waiting | null = null

let isFiring = false

/** Calls a tool, and fires the event of its call if that was stopped. */
export type Start = <T>(run: () => T) => T

/**
 * Watches a context for the events of calls that wait.
 *
 * @param target The context; nothing happens if it is no event target.
 * @returns A function that stops watching.
 */
export function watchActivations(target: unknown): () => void {
  if (!intrinsics || !(target instanceof EventTarget)) return () => {}
  const { listen, unlisten } = intrinsics
  listen(target, 'toolactivated', stopEvent, true)
  return () => unlisten(target, 'toolactivated', stopEvent, true)
}

function stopEvent(event: Event): void {
  if (isFiring || !due || due.tool !== read(event, 'toolName')) return
  due.event = event
  due = null
  intrinsics?.stopImmediatePropagation(event)
}

/** Keeps the event of a call back that begins to wait; returns what starts the tool. */
export function keepActivation(tool: string): Start {
  const call: Waiting = bare({ tool, event: null })
  const forget = () => {
    if (due === call) due = null
  }
  due = call
  intrinsics?.later(forget) // there may be no event
  return (run) => {
    forget()
    try {
      return run()
    } finally {
      if (call.event) fire(call.event)
    }
  }
}

/** Fires an event like a stopped one, unless the document has been removed. */
function fire(stopped: Event): void {
  const target = intrinsics?.target(stopped)
  if (!document.defaultView || !(target instanceof EventTarget)) return
  // A stopped event cannot be fired again: Chromium keeps its flag.
  const Made = stopped.constructor as ToolEventClass
  const event = new Made('toolactivated', { toolName: String(read(stopped, 'toolName')) })
  isFiring = true
  target.dispatchEvent(event)
  isFiring = false
}

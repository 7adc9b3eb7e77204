/**
 * The WebMCP members of `SubmitEvent`: `agentInvoked` and `respondWith()`.
 *
 * A page can ask for them before any form is a tool, so `webmcp.js` defines them at once and loads
 * the rest of `forms/` only when it is needed. `test/support/polyfill/cases/forms.ts` covers them.
 *
 * @module
 */

import { exception } from '../exception.ts'
import { isObject } from '../idl.ts'
import { define, type Undo } from '../undo.ts'

/** What the members do for an event. */
export interface SubmitMembers {
  /** Reports whether an agent's call submits the form. */
  readonly isInvoked: (event: object) => boolean
  /** Takes the response; throws `InvalidStateError` if no call awaits one. */
  readonly respond: (event: Event, response: unknown) => void
}

/** The members while no form is a tool. */
const IDLE: SubmitMembers = { isInvoked: () => false, respond: refuseResponse }

/** Throws the `InvalidStateError` of a response that no call awaits. */
export function refuseResponse(): never {
  throw exception(
    'InvalidStateError',
    'No call awaits a response, or preventDefault() was not called',
  )
}

/** Defines the members; returns a function that restores what was there before. */
export function defineSubmitMembers({ isInvoked, respond }: SubmitMembers = IDLE): Undo {
  return define(SubmitEvent.prototype, {
    get agentInvoked() {
      return isObject(this) && isInvoked(this)
    },
    respondWith(this: Event, response: unknown) {
      // `undefined` is a response; no argument is a mistake.
      if (arguments.length === 0) throw new TypeError('1 argument required')
      respond(this, response)
    },
  })
}

/**
 * The WebMCP members of `SubmitEvent`: `agentInvoked` and `respondWith()`.
 *
 * A page can ask for them before any form is a tool, so `webmcp.js` defines them at once and loads
 * the rest of `forms/` only when it is needed. `test/support/polyfill/cases/forms.ts` covers them.
 *
 * @module
 */

import { exception } from '../exception.ts'
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

/**
 * Defines the members; returns a function that restores what was there before.
 *
 * As in Web IDL, both throw a `TypeError` for an object that is no submit event of any window.
 */
export function defineSubmitMembers({ isInvoked, respond }: SubmitMembers = IDLE): Undo {
  const { prototype } = SubmitEvent
  // The browser's own getter knows its events.
  // oxlint-disable-next-line typescript/unbound-method -- it is called through `apply`
  const { get = refuseResponse } = Object.getOwnPropertyDescriptor(prototype, 'submitter') ?? {}
  const { apply } = Reflect
  return define(prototype, {
    get agentInvoked() {
      apply(get, this, [])
      return isInvoked(this)
    },
    respondWith(this: Event, response: unknown) {
      apply(get, this, [])
      // `undefined` is a response; no argument is a mistake.
      if (arguments.length === 0) throw new TypeError('1 argument required')
      respond(this, response)
    },
  })
}

/**
 * Responses that pages have promised to the calls of their forms.
 *
 * Chromium fails a call when its form is removed or changes after the submit event, and forgets the
 * response. Microtasks of a submission that the gate has held run after its event, too. Callers in
 * pages with this script therefore get the response from here; the browser's own agent does not.
 * `test/pages/polyfill/approval-forms.slow.test.ts` covers it.
 *
 * @module
 */

import { isObject } from '../idl.ts'
import { bare, create, defineProperty, settle, stringify } from './builtins.ts'
import type { Intrinsics } from './intrinsics.ts'

/** `respondWith` as a function of the event. */
export type Respond = (event: Event, ...answer: readonly unknown[]) => void

/** A call that waits for a response, and the response that its form has been given. */
interface WaitingCall {
  response: Promise<string> | null
}

/**
 * Ends a call: with null or with its failure, and by its caller or not.
 *
 * @returns The response, if the browser has failed the call because its form was removed or has changed.
 */
export type EndCall = (error: unknown, isAborted: boolean) => Promise<string> | null

/** The calls of one tool. */
interface Calls {
  waiting: number
  /** The only call for which the next response can be; null if there are several, or none. */
  only: WaitingCall | null
  /** The last call was aborted, so that its form may still be submitted. */
  isAborted: boolean
}

const calls: Record<string, Calls> = create(null)

/** Begins to keep the response for a call. Without certainty which call it is for, none gets it. */
export function expectResponse(tool: string): EndCall {
  const call: WaitingCall = bare({ response: null })
  const all = (calls[tool] ??= bare({ waiting: 0, only: null, isAborted: false }))
  all.only = all.waiting > 0 || all.isAborted ? null : call
  all.waiting++
  return (error, isAborted) => {
    const { response } = call
    all.waiting--
    all.isAborted = isAborted
    if (all.only === call) all.only = null
    return response && !isAborted && CHANGED.test(String(error)) ? orElse(response, error) : null
  }
}

/**
 * Keeps the response that the page gives to a submission.
 *
 * @param resolve Called with the response, after the browser has accepted it.
 */
export function keepResponse(
  dom: Intrinsics,
  event: Event,
  respond: Respond,
  resolve?: (response: unknown) => void,
): void {
  const tool = dom.getAttribute(dom.target(event) as HTMLFormElement, 'toolname') ?? ''
  const value = (...args: readonly unknown[]) => {
    respond(event, ...args)
    const call = calls[tool]?.only
    if (call) {
      call.response = toText(args[0])
      void settle(call.response, ignore, ignore)
    }
    resolve?.(args[0])
  }
  defineProperty(event, 'respondWith', bare({ configurable: true, value }))
}

/** A response that fails is reported by the browser. */
const ignore = () => {}

/** Writes a response as the browser does. */
async function toText(response: unknown): Promise<string> {
  const value = await response
  const text: unknown = isObject(value) ? stringify(value) : value
  return `${text as string}`
}

/** Chromium's words for it: every failure has the same name. */
const CHANGED = /definition was updated/

/** Waits for a response; if that fails, the call fails as the browser has reported it. */
async function orElse(response: Promise<string>, error: unknown): Promise<string> {
  try {
    return await response
  } catch {
    throw error
  }
}

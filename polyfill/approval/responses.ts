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
import { bare, defineProperty, settle, stringify } from './builtins.ts'
import type { Intrinsics } from './intrinsics.ts'

/** `respondWith` as a function of the event. */
export type Respond = (event: Event, ...answer: readonly unknown[]) => void

/** The last response of each form, by the name of its tool. */
const responses = new Map<string, Promise<string>>()

/** Time for which a settled response is kept, as the failure may reach the caller later. */
const KEPT_MS = 100

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
    const response = toText(args[0])
    const forget = () => dom.later(dropResponse, KEPT_MS, tool, response)
    responses.set(tool, response)
    void settle(response, forget, forget)
    resolve?.(args[0])
  }
  defineProperty(event, 'respondWith', bare({ configurable: true, value }))
}

/** Writes a response as the browser does. */
async function toText(response: unknown): Promise<string> {
  const value = await response
  const text: unknown = isObject(value) ? stringify(value) : value
  return `${text as string}`
}

function dropResponse(tool: string, response: Promise<string>): void {
  if (responses.get(tool) === response) responses.delete(tool)
}

/**
 * Returns the response to a call that the browser has failed because its form was removed or has
 * changed, once; null if there is none.
 */
export function takeResponse(tool: string, error: unknown): Promise<string> | null {
  const response = responses.get(tool)
  if (!response || !CHANGED.test(String(error))) return null
  responses.delete(tool)
  return orElse(response, error)
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

/**
 * Events of the element: what it tells, and what it asks the page around it.
 *
 * @module
 */

import { ANSWER_TIMEOUT } from './limits.ts'
import { within } from './rpc.ts'
import type { EventDetail, Question, ViewEvents } from './types.ts'

function dispatch(element: Element, name: string, detail: unknown): void {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
}

export function tell<Name extends keyof ViewEvents>(
  element: Element,
  name: Name,
  detail: EventDetail<Name>,
): void {
  dispatch(element, name, detail)
}

/** The first answer of a listener, false when it does not come in time, null when nobody answers. */
export async function ask<Name extends Question>(
  element: Element,
  name: Name,
  detail: Omit<EventDetail<Name>, 'respondWith'>,
  signal = new AbortController().signal,
): Promise<boolean | null> {
  const given: Promise<boolean>[] = []
  const respondWith = (answer: boolean | Promise<boolean>) =>
    void given.push(Promise.resolve(answer))
  dispatch(element, name, { ...detail, respondWith })
  const [first] = given
  return first ? within(ANSWER_TIMEOUT, signal, () => first).catch(() => false) : null
}

/** Something in the element's own words, for whoever develops an app or a page. */
export function log(element: Element, level: 'info' | 'warning', data: unknown): void {
  tell(element, 'mcp-log', { level, logger: 'mcp-view', data })
}

/** An attribute that is a positive number. */
export function numberOf(element: Element, attribute: string, otherwise: number): number {
  const value = Number(element.getAttribute(attribute))
  return value > 0 ? value : otherwise
}

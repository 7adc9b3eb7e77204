/**
 * Events of the element: notifications to the page, and requests that the page may answer.
 *
 * @module
 */

import { ANSWER_TIMEOUT } from './limits.ts'
import { within } from './rpc.ts'
import type { EventDetail, Question, ViewEvents } from './types.ts'

function dispatch(element: Element, name: string, detail: unknown): void {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
}

/** Dispatches an event. */
export function tell<Name extends keyof ViewEvents>(
  element: Element,
  name: Name,
  detail: EventDetail<Name>,
): void {
  dispatch(element, name, detail)
}

/**
 * Dispatches an event that the page may answer by `respondWith()`.
 *
 * @param signal Ends the wait.
 * @returns The first listener's answer; false if it rejects or takes too long; null if there is no
 *   answer.
 */
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

/** Emits a log message of the element itself, for developers of the app or the page. */
export function log(element: Element, level: 'info' | 'warning', data: unknown): void {
  tell(element, 'mcp-log', { level, logger: 'mcp-view', data })
}

/** Reads an attribute as a positive number, or returns the default. */
export function numberOf(element: Element, attribute: string, otherwise: number): number {
  const value = Number(element.getAttribute(attribute))
  return value > 0 ? value : otherwise
}

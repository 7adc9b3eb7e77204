/**
 * Events of the element: notifications to the page, and requests that the page may answer.
 *
 * @module
 */

import type { ViewError } from './errors.ts'
import { ANSWER_TIMEOUT } from './limits.ts'
import { withTimeout } from './rpc.ts'
import type { AnswerableEvent, ErrorCode, EventDetail, ViewEvents } from './types.ts'

function dispatch(element: Element, name: string, detail: unknown): void {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
}

/** Dispatches an event. */
export const emit: <Name extends keyof ViewEvents>(
  element: Element,
  name: Name,
  detail: EventDetail<Name>,
) => void = dispatch

/** Dispatches `mcp-error`. */
export function emitError(element: Element, { code, message }: ViewError<ErrorCode>): void {
  emit(element, 'mcp-error', { code, message })
}

/**
 * Dispatches an event that the page may answer by `respondWith()`.
 *
 * @param signal Ends the wait.
 * @returns The first listener's answer; false if it rejects or takes too long; null if there is no
 *   answer.
 */
export async function askPage<Name extends AnswerableEvent>(
  element: Element,
  name: Name,
  detail: Omit<EventDetail<Name>, 'respondWith'>,
  signal = AbortSignal.any([]),
): Promise<boolean | null> {
  const answers: Promise<boolean>[] = []
  const respondWith = (answer: boolean | Promise<boolean>) =>
    void answers.push(Promise.resolve(answer))
  dispatch(element, name, { ...detail, respondWith })
  const [first] = answers
  return first ? withTimeout(ANSWER_TIMEOUT, signal, () => first).catch(() => false) : null
}

/** Emits a log message of the element itself, for developers of the app or the page. */
export function emitOwnLog(element: Element, level: 'info' | 'warning', data: unknown): void {
  emit(element, 'mcp-log', { level, logger: 'mcp-view', data })
}

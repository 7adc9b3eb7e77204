/**
 * Draws the log of calls.
 *
 * @module
 */

import type { LoggedCall } from './calls.ts'
import { code, el } from './dom.ts'

const OUTCOMES = {
  pending: 'waits',
  ran: 'ran',
  denied: 'denied',
  cancelled: 'cancelled',
  failed: 'failed',
} as const

/** What decided, in words; the keys are those of the audit log. */
const DECIDED: Readonly<Record<string, string>> = {
  policy: 'by its level',
  person: 'by the person',
  session: 'allowed on this visit',
  remembered: 'allowed earlier',
  approver: 'by the approver of the page',
}

const rows = new WeakMap<LoggedCall, HTMLDetailsElement>()

/** Draws the calls, newest first. A row that is open stays open. */
export function drawCalls(place: HTMLElement, calls: readonly LoggedCall[]): void {
  const list = el('ol', {}, calls.map(drawRow))
  place.replaceChildren(calls.length > 0 ? list : el('p', {}, ['No call yet.']))
}

function drawRow(call: LoggedCall): HTMLElement {
  const { tool, input, level, at, outcome, duration, result, by, isStarted } = call
  const state = outcome === 'pending' && isStarted ? 'runs' : OUTCOMES[outcome]
  const facts = [
    new Date(at).toLocaleTimeString(),
    ...(level ? [level] : []),
    ...(by ? [DECIDED[by] ?? by] : []),
    ...(duration === null ? [] : [`${duration} ms`]),
  ]
  const row = el('details', { class: 'row' }, [
    el('summary', {}, [
      el('b', {}, [tool]),
      el('span', { class: `badge ${outcome}` }, [state]),
      el('small', {}, [facts.join(' · ')]),
    ]),
    input
      ? code('Arguments', input)
      : el('p', {}, ['Called from outside of this page: its arguments are not visible here.']),
    ...(result === undefined ? [] : [code(outcome === 'ran' ? 'Result' : 'Error', result)]),
  ])
  row.open = rows.get(call)?.open ?? false
  rows.set(call, row)
  return el('li', {}, [row])
}

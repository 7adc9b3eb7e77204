/**
 * Input and outcome of a check: the wire, the info of the host, and the two origins of which the
 * resource declares one.
 *
 * @module
 */

import type { Answer, Wire } from './wire.ts'

export type Status = 'PASS' | 'FAIL' | 'TIMEOUT' | 'NOTRUN' | 'INFO'

export interface Outcome {
  readonly status: Status
  readonly detail: string
}

export type Clause = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

export interface Check {
  readonly id: string
  readonly clause: Clause
  readonly title: string
  readonly run: (run: Run) => Outcome | Promise<Outcome>
}

/** The configuration of the page by its server, in the element `#config`. */
export interface Config {
  /** Whether the resource declares domains. Without, everything has to be closed. */
  readonly declares: boolean
  /** The origin in all four lists of the resource's `csp`. */
  readonly declared: string
  /** A reachable origin in none of them. */
  readonly undeclared: string
  readonly displayModes: readonly string[]
  /** Milliseconds to wait for an expected message. */
  readonly patienceMs: number
  /** Whether what a person has to look at may happen: links, messages, downloads. */
  readonly asks: boolean
}

export interface Run {
  readonly wire: Wire
  readonly config: Config
  /** The answer to a `ping` that was sent before `ui/initialize`. */
  readonly early: Answer
  readonly initialized: Answer
  /** When this page opened the gate for the host's messages. */
  readonly openedAt: number
  readonly capabilities: Readonly<Record<string, unknown>>
  /** The host's context, with every change merged in. */
  readonly context: () => Readonly<Record<string, unknown>>
}

export const pass = (detail = ''): Outcome => ({ status: 'PASS', detail })
export const fail = (detail: string): Outcome => ({ status: 'FAIL', detail })
export const info = (detail: string): Outcome => ({ status: 'INFO', detail })
export const timeout = (detail: string): Outcome => ({ status: 'TIMEOUT', detail })

/** The outcome of something that either holds or does not. */
export const holds = (whether: boolean, detail: string): Outcome =>
  whether ? pass(detail) : fail(detail)

/** The outcome of a request that has to be answered with a result. */
export function answered(answer: Answer, read: (result: Fields) => Outcome): Outcome {
  if (answer.type === 'late') return timeout('no answer')
  if (answer.type === 'error') return fail(`error ${shown(answer.code)}: ${shown(answer.message)}`)
  return read(answer.result)
}

export type Fields = Readonly<Record<string, unknown>>

/** An object's fields, and no field of anything else. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'nothing'

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms))

/** Polls until a condition holds or the time is over. */
export async function until(holdsNow: () => boolean, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (!holdsNow()) {
    if (performance.now() > end) return false
    await pause(20)
  }
  return true
}

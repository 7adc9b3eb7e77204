/**
 * Questions to the person: from a call that wants to be made, from a server, from an app. They wait
 * in line, one is shown at a time, and whoever asked may take a question back.
 *
 * @module
 */

import { signal } from '@preact/signals'
import type { Elicitation, ElicitationAnswer } from '../../connection/types.ts'
import type { ApprovalQuestion, Asking, ScopeAnswer, ScopeQuestion } from '../../consent/types.ts'
import { say } from './toast.ts'

/** On whose behalf a call is made. */
export interface Asker {
  /** Such as "You", or the name of an app. */
  readonly name: string
  readonly kind: 'person' | 'app'
  readonly server: string
}

interface Answering<T> {
  readonly id: number
  readonly answer: (value: T) => void
}

export type Waiting =
  | ({
      readonly kind: 'approve'
      readonly asker: Asker
      readonly question: ApprovalQuestion
    } & Answering<boolean>)
  | ({
      readonly kind: 'grant'
      readonly asker: Asker
      readonly question: ScopeQuestion
    } & Answering<ScopeAnswer>)
  | ({
      readonly kind: 'server'
      /** The host of its address, which it cannot choose as it can a name. */
      readonly server: string
      readonly question: Elicitation
    } & Answering<ElicitationAnswer>)
  | ({ readonly kind: 'yes'; readonly question: PlainQuestion } & Answering<boolean>)

/** A question that yes or no answers. */
export interface PlainQuestion {
  readonly title: string
  readonly text: string
  /** Shown as it is, such as an address. */
  readonly detail?: string
  readonly yes: string
  readonly danger?: boolean
}

/** Questions beyond this many are answered with no. */
const MOST = 20

let last = 0

export const waiting = signal<readonly Waiting[]>([])

type Made<T> = (answering: Answering<T>) => Waiting

function ask<T>(make: Made<T>, no: T, signal?: AbortSignal): Promise<T> {
  if (waiting.value.length >= MOST || signal?.aborted) return Promise.resolve(no)
  const { promise, resolve } = Promise.withResolvers<T>()
  const id = ++last
  const answer = (value: T) => {
    waiting.value = waiting.value.filter((one) => one.id !== id)
    signal?.removeEventListener('abort', withdraw)
    resolve(value)
  }
  const withdraw = () => answer(no)
  signal?.addEventListener('abort', withdraw)
  waiting.value = [...waiting.value, make({ id, answer })]
  return promise
}

const REFUSED: ScopeAnswer = { allow: false, scopes: null, duration: 'call' }

/** Asks on behalf of somebody. */
export function askingFor(asker: Asker): Asking {
  return {
    approve: (question, signal) =>
      ask<boolean>((on) => ({ kind: 'approve', asker, question, ...on }), false, signal),
    grant: (question, signal) =>
      ask<ScopeAnswer>((on) => ({ kind: 'grant', asker, question, ...on }), REFUSED, signal),
    notify: ({ intent, title }) => say(`${asker.name}: ${intent.text || title}`, { tone: 'info' }),
  }
}

export function askServerQuestion(
  question: Elicitation,
  server: string,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  return ask<ElicitationAnswer>(
    (on) => ({ kind: 'server', server, question, ...on }),
    { action: 'cancel' },
    signal,
  )
}

export function confirmed(question: PlainQuestion): Promise<boolean> {
  return ask<boolean>((on) => ({ kind: 'yes', question, ...on }), false)
}

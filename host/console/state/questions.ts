/**
 * The queue of questions to the user: from a call, from a server, or from an app. One is shown at a
 * time, and an aborted signal withdraws a question.
 *
 * @module
 */

import { signal } from '@preact/signals'
import type { Elicitation, ElicitationAnswer } from '../../connection/types.ts'
import type { ApprovalQuestion, Asking, ScopeAnswer, ScopeQuestion } from '../../consent/types.ts'
import { say } from './toast.ts'

/** The user or app that makes a call. */
export interface Asker {
  /** "You", or the name of an app. */
  readonly name: string
  readonly kind: 'person' | 'app'
  /** The server's title. */
  readonly server: string
}

interface Answering<T> {
  readonly id: number
  readonly answer: (value: T) => void
}

/** A question in the queue; `answer` removes it. */
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
      /** The host of the server's URL, which the server cannot choose freely, unlike its name. */
      readonly server: string
      readonly question: Elicitation
    } & Answering<ElicitationAnswer>)
  | ({ readonly kind: 'yes'; readonly question: PlainQuestion } & Answering<boolean>)

/** A question with a yes or no answer. */
export interface PlainQuestion {
  readonly title: string
  readonly text: string
  /** Shown verbatim, such as an address. */
  readonly detail?: string
  readonly yes: string
  readonly danger?: boolean
}

/** Limit of the queue; further questions are answered with no. */
const MOST = 20

let last = 0

/** The queue; the first question is shown. */
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

/** Creates the dialogs for calls of the user or an app. */
export function askingFor(asker: Asker): Asking {
  return {
    approve: (question, signal) =>
      ask<boolean>((on) => ({ kind: 'approve', asker, question, ...on }), false, signal),
    grant: (question, signal) =>
      ask<ScopeAnswer>((on) => ({ kind: 'grant', asker, question, ...on }), REFUSED, signal),
    notify: ({ intent, title }) => say(`${asker.name}: ${intent.text || title}`, { tone: 'info' }),
  }
}

/**
 * Asks the user an elicitation; `cancel` if it is withdrawn or the queue is full.
 *
 * @param server The host of the server's URL.
 */
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

/** Asks a yes or no question; false if the queue is full. */
export function confirmed(question: PlainQuestion): Promise<boolean> {
  return ask<boolean>((on) => ({ kind: 'yes', question, ...on }), false)
}

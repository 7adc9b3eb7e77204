/**
 * The queue of questions to the user: from a call, from a server, or from an app. One is shown at a
 * time, and an aborted signal withdraws a question.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { quoteName } from '#core/quote.ts'
import type { Elicitation, ElicitationAnswer, Sampling, SamplingAnswer } from '../../mcp/types.ts'
import type {
  ApprovalQuestion,
  ConsentDialogs,
  ReadQuestion,
  ScopeAnswer,
  ScopeQuestion,
  Subject,
} from '../../consent/types.ts'
import type { AppQuestions } from './app-questions.ts'
import type { ReadAnswer } from './app-reads.ts'
import { showToast } from '../ui/toasts.tsx'

/** The user or app that makes a call. */
export interface Asker {
  /** "This console", or the name of an app. */
  readonly name: string
  readonly kind: 'person' | 'app'
  /** The server's title. */
  readonly server: string
  /** Whether it is an app in the dialog of a question, which waits for its own question. */
  readonly isInDialog?: boolean
}

/** Names who asks. An app chooses its name, so that it is marked as one. */
export const describeAsker = ({ kind, name }: Pick<Asker, 'kind' | 'name'>) =>
  kind === 'app' ? `The app ${quoteName(name)}` : name

interface Answerable<T> {
  readonly id: number
  readonly answer: (value: T) => void
}

/** A question in the queue; `answer` removes it. */
export type QueuedQuestion =
  | ({
      readonly kind: 'approve'
      readonly asker: Asker
      readonly question: ApprovalQuestion
    } & Answerable<boolean>)
  | ({
      readonly kind: 'read'
      readonly asker: Asker
      readonly question: AppReadQuestion
    } & Answerable<ReadAnswer | null>)
  | ({
      readonly kind: 'grant'
      readonly asker: Asker
      readonly question: ScopeQuestion
    } & Answerable<ScopeAnswer>)
  | ({
      readonly kind: 'server'
      /** The host of the server's URL, which the server cannot choose freely, unlike its name. */
      readonly server: string
      readonly question: Elicitation
    } & Answerable<ElicitationAnswer>)
  | ({
      readonly kind: 'sampling'
      /** The host of the server's URL. */
      readonly server: string
      /** The name of the app that asks, which it may choose; null if the server asks. */
      readonly app: string | null
      readonly question: Sampling
    } & Answerable<SamplingAnswer | null>)
  | ({ readonly kind: 'yes'; readonly question: Confirmation } & Answerable<boolean>)

/** Whether an app may read with a tool. */
export interface AppReadQuestion extends ReadQuestion {
  /** What the server says about the tool. */
  readonly description: string
  /** The origins that the app can reach, and so send to what it reads. */
  readonly reaches: readonly string[]
  /** Whether each call is asked, at first. */
  readonly eachTime: boolean
}

/** A question with a yes or no answer. */
export interface Confirmation {
  readonly title: string
  readonly text: string
  /** Shown verbatim, such as an address. */
  readonly detail?: string
  /** The call that it is about. */
  readonly subject?: Subject
  readonly yes: string
  readonly danger?: boolean
}

/** Limit of the queue; further questions are answered with no. */
const MAX_QUESTIONS = 20
/** Most questions of one server or app in the queue, so that none fills it; further ones are refused too. */
const MAX_OF_ONE = 3

let last = 0

/** The queue; the first question is shown. */
export const queue = signal<readonly QueuedQuestion[]>([])

type BuildQuestion<T> = (answering: Answerable<T>) => QueuedQuestion

function ask<T>(make: BuildQuestion<T>, no: T, signal?: AbortSignal): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const id = ++last
  const answer = (value: T) => {
    queue.value = queue.value.filter((one) => one.id !== id)
    signal?.removeEventListener('abort', withdraw)
    resolve(value)
  }
  const withdraw = () => answer(no)
  const question = make({ id, answer })
  if (isFull(question) || signal?.aborted) return Promise.resolve(no)
  signal?.addEventListener('abort', withdraw)
  queue.value = [...queue.value, question]
  return promise
}

function isFull(question: QueuedQuestion): boolean {
  const origin = originOf(question)
  const own = queue.value.filter((one) => origin !== null && originOf(one) === origin)
  return queue.value.length >= MAX_QUESTIONS || own.length >= MAX_OF_ONE
}

/** The server or app that asks by itself; null for questions about calls and of the console. */
function originOf(question: QueuedQuestion): string | null {
  if (question.kind === 'server') return question.server
  if (question.kind !== 'sampling') return null
  const { server, app } = question
  return app === null ? server : `${server} ${app}`
}

const REFUSED: ScopeAnswer = { allow: false, scopes: null, duration: 'call' }

/** Creates the dialogs for calls of the user or an app. */
export function createAsking(asker: Asker): ConsentDialogs {
  return {
    approve: (question, signal) =>
      ask<boolean>((on) => ({ kind: 'approve', asker, question, ...on }), false, signal),
    grant: (question, signal) =>
      ask<ScopeAnswer>((on) => ({ kind: 'grant', asker, question, ...on }), REFUSED, signal),
    notify: ({ intent, title }) =>
      showToast(`${describeAsker(asker)}: ${intent.text || title}`, { tone: 'info' }),
  }
}

/** Asks whether an app may read with a tool; null if it is withdrawn or the queue is full. */
export const askToRead = (
  asker: Asker,
  question: AppReadQuestion,
  signal: AbortSignal,
): Promise<ReadAnswer | null> =>
  ask<ReadAnswer | null>((on) => ({ kind: 'read', asker, question, ...on }), null, signal)

/** Puts the dialogs for calls of an app under the limit of its questions. */
export function limitAsking(dialogs: ConsentDialogs, questions: AppQuestions): ConsentDialogs {
  return {
    ...dialogs,
    approve: (question, signal) =>
      questions.ask({
        ask: (until) => dialogs.approve(question, until),
        no: false,
        isRefusal: (answer) => !answer,
        signal,
      }),
    grant: (question, signal) =>
      questions.ask({
        ask: (until) => dialogs.grant(question, until),
        no: REFUSED,
        isRefusal: ({ allow }) => !allow,
        signal,
      }),
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

/**
 * Asks the user for what a model would answer; null if they refuse, or it is withdrawn, or the queue is
 * full.
 *
 * @param server The host of the server's URL.
 * @param app The name of the app that asks; null if the server asks.
 */
export function askForAnswer(
  question: Sampling,
  server: string,
  signal: AbortSignal,
  app: string | null = null,
): Promise<SamplingAnswer | null> {
  return ask<SamplingAnswer | null>(
    (on) => ({ kind: 'sampling', server, app, question, ...on }),
    null,
    signal,
  )
}

/** Asks a yes or no question; false if it is withdrawn or the queue is full. */
export function askToConfirm(question: Confirmation, signal?: AbortSignal): Promise<boolean> {
  return ask<boolean>((on) => ({ kind: 'yes', question, ...on }), false, signal)
}

/**
 * What one open app may read: the person is asked once for each tool and definition, and the answer holds until the app
 * is closed, or another page is loaded into it. A No holds as long, so that an app that polls asks once; a reload by the
 * person forgets it. Calls that wait for the same answer share one question.
 *
 * `test/host/console/app-reads.test.ts` has the cases.
 *
 * @module
 */

import { signal, type ReadonlySignal } from '@preact/signals'
import type { ReadQuestion } from '../../consent/types.ts'

/** Most tools whose answers are kept for one app; the oldest is asked about again. */
const MAX_KEPT = 100

/** What an app wants to read with. */
export interface Reading extends Pick<ReadQuestion, 'claim'> {
  readonly tool: string
  readonly title: string
  /** The definition of the tool, as the server lists it. */
  readonly definition: string
}

/** An answer that holds until the app is closed. */
export interface KeptRead extends Reading {
  readonly isAllowed: boolean
}

/** What the person answers. */
export interface ReadAnswer {
  readonly allow: boolean
  /** Whether the answer is for this call only, and each further one is asked. */
  readonly eachTime: boolean
}

/** Shows the question; null if it was withdrawn or not shown. */
export type AskToRead = (signal: AbortSignal) => Promise<ReadAnswer | null>

/** The reads of one open app. */
export interface AppReads {
  /** Newest first. */
  readonly kept: ReadonlySignal<readonly KeptRead[]>
  /** Whether each call is asked. */
  readonly eachTime: ReadonlySignal<boolean>
  /** Turns *ask each time* on, which ends what was allowed, or off. */
  readonly setEachTime: (on: boolean) => void
  /** Decides on a call: by the kept answer, or by asking. */
  readonly decide: (reading: Reading, ask: AskToRead, signal: AbortSignal) => Promise<boolean>
  /** Asks again at the next call. */
  readonly forget: (read: KeptRead) => void
  /** Forgets what was denied, when the person has reloaded the app. */
  readonly reset: () => void
  /** Names the page that runs now: what was allowed to another one ends. */
  readonly setPage: (page: string) => void
}

/** Creates the reads of an app. */
export function createAppReads(): AppReads {
  const kept = signal<readonly KeptRead[]>([])
  const eachTime = signal(false)
  const shared = createSharedQuestions()
  let page: string | null = null
  let round = 0

  const keepOnly = (isKept: (read: KeptRead) => boolean) =>
    void (kept.value = kept.peek().filter(isKept))
  const isAllowed = (read: KeptRead) => read.isAllowed

  function setEachTime(on: boolean): void {
    eachTime.value = on
    if (on) keepOnly((read) => !read.isAllowed)
  }

  /** Asks, and keeps the answer unless the page was loaded again meanwhile. */
  async function askFor(reading: Reading, ask: AskToRead, signal: AbortSignal) {
    const own = round
    const answer = await ask(signal)
    if (!answer || own !== round) return null
    setEachTime(answer.eachTime)
    if (answer.eachTime) return answer
    const others = kept.peek().filter((one) => !isOfSameTool(one, reading))
    kept.value = [{ ...reading, isAllowed: answer.allow }, ...others].slice(0, MAX_KEPT)
    return answer
  }

  async function decide(reading: Reading, ask: AskToRead, signal: AbortSignal): Promise<boolean> {
    const known = kept.peek().find((one) => isSame(one, reading))
    if (known) return known.isAllowed
    if (eachTime.peek()) return (await askFor(reading, ask, signal))?.allow === true
    const { answer, isFirst } = await shared.join(
      JSON.stringify([reading.claim, reading.tool, reading.definition]),
      (until) => askFor(reading, ask, until),
      signal,
    )
    // The person was shown the arguments of the first call only.
    if (answer?.allow && answer.eachTime && !isFirst) return decide(reading, ask, signal)
    return answer?.allow === true
  }

  return {
    kept,
    eachTime,
    setEachTime,
    decide,
    forget: (read) => keepOnly((one) => one !== read),
    reset() {
      round++
      keepOnly(isAllowed)
    },
    setPage(next) {
      if (page !== null && page !== next) keepOnly(() => false)
      page = next
    },
  }
}

const isOfSameTool = (a: Reading, b: Reading) => a.tool === b.tool && a.claim === b.claim

const isSame = (a: Reading, b: Reading) => isOfSameTool(a, b) && a.definition === b.definition

interface Shared {
  readonly answer: Promise<ReadAnswer | null>
  readonly end: AbortController
  waiting: number
}

/** Creates questions that several calls wait for. One is withdrawn when none waits any more. */
function createSharedQuestions() {
  const open = new Map<string, Shared>()

  function begin(key: string, ask: AskToRead): Shared {
    const end = new AbortController()
    const answer = ask(end.signal).finally(() => open.delete(key))
    const question = { answer, end, waiting: 0 }
    open.set(key, question)
    return question
  }

  async function join(key: string, ask: AskToRead, signal: AbortSignal) {
    const isFirst = !open.has(key)
    const question = open.get(key) ?? begin(key, ask)
    const left = Promise.withResolvers<null>()
    const leave = () => {
      if (--question.waiting === 0) question.end.abort()
      left.resolve(null)
    }
    question.waiting++
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    const answer = await Promise.race([question.answer, left.promise])
    signal.removeEventListener('abort', leave)
    return { answer, isFirst }
  }

  return { join }
}

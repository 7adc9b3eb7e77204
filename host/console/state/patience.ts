/**
 * Patience with a call: a server that is silent for a minute has had its time, unless it waits for the
 * person, who may need longer to fill in what it asks.
 *
 * @module
 */

import { effect } from '@preact/signals'
import { ConnectionError, TOO_LATE } from '../../connection/problem.ts'
import { waiting } from './questions.ts'

const SILENCE_MS = 60_000

/** The connection's own limit, which is for calls that end in no other way. */
export const LONGEST_MS = 600_000

export interface Patience {
  /** Aborted when it is over. */
  readonly signal: AbortSignal
  /** Begins the minute anew. */
  readonly heard: () => void
  /** What to say of an error: that time was up, where it was. */
  readonly explained: (error: unknown) => unknown
  readonly end: () => void
}

export function createPatience(): Patience {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    if (!isAsked()) timer = setTimeout(() => controller.abort(), SILENCE_MS)
  }
  // Anew with each question that comes or goes.
  const stop = effect(heard)
  return {
    signal,
    heard,
    explained: (error) => (signal.aborted ? new ConnectionError(TOO_LATE) : error),
    end() {
      stop()
      clearTimeout(timer)
    },
  }
}

const isAsked = () => waiting.value.some(({ kind }) => kind === 'server')

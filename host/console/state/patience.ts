/**
 * The timeout of a call: it ends after a minute without progress, but not while the user answers a
 * question of the server.
 *
 * @module
 */

import { effect } from '@preact/signals'
import { ConnectionError, TOO_LATE } from '../../connection/problem.ts'
import { waiting } from './questions.ts'

const SILENCE_MS = 60_000

/** Limit (ms) on the whole call, questions included, which the connection enforces. */
export const LONGEST_MS = 600_000

/** The timeout of one call. */
export interface Patience {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** Restarts the minute. */
  readonly heard: () => void
  /** Converts the error of a call: a timeout problem if the time is over, else the error itself. */
  readonly explained: (error: unknown) => unknown
  /** Stops the timeout. */
  readonly end: () => void
}

/** Starts the timeout of a call. */
export function createPatience(): Patience {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    if (!isAsked()) timer = setTimeout(() => controller.abort(), SILENCE_MS)
  }
  // Runs again with each question that appears or is answered.
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

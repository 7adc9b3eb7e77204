/**
 * The timeout of a call: it ends after a minute without progress, but not while the user answers a
 * question of the server.
 *
 * @module
 */

import { effect } from '@preact/signals'
import { ConnectionError, TIMED_OUT } from '../../mcp/errors.ts'
import { queue } from './queue.ts'

const MAX_SILENCE_MS = 60_000

export interface CallTimeout {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** Restarts the minute. */
  readonly restart: () => void
  /** Converts the error of a call: a timeout problem if the time is over, else the error itself. */
  readonly explain: (error: unknown) => unknown
  /** Stops the timeout. */
  readonly end: () => void
}

/** Starts the timeout of a call. */
export function createCallTimeout(): CallTimeout {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    if (!isQuestionOpen()) timer = setTimeout(() => controller.abort(), MAX_SILENCE_MS)
  }
  // Runs again with each question that appears or is answered.
  const stop = effect(restart)
  return {
    signal,
    restart,
    explain: (error) => (signal.aborted ? new ConnectionError(TIMED_OUT) : error),
    end() {
      stop()
      clearTimeout(timer)
    },
  }
}

const isQuestionOpen = () =>
  queue.value.some(({ kind }) => kind === 'server' || kind === 'sampling')

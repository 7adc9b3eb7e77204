/**
 * Sampling requests of one app. The dialog covers the buttons that close the app, so an app that asks
 * again after each refusal is refused without a dialog.
 *
 * `test/host/console/app-sampling.test.ts` has the cases.
 *
 * @module
 */

import type { Sampling, SamplingAnswer } from '../../mcp/types.ts'
import { askForAnswer } from './queue.ts'

/** Most requests that wait, or were refused or withdrawn in a row. */
const MAX_UNANSWERED = 3

/** Asks the person for one app. */
export interface AppSampling {
  /** Asks; null refuses. */
  readonly ask: (
    question: Sampling,
    app: string,
    signal: AbortSignal,
  ) => Promise<SamplingAnswer | null>
  /** Forgets the refusals, when the person has reloaded the app. */
  readonly reset: () => void
}

/**
 * Creates the questions of an app.
 *
 * @param server The host of the server's URL.
 */
export function createAppSampling(server: string): AppSampling {
  let waiting = 0
  let refused = 0
  return {
    async ask(question, app, signal) {
      if (waiting + refused >= MAX_UNANSWERED) return null
      waiting++
      const answer = await askForAnswer(question, server, signal, app)
      waiting--
      // A request that the app withdraws has been in the way, too.
      refused = answer ? 0 : refused + 1
      return answer
    },
    reset() {
      refused = 0
    },
  }
}

/**
 * The questions of one app: about its calls, its links, and what it asks of a model. A dialog covers the
 * buttons that close the app, so an app that asks again after each refusal is refused without a dialog.
 *
 * `test/host/console/app-questions.test.ts` has the cases.
 *
 * @module
 */

/** Most questions that are refused or withdrawn in a row. */
const MAX_REFUSED = 3

export interface AppQuestion<T> {
  /** Shows it; the signal withdraws it, which answers no. */
  readonly ask: (signal: AbortSignal) => Promise<T>
  /** The answer of a refusal. */
  readonly no: T
  readonly isRefusal: (answer: T) => boolean
  readonly signal: AbortSignal
}

/** Asks the person for one app. */
export interface AppQuestions {
  /** Asks, or refuses without a dialog after too many refusals in a row. */
  readonly ask: <T>(question: AppQuestion<T>) => Promise<T>
  /** Forgets the refusals, when the person has reloaded the app. */
  readonly reset: () => void
}

/** Creates the questions of an app. */
export function createAppQuestions(): AppQuestions {
  let state = { refused: 0, stopped: new AbortController() }
  return {
    async ask({ ask, no, isRefusal, signal }) {
      // The answer to a question of before a reload counts for the app of then.
      const own = state
      if (own.stopped.signal.aborted) return no
      const answer = await ask(AbortSignal.any([own.stopped.signal, signal]))
      own.refused = isRefusal(answer) ? own.refused + 1 : 0
      if (own.refused >= MAX_REFUSED) own.stopped.abort()
      return answer
    },
    reset() {
      state = { refused: 0, stopped: new AbortController() }
    },
  }
}

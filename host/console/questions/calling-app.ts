/**
 * An app that makes calls, and its question whether it may read.
 *
 * `test/host/console/calls.test.ts` covers it.
 *
 * @module
 */

import type { ReadQuestion } from '../../consent/types.ts'
import type { ServerFacts } from '../../mcp/types.ts'
import { noteDenial } from '../tools/note-denial.ts'
import type { AppQuestions } from './app-questions.ts'
import type { AppReads, Reading } from './app-reads.ts'
import { askToRead, type Asker } from './queue.ts'

/** The app that makes a call. */
export interface CallingApp {
  /** Its name, shown in questions. */
  readonly name: string
  readonly questions: AppQuestions
  /** What it may read; null for a page of the console, by which the user reads. */
  readonly reads: AppReads | null
  /** The origins that it can reach. */
  readonly reaches?: () => readonly string[]
  /** Whether it is shown in the dialog of a question. */
  readonly isInDialog?: boolean
  /** Whether it is a page of the console, by which the user reads their own files: no stored denial binds it. */
  readonly isOfConsole?: boolean
}

/** Names the app and its server in questions. */
export const askerOf = ({ name, isInDialog = false }: CallingApp, server: ServerFacts): Asker => ({
  name,
  isInDialog,
  kind: 'app',
  server: server.title,
})

/** What the person is asked once. */
export interface OnceAsked extends Omit<Reading, 'claim'> {
  /** What the server says about the tool. */
  readonly description: string
}

/** Returns what asks once whether an app may read; undefined for a page of the console, which needs no question. */
export function askOnce(
  { reads, questions, reaches = () => [] }: CallingApp,
  asker: Asker,
  { description, ...about }: OnceAsked,
) {
  if (!reads) return undefined
  return (question: ReadQuestion, signal: AbortSignal): Promise<boolean> => {
    const ask = async (until: AbortSignal) => {
      const shown = {
        ...question,
        description,
        reaches: reaches(),
        eachTime: reads.eachTime.peek(),
      }
      const answer = await askToRead(asker, shown, until)
      const { intent, title } = question
      if (answer?.allow === false)
        noteDenial({ tool: about.tool, intent: intent.text || title, scopes: [] })
      return answer
    }
    const limited = (until: AbortSignal) =>
      questions.ask({ ask, no: null, isRefusal: (answer) => !answer?.allow, signal: until })
    return reads.decide({ ...about, claim: question.claim }, limited, signal)
  }
}

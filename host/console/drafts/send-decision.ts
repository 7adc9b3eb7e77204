/**
 * Sends a decision on a draft. A lost answer is no refusal, because the decision may have been carried out.
 * `test/pages/console/waiting.test.ts` uses it through the pages.
 *
 * @module
 */

import type { Decided } from '#core/owner/answers/drafts.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { SentAmendment } from '../amendments/amendment.ts'
import { sendAct } from '../owner/send-act.ts'
import { AnswerError } from '../ui/errors.ts'

/** What a person decides on: everything that the revision shows, or groups or changes of it. */
export interface Choice {
  readonly groups?: readonly number[]
  readonly changes?: readonly string[]
  /** Names what was shown of the groups or changes; an approval of them needs it. */
  readonly digest?: string
  /** Files that are approved although their content cannot be shown as text. */
  readonly unseen?: readonly string[]
  /** What is approved instead of the proposed text of some files. */
  readonly amended?: readonly SentAmendment[]
}

/** Why a decision was refused. */
export interface DecisionProblem {
  readonly code: string
  readonly message: string
  /** Whether the decision may have been carried out all the same, because the answer was lost. */
  readonly isUnknown: boolean
}

/** Sends a decision on what the revision shows. */
export async function sendDecision(
  address: { readonly base: string; readonly id: string; readonly what: 'approve' | 'turn-down' },
  decision: Choice & { readonly revision: string; readonly reason: string; readonly note?: string },
): Promise<Result<Decided, DecisionProblem>> {
  const { base, id, what } = address
  const act = what === 'approve' ? 'approve_draft' : 'turn_down_draft'
  try {
    return ok(await sendAct(base, act, { segments: { draft: id }, body: decision }))
  } catch (error) {
    return err(error instanceof AnswerError ? problemOf(error) : UNREACHABLE)
  }
}

const UNREACHABLE = {
  code: 'UNREACHABLE',
  message: 'The server did not respond',
  isUnknown: true,
}

/** A response that is no refusal was not readable, so the decision may have been carried out. */
const problemOf = ({ code, message, status }: AnswerError): DecisionProblem => ({
  code: code ?? 'ERROR',
  message,
  isUnknown: status < 400 || status >= 500,
})

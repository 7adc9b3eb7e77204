/**
 * Notices of a draft: what a person has to know before the next decision.
 * `test/pages/console/waiting.slow.test.ts` brings each of them about.
 *
 * @module
 */

import { formatCount } from '../ui/format.ts'
import type { DecisionProblem } from './send-decision.ts'
import type { DraftContents } from '#core/owner/answers/drafts.ts'

/** What the person has to know before the next decision. */
export interface Notice {
  /**
   * - `old`: the server has something else than what is shown, so nothing can be decided
   * - `rest`: a decision has left more than was shown before it, so not all of it can be approved without a look
   * - `note`: everything can be decided
   */
  readonly is: 'old' | 'rest' | 'note'
  readonly text: string
  /** What was shown before the decision. */
  readonly before?: DraftContents
}

const CHANGED = 'The draft, or what it changes, is no longer what was shown. Look at it again.'

/** The draft, or a file of it, is another one by now. */
export const OTHER: Notice = { is: 'old', text: CHANGED }

/** Says that changes are left after a decision. */
export const describeRest = (left: number) =>
  `${formatCount(left, 'change still waits', 'changes still wait')}, and may be new. Look at what is left.`

/** Some of what was to be approved is decided on its own. */
export const SOME_SINGLE: Notice = {
  is: 'note',
  text: 'Nothing was decided yet. Some changes need a decision of their own. Approve again to approve the others.',
}

/** Says why a decision was refused. Without a passkey the same can be decided again, else something has changed. */
export const noticeOf = (problem: DecisionProblem): Notice => ({
  is: problem.code === 'PASSKEY_NOT_USED' ? 'note' : 'old',
  text: describeRefusal(problem),
})

function describeRefusal({ code, message, isUnknown }: DecisionProblem): string {
  if (isUnknown) return `${message}. It is unknown whether the decision was carried out. (${code})`
  return `Nothing was decided. ${code === 'DRAFT_CHANGED' ? CHANGED : `${message} (${code})`}`
}

/** Whether there is something to approve that was not shown before, or more than was shown. */
export function hasUnseenChanges(now: DraftContents | null, before: DraftContents): boolean {
  const known = new Set(before.changes.map(({ digest }) => digest))
  const isMore = (now?.changes_left_out ?? 0) > before.changes_left_out
  return (
    isMore || now?.changes.some(({ digest }) => digest !== undefined && !known.has(digest)) === true
  )
}

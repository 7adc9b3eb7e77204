/**
 * `respond_to_review`: what an agent says to the person who reviews its draft. It is data and gives nothing: no digest
 * names it, and no decision depends on it.
 *
 * `test/worker/drafts/reason.test.ts` and `test/worker/comments/comments.test.ts` have the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Reply } from '../access/comment.ts'
import { MAX_COMMENT_LENGTH, MAX_SENT_REPLIES } from '../comments/limits.ts'
import { MAX_REASON_LENGTH } from '../drafts/limits.ts'
import type { Problem } from '../errors/problem.ts'
import { wellFormed } from './lib/arguments.ts'
import { MAX_CHANGE_ID_LENGTH } from './lib/limits.ts'
import { defineAct, type ActContext } from './lib/tool.ts'

/** Stores the reason of the caller's open draft, which a further call replaces, and replies to comments. */
export const respondToReview = defineAct({
  name: 'respond_to_review',
  title: 'Respond to the review',
  description:
    'Say in one sentence why you made the changes that wait for approval, or reply to comments. The user reads both.',
  intent: 'Respond to the review[: {reason}]',
  approval: 'none',
  destructive: false,
  idempotent: false,
  draftOnly: true,
  scopes: ['read:file'],
  input: () => z.strictObject({ reason: z.optional(sentence(MAX_REASON_LENGTH)), replies }),
  output: () =>
    z.object({
      draft: z.optional(z.string()),
      reason: z.optional(z.string()),
      replies: z.optional(z.int()),
    }),

  touches: () => [],

  async act({ reason, replies: sent = [] }, _places, { draft, comments }) {
    const refused = refuse({ reason, replies: sent }, { draft, comments })
    if (refused) return err(refused)
    const explained = reason === undefined ? null : draft.explain(reason)
    const replied: Result<number, Problem> = comments.reply(sent)
    if (!replied.ok) return replied
    const texts = [
      ...(explained ? [`The user sees your reason above draft ${explained.name}`] : []),
      ...(sent.length > 0 ? [`The user sees ${countReplies(sent.length)}`] : []),
    ]
    const structured = {
      ...(explained && { draft: explained.name, reason }),
      ...(sent.length > 0 && { replies: sent.length }),
    }
    return ok({ text: texts.join('. '), structured })
  },
})

const countReplies = (count: number) => (count === 1 ? 'your reply' : `your ${count} replies`)

const sentence = (most: number) => wellFormed.check(z.trim(), z.minLength(1), z.maxLength(most))

const replies = z.optional(
  z
    .array(
      z.strictObject({
        comment: z.string().check(z.maxLength(MAX_CHANGE_ID_LENGTH)),
        text: sentence(MAX_COMMENT_LENGTH),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_SENT_REPLIES)),
)

interface Sent {
  readonly reason: string | undefined
  readonly replies: readonly Reply[]
}

/** Returns why nothing of a call may be stored, or null. */
function refuse(
  { reason, replies: sent }: Sent,
  { draft, comments }: Pick<ActContext, 'draft' | 'comments'>,
): Problem | null {
  if (reason === undefined && sent.length === 0)
    return { reason: 'bad_argument', code: 'MISSING_REASON', detail: MISSING }
  if (reason !== undefined && !draft.open()) return { reason: 'no_open_draft' }
  return comments.refusalOf(sent)
}

const MISSING =
  'Cannot respond: reason and replies are missing. Say why you made the changes, or reply to a comment'

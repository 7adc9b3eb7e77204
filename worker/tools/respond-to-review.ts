/**
 * `respond_to_review`: what an agent says to the person who reviews its draft. It is data and gives nothing: no digest
 * names it, and no decision depends on it.
 *
 * `test/worker/drafts/reason.test.ts` has the cases.
 *
 * @module
 */

import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { MAX_REASON_LENGTH } from '../drafts/limits.ts'
import { wellFormed } from './lib/arguments.ts'
import { defineAct } from './lib/tool.ts'

/** Stores the reason of the caller's open draft; a further call replaces it until the draft is decided. */
export const respondToReview = defineAct({
  name: 'respond_to_review',
  title: 'Respond to the review',
  description:
    'Say why you made the changes that wait for approval, in one sentence. The user reads it above them. ' +
    'A further call replaces it.',
  intent: 'Explain the changes that wait: {reason}',
  approval: 'none',
  destructive: false,
  idempotent: true,
  draftOnly: true,
  scopes: ['read:file'],
  input: () =>
    z.strictObject({
      reason: z.optional(
        wellFormed.check(z.trim(), z.minLength(1), z.maxLength(MAX_REASON_LENGTH)),
      ),
    }),
  output: () => z.object({ draft: z.string(), reason: z.string() }),

  touches: () => [],

  async act({ reason }, _places, { draft }) {
    if (reason === undefined)
      return err({ reason: 'bad_argument', code: 'MISSING_REASON', detail: MISSING })
    const open = draft.explain(reason)
    if (!open) return err({ reason: 'no_open_draft' })
    const text = `The user sees your reason above draft ${open.name}`
    return ok({ text, structured: { draft: open.name, reason } })
  },
})

const MISSING = 'Cannot respond: reason is missing. Say in one sentence why you made the changes'

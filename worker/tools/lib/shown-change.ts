/** A change in the result of a tool: what was done, when, by whom, and for which principal. @module */

import { describeActor } from '#core/actor.ts'
import * as z from 'zod/mini'
import type { DraftView } from '../../access/draft-view.ts'
import type { ChangeRecord } from '../../store/store.ts'

/**
 * The schema of one change. `at` is an ISO 8601 time, `actor` a text for people. `approved_by` is the principal that
 * approved it in a draft, `approval` the id that undoes all that was approved with it,
 * `amended` the number of files that the person amended with the approval; one that `waits` is in the draft of the caller, and in the workspace only after an approval.
 */
export const shownChange = z.object({
  id: z.string(),
  version: z.int(),
  at: z.string(),
  tool: z.string(),
  intent: z.string(),
  actor: z.string(),
  principal: z.string(),
  session: z.optional(z.string()),
  label: z.optional(z.string()),
  approved_by: z.optional(z.string()),
  approval: z.optional(z.string()),
  amended: z.optional(z.int()),
  waits: z.optional(z.boolean()),
})

/** Converts a change of the history, as a caller with this draft sees it, to its form in a result. */
export function toShown(
  record: ChangeRecord,
  draft: Pick<DraftView, 'waits'>,
): z.infer<typeof shownChange> {
  const { id, version, at, tool, intent, actor, approval } = record
  const { principal, session, label } = actor
  const change = { id, version, at: new Date(at).toISOString(), tool, intent }
  return {
    ...change,
    actor: describeActor(actor),
    principal,
    ...(session !== null && { session }),
    ...(label !== null && { label }),
    ...(approval !== null && { approved_by: approval.by, approval: approval.id }),
    ...(approval?.amended !== undefined && { amended: approval.amended }),
    ...(draft.waits(id) && { waits: true }),
  }
}

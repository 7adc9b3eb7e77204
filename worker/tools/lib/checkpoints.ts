/** Arguments and results that the checkpoint tools share. @module */

import { describeActor } from '#core/actor.ts'
import * as z from 'zod/mini'
import { MAX_CHECKPOINT_NAME_LENGTH } from '../../limits.ts'
import type { Checkpoint } from '../../store/store.ts'
import { wellFormed } from './arguments.ts'

/** The name of a new checkpoint. */
export const checkpointName = wellFormed.check(
  z.minLength(1),
  z.maxLength(MAX_CHECKPOINT_NAME_LENGTH),
)

/** A checkpoint that a call names. */
export const checkpoint = checkpointName.check(z.describe('Id or name of a checkpoint'))

/** A checkpoint in a result. `at` is an ISO 8601 time, `actor` a text for people. */
export const shownCheckpoint = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int().check(z.describe('Workspace version that it names')),
  at: z.string(),
  actor: z.string(),
  principal: z.string(),
  session: z.optional(z.string()),
  label: z.optional(z.string()),
})

/** Converts a checkpoint to its form in a result. */
export function toShownCheckpoint(given: Checkpoint): z.infer<typeof shownCheckpoint> {
  const { id, name, version, at, actor } = given
  const { principal, session, label } = actor
  return {
    id,
    name,
    version,
    at: new Date(at).toISOString(),
    actor: describeActor(actor),
    principal,
    ...(session !== null && { session }),
    ...(label !== null && { label }),
  }
}

/** `create_checkpoint`: names the current state of the whole workspace, to compare with or restore later. @module */

import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { checkpointName, shownCheckpoint, toShownCheckpoint } from './lib/checkpoints.ts'
import { defineAct } from './lib/tool.ts'

/** Creates a checkpoint, which copies nothing. */
export const createCheckpoint = defineAct({
  name: 'create_checkpoint',
  title: 'Create a checkpoint',
  description: 'Name the current state of the whole workspace, to compare with or restore later.',
  intent: 'Create the checkpoint {name}',
  approval: 'none',
  appOnly: true,
  destructive: false,
  idempotent: false,
  writes: true,
  input: () => z.strictObject({ name: checkpointName }),
  output: () => shownCheckpoint,

  touches: () => [],

  async act({ name }, _places, { access, createCheckpoint: create }) {
    // It makes history keep more, which a caller that may not write must not cause.
    if (access.readOnly || !access.hasScope('write')) return err({ reason: 'read_only' })
    const made = create(name)
    if (!made.ok) return made
    const { version } = made.value
    const text = `Created the checkpoint ${name} at version ${version}`
    return ok({ text, structured: toShownCheckpoint(made.value) })
  },
})

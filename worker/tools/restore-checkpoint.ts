/** `restore_checkpoint`: brings all files, or a folder, back to a checkpoint, as a new change. @module */

import { ROOT } from '#core/path.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { findCheckpoint, stepsToCheckpoint } from '../changes/comparison.ts'
import { MAX_LISTED_PATHS } from '../limits.ts'
import { path } from './lib/arguments.ts'
import { changedPaths } from './lib/changed-paths.ts'
import { checkpoint } from './lib/checkpoints.ts'
import { defineChange, rewritingFolder } from './lib/tool.ts'

/** Restores what the caller can see; the whole is refused if it may not change a part of it. */
export const restoreCheckpoint = defineChange({
  name: 'restore_checkpoint',
  title: 'Restore a checkpoint',
  description: 'Restore all files, or those in a folder, to a checkpoint.',
  intent: 'Restore {folder|all files} to the checkpoint {checkpoint}',
  approval: 'review',
  appOnly: true,
  destructive: true,
  idempotent: true,
  input: () =>
    z.strictObject({
      checkpoint,
      folder: z.optional(path).check(z.describe('Only this file or folder')),
    }),
  output: () =>
    z.object({
      checkpoint: z.string().check(z.describe('Its id')),
      paths: z.array(z.string()).check(z.maxLength(MAX_LISTED_PATHS)),
      count: z.int().check(z.describe('Paths that were restored or removed')),
      more: z.int().check(z.describe('Number of them that paths does not list')),
    }),

  reads: true,
  // Without a folder only history knows the paths; the pipeline judges the steps of every plan.
  touches: ({ folder }) => (folder === undefined ? [] : [rewritingFolder(folder)]),

  async plan({ checkpoint: wanted }, [folder = ROOT], { store, config, access }) {
    const found = findCheckpoint(store, wanted)
    if (!found.ok) return found
    const from = found.value
    const steps = stepsToCheckpoint(store, { from, folder }, access)
    if (!steps.ok) return steps
    const { paths, count, more } = changedPaths(steps.value, config)
    const text = `Restored ${count} ${count === 1 ? 'path' : 'paths'} to the checkpoint ${from.name}`
    const structured = { checkpoint: from.id, paths, count, more }
    return ok({ steps: steps.value, answer: { text, structured } })
  },
})

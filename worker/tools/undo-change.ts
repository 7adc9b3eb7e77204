/** `undo_change`: takes back a whole change, as a new change. @module */

import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import type { ReadStore } from '../access/workspace.ts'
import { undoSteps } from '../changes/undo.ts'
import { MAX_LISTED_PATHS } from '../limits.ts'
import { changedPaths } from './lib/changed-paths.ts'
import { defineChange } from './lib/tool.ts'
import { MAX_CHANGE_ID_LENGTH } from './lib/limits.ts'

/** Undoes a whole change. */
export const undoChange = defineChange({
  name: 'undo_change',
  title: 'Undo a change',
  description: 'Undo a whole change, by the version that its result named.',
  intent: 'Undo [the change {id}] [version {version}]',
  approval: 'review',
  destructive: true,
  idempotent: false,
  input: () =>
    z.strictObject({
      version: z.optional(z.int().check(z.minimum(1))),
      id: z.optional(z.string().check(z.maxLength(MAX_CHANGE_ID_LENGTH))),
    }),
  output: () =>
    z.object({
      id: z.string(),
      paths: z.array(z.string()).check(z.maxLength(MAX_LISTED_PATHS)),
      count: z.int().check(z.describe('Paths that were restored or removed')),
      more: z.int().check(z.describe('Number of them that paths does not list')),
    }),

  reads: true,
  // Only history knows the paths; the pipeline judges the steps of every plan.
  touches: () => [],

  async plan(args, _places, { store, config, access }) {
    // Each of them is in the intent, so one of the two would not be what is undone.
    if (args.id !== undefined && args.version !== undefined)
      return err({ reason: 'bad_argument', code: 'INVALID_VERSION', detail: BOTH })
    const id = idOf(args, store)
    if (id === null) return err({ reason: 'bad_argument', code: 'MISSING_VERSION', detail: WHICH })
    const steps = undoSteps(store, id, access)
    if (!steps.ok) return steps
    const { paths, count, more } = changedPaths(steps.value, config)
    const list = `${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    const text = `Undid ${id}${list === '' ? '' : `: ${list}`}`
    return ok({
      steps: steps.value,
      answer: { text, structured: { id, paths, count, more } },
    })
  },
})

const BOTH = 'Cannot use version with id: each of them names a change. Leave one out'

const WHICH = 'Cannot undo: version and id are missing. Give the version or the id of the change'

/**
 * Returns the id of a change, given by id or by version. A version without a visible change gives an unknown
 * id.
 */
function idOf(
  { id, version }: { id?: string | undefined; version?: number | undefined },
  store: ReadStore,
): string | null {
  if (id !== undefined) return id
  if (version === undefined) return null
  const at = store.resolveVersion(version) ?? version
  const [change] = store.listChanges({ before: at + 1, limit: 1 }).changes
  return change?.version === at ? change.id : `version ${version}`
}

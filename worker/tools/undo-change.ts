/** `undo_change` and `restore_file`: bring back an earlier state, as a new change. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod'
import type { ReadStore } from '../access/workspace.ts'
import { restoreSteps, undoSteps } from '../changes/undo.ts'
import { MAX_LISTED_PATHS } from '../limits.ts'
import { ifVersion, path } from './arguments.ts'
import { checkVersion } from './change.ts'
import { defineChange, rewriting } from './tool.ts'

/** Undoes a whole change. */
export const undoChange = defineChange({
  name: 'undo_change',
  title: 'Undo a change',
  description: 'Take back a whole change, by the version that its result named.',
  intent: 'Undo [the change {id}] [version {version}]',
  attention: 'review',
  destructive: true,
  idempotent: false,
  input: z.strictObject({ version: z.int().min(1).optional(), id: z.string().max(100).optional() }),
  output: z.object({
    id: z.string(),
    paths: z.array(z.string()).max(MAX_LISTED_PATHS),
    count: z.int().describe('Paths that were brought back or taken away'),
    more: z.int().describe('Those of them that paths does not name'),
  }),

  reads: true,
  // Only history knows the paths; the pipeline judges the steps of every plan.
  touches: () => [],

  async plan(wish, _places, { store, config }) {
    const id = idOf(wish, store)
    if (id === null) return err({ reason: 'bad_argument', code: 'MISSING_VERSION', detail: WHICH })
    const steps = undoSteps(store, id)
    if (!steps.ok) return steps
    const root = defaultRoot(config)
    const all = steps.value.map((step) => (step.type === 'move' ? step.to : step.path))
    const paths = all.slice(0, MAX_LISTED_PATHS).map((path) => displayPath(path, root))
    const more = all.length - paths.length
    const text = `Undid ${id}: ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return ok({
      steps: steps.value,
      answer: { text, structured: { id, paths, count: all.length, more } },
    })
  },
})

const WHICH = 'Cannot undo: name a change by its version, or by its id'

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
  const [change] = store.trail({ before: version + 1, limit: 1 }).changes
  return change?.version === version ? change.id : `version ${version}`
}

/** Restores one file to a version. */
export const restoreFile = defineChange({
  name: 'restore_file',
  title: 'Restore a version',
  description: 'Bring a file back to what it was at a version, also when it was deleted since.',
  intent: 'Restore {path} to version {version}',
  attention: 'review',
  appOnly: true,
  destructive: true,
  idempotent: true,
  input: z.strictObject({ path, version: z.int().min(1), if_version: ifVersion }),
  output: z.object({ path: z.string() }),

  touches: (input) => [rewriting(input.path)],

  async plan({ version, if_version }, [place], { store, config }) {
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked
    const steps = restoreSteps(store, place, version)
    if (!steps.ok) return steps
    const shown = displayPath(place, defaultRoot(config))
    const text = `Restored ${shown} to version ${version}`
    return ok({ steps: steps.value, answer: { text, structured: { path: shown } } })
  },
})

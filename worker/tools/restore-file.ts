/** `restore_file`: brings a file back to an earlier state, as a new change. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { restoreSteps } from '../changes/undo.ts'
import { ifVersion, path } from './lib/arguments.ts'
import { checkVersion } from './lib/files.ts'
import { defineChange, rewriting } from './lib/tool.ts'

/** Restores one file to a version. */
export const restoreFile = defineChange({
  name: 'restore_file',
  title: 'Restore a version',
  description: 'Restore a file to a version, also after it was deleted.',
  intent: 'Restore {path} to version {version}',
  approval: 'review',
  appOnly: true,
  destructive: true,
  idempotent: true,
  input: () =>
    z.strictObject({ path, version: z.int().check(z.minimum(1)), if_version: ifVersion }),
  output: () => z.object({ path: z.string() }),

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

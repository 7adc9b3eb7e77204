/** `create_folder`: creates an empty folder. For views. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { path } from './lib/arguments.ts'
import { defineChange, writing } from './lib/tool.ts'

/** Plans one folder; an existing path is a problem. */
export const createFolder = defineChange({
  approval: 'review',
  appOnly: true,
  name: 'create_folder',
  title: 'Create a folder',
  description: 'Create an empty folder and its parent folders.',
  intent: 'Create the folder {path}',
  idempotent: false,
  input: () => z.strictObject({ path }),
  output: () => z.object({ path: z.string() }),

  touches: (input) => [writing(input.path)],

  async plan(_input, [place], { store, config }) {
    if (store.stat(place)) return err({ reason: 'exists', path: place })
    const shown = displayPath(place, defaultRoot(config))
    return ok({
      steps: [{ type: 'folder', path: place }],
      answer: { text: `Created ${shown}`, structured: { path: shown } },
    })
  },
})

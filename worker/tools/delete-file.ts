/** `delete_file`: deletes a file, or a folder with everything in it. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { ifVersion, path } from './lib/arguments.ts'
import { checkVersion, folderSize } from './lib/files.ts'
import { defineChange, writingAt } from './lib/tool.ts'

/** Plans one removal; a root folder cannot be deleted. */
export const deleteFile = defineChange({
  name: 'delete_file',
  title: 'Delete',
  description: 'Delete a file, or a folder with everything in it.',
  intent: 'Delete {path}',
  approval: 'confirm',
  view: 'review',
  destructive: true,
  idempotent: true,
  input: () => z.strictObject({ path, if_version: ifVersion }),
  output: () =>
    z.object({ path: z.string(), files: z.optional(z.int()), bytes: z.optional(z.int()) }),

  touches: ({ path, if_version }) => [writingAt(path, if_version)],

  async plan({ if_version }, [place], { store, config, access }) {
    if (config.roots.some((root) => root.path === place))
      return err({ reason: 'root_denied', action: 'delete' })
    const entry = store.stat(place)
    // Only the store knows whether something exists that the caller may not read.
    if (!entry && access.canRead(place)) return err({ reason: 'not_found', path: place })
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked

    const shown = displayPath(place, defaultRoot(config))
    const size = folderSize(store, entry)
    return ok({
      steps: [{ type: 'remove', path: place }],
      answer: { text: `Deleted ${shown}${size.text}`, structured: { path: shown, ...size.counts } },
    })
  },
})

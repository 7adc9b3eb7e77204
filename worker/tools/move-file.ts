/** `move_file`: moves a file, or a folder with everything in it. @module */

import { defaultRoot } from '#core/config.ts'
import { ancestorsOf, displayPath, isWithin, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Problem } from '../errors/problem.ts'
import type { FileView } from '../access/file-view.ts'
import { ifVersion, path } from './lib/arguments.ts'
import { checkVersion, folderSize, targetExists, createPlacesSchema } from './lib/files.ts'
import { defineChange, moving, rewriting, writingTarget } from './lib/tool.ts'

/** Plans one move; an existing target is a problem. */
export const moveFile = defineChange({
  name: 'move_file',
  title: 'Move or rename',
  description:
    'Move or rename a file or a folder. Parent folders of the target are created; nothing is ' +
    'overwritten. A target that ends in / is a folder to move it into.',
  intent: 'Move {from} to {to}',
  approval: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  input: () => z.strictObject({ from: path, to: path, if_version: ifVersion }),
  output: createPlacesSchema,

  reads: true,
  touches: ({ from, to, if_version }) => [
    if_version === undefined ? moving(from) : rewriting(from),
    writingTarget(to, from),
  ],

  async plan({ if_version }, [from, to], { store, config, access }) {
    if (config.roots.some((root) => root.path === from))
      return err({ reason: 'root_denied', action: 'move' })
    // Only the store knows whether something exists that the caller may not read.
    const entry = store.stat(from)
    if (!entry && access.canRead(from)) return err({ reason: 'not_found', path: from })
    const checked = checkVersion(store, from, if_version)
    if (!checked.ok) return checked
    const free = freePlace(store, from, to)
    if (!free.ok) return free

    const root = defaultRoot(config)
    const shown = { from: displayPath(from, root), to: displayPath(to, root) }
    const size = folderSize(store, entry)
    const text = `Moved ${shown.from} to ${shown.to}${size.text}`
    return ok({
      steps: [{ type: 'move', from, to }],
      answer: { text, structured: { ...shown, ...size.counts } },
    })
  },
})

function freePlace(store: FileView, from: StorePath, to: StorePath): Result<null, Problem> {
  const target = store.stat(to)
  if (target) return err(targetExists(target, from))
  if (isWithin(to, from)) return err({ reason: 'into_itself', from, to })
  for (const above of ancestorsOf(to)) {
    if (store.stat(above)?.type === 'file') return err({ reason: 'not_a_folder', path: above })
  }
  return ok(null)
}

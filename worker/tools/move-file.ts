/** `move_file`: a file or a folder with everything in it gets another place. @module */

import { defaultRoot } from '#core/config.ts'
import { ancestorsOf, isWithin, MAX_PATH_BYTES, relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import type { Problem } from '../problem.ts'
import type { Store } from '../store/store.ts'
import { ifVersion, path } from './arguments.ts'
import { checkVersion } from './change.ts'
import { defineChange, moving, writing } from './tool.ts'

export const moveFile = defineChange({
  name: 'move_file',
  title: 'Move or rename',
  description:
    'Move or rename a file or a folder. Folders above the new place are made; what already ' +
    'stands there is never overwritten.',
  intent: 'Move {from} to {to}',
  attention: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  input: z.strictObject({ from: path, to: path, if_version: ifVersion }),
  output: z.object({ from: z.string(), to: z.string() }),

  touches: (input) => [moving(input.from), writing(input.to)],

  async plan({ if_version }, [from, to], { store, config }) {
    if (config.roots.some((root) => root.path === from))
      return err({ reason: 'root_denied', action: 'move' })
    if (!store.stat(from)) return err({ reason: 'not_found', path: from })
    const checked = checkVersion(store, from, if_version)
    if (!checked.ok) return checked
    const free = freePlace(store, from, to)
    if (!free.ok) return free

    const root = defaultRoot(config)
    const shown = { from: relativeTo(from, root), to: relativeTo(to, root) }
    return ok({
      steps: [{ type: 'move', from, to }],
      answer: { text: `Moved ${shown.from} to ${shown.to}`, structured: shown },
    })
  },
})

function freePlace(store: Store, from: StorePath, to: StorePath): Result<null, Problem> {
  if (store.stat(to)) return err({ reason: 'exists', path: to })
  if (isWithin(to, from)) return err({ reason: 'into_itself', from, to })
  for (const above of ancestorsOf(to)) {
    if (store.stat(above)?.type === 'file') return err({ reason: 'not_a_folder', path: above })
  }
  const bytesOf = (path: string) => new TextEncoder().encode(path).length
  const longest = store.measure(from).longestPath + bytesOf(to) - bytesOf(from)
  if (longest <= MAX_PATH_BYTES) return ok(null)
  const detail = `a path below it would be longer than ${MAX_PATH_BYTES} bytes`
  return err({ reason: 'bad_path', text: to, detail })
}

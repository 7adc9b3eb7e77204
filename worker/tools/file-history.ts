/** `file_history`: the versions of one path, newest first. For views. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod'
import { path } from './lib/arguments.ts'
import { shownChange, toShown } from './lib/shown-change.ts'
import { defineRead, reading } from './lib/tool.ts'
import { MAX_LISTED_VERSIONS } from './limits.ts'

/** Lists versions with the changes that made them; `size` is null where the path was no file. */
export const fileHistory = defineRead({
  name: 'file_history',
  title: 'History of a file',
  description: 'List the versions of a file that can be restored, with the changes that made them.',
  intent: 'Show the history of {path}',
  approval: 'none',
  appOnly: true,
  input: () => z.strictObject({ path, limit: z.int().min(1).max(MAX_LISTED_VERSIONS).default(50) }),
  output: () =>
    z.object({
      path: z.string(),
      versions: z.array(shownChange.extend({ size: z.int().nullable() })),
    }),

  touches: (input) => [reading(input.path)],

  async read({ limit }, [place], { store, draft, config }) {
    const versions = store.history(place, limit).map((state) => ({
      ...toShown(state, draft),
      size: state.file?.size ?? null,
    }))
    const text = versions
      .map(({ version, at, intent }) => `${version}  ${at}  ${intent}`)
      .join('\n')
    const shown = displayPath(place, defaultRoot(config))
    return ok({ text: text || 'No history', structured: { path: shown, versions } })
  },
})

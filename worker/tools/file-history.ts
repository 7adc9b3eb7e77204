/** `file_history`: the versions of one path, newest first. For views. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { path } from './lib/arguments.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { shownChange, toShown } from './lib/shown-change.ts'
import { defineRead, reading } from './lib/tool.ts'
import { MAX_LISTED_VERSIONS } from './lib/limits.ts'

/** Lists versions with the changes that made them; `size` is null where the path was no file. */
export const fileHistory = defineRead({
  name: 'file_history',
  title: 'History of a file',
  description: 'List the versions of a file that can be restored, with the changes that made them.',
  intent: 'Show the history of {path}',
  approval: 'none',
  appOnly: true,
  input: () =>
    z.strictObject({
      path,
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_LISTED_VERSIONS))),
    }),
  output: () =>
    z.object({
      path: z.string(),
      versions: z.array(
        z.extend(shownChange, {
          size: z.nullable(z.int()),
          executable: z.optional(z.literal(true)),
        }),
      ),
    }),

  touches: (input) => [reading(input.path)],

  async read({ limit }, [place], { store, draft, config }) {
    const all = store.history(place, limit ?? DEFAULT_VERSIONS).map((state) => ({
      ...toShown(state, draft),
      size: state.file?.size ?? null,
      ...(state.file?.executable && { executable: true }),
    }))
    const versions = limit === undefined ? firstFitting(all, writeLine) : all
    const text = versions.map(writeLine).join('\n')
    const shown = displayPath(place, defaultRoot(config))
    return ok({ text: text || 'No history', structured: { path: shown, versions } })
  },
})

/** Versions of a result, if its caller does not say how many it wants. */
const DEFAULT_VERSIONS = 50

const writeLine = ({ version, at, intent }: z.infer<typeof shownChange>) =>
  `${version}  ${at}  ${intent}`

/** `list_folder`: the children of a folder, a page at a time. For views. @module */

import { isWithin, nameOf, resolvePath } from '#core/path.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { FOLDER_PAGE } from '../limits.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { defineRead, readingFolder } from './lib/tool.ts'

/** Entries of a page, if its caller does not say how many it wants. */
const DEFAULT_PAGE = 200

/** Lists children in the order of their names. `next` is absent on the last page. */
export const listFolder = defineRead({
  name: 'list_folder',
  title: 'List a folder',
  description: 'List the direct children of a folder by name, page by page.',
  intent: 'List {path}',
  approval: 'none',
  appOnly: true,
  input: () =>
    z.strictObject({
      path: z._default(path, '.'),
      after: z.optional(wellFormed).check(z.describe('Name after which the page begins')),
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(FOLDER_PAGE))),
    }),
  output: () =>
    z.object({
      path: z.string(),
      entries: z.array(
        z.object({
          name: z.string(),
          type: z.enum(['file', 'folder']),
          version: z.int(),
          modified: z.string(),
          size: z.optional(z.int()),
          mime: z.optional(z.string()),
          executable: z.optional(z.literal(true)),
        }),
      ),
      next: z.optional(z.string()).check(z.describe('Name after which the next page begins')),
    }),

  touches: (input) => [readingFolder(input.path)],

  async read({ after, limit: wanted }, [place], { store }) {
    const limit = wanted ?? DEFAULT_PAGE
    if (store.stat(place)?.type !== 'folder') return err({ reason: 'not_found', path: place })
    const from = after === undefined ? null : resolvePath(after, place)
    if (from && (!from.ok || !isWithin(from.value, place)))
      return err({ reason: 'bad_path', text: after ?? '', detail: 'it is not the name of a child' })
    const page = store.list(place, { limit: limit + 1, ...(from?.ok && { after: from.value }) })
    const all = page.slice(0, limit).map((entry) => ({
      name: nameOf(entry.path),
      type: entry.type,
      version: entry.version,
      modified: new Date(entry.mtime).toISOString(),
      ...(entry.type === 'file' && { size: entry.size, mime: entry.mime }),
      ...(entry.type === 'file' && entry.executable && { executable: true }),
    }))
    const write = ({ name, type }: (typeof all)[number]) => (type === 'folder' ? `${name}/` : name)
    const entries = wanted === undefined ? firstFitting(all, write) : all
    const next = page.length > entries.length ? entries.at(-1)?.name : undefined
    const more = next === undefined ? '' : `\n(more: continue with after ${JSON.stringify(next)})`
    const text = entries.map(write).join('\n') + more
    return ok({
      text: text || '(empty folder)',
      structured: { path: place, entries, ...(next !== undefined && { next }) },
    })
  },
})

/** `list_roots`: the folders that a caller may use. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { firstFitting } from './lib/first-fitting.ts'
import { defineRead } from './lib/tool.ts'

/** Lists the folders that this request may use, and which of them is the default. */
export const listRoots = defineRead({
  name: 'list_roots',
  title: 'List roots',
  description: 'List the accessible folders. Relative paths start at the default one.',
  intent: 'List the accessible folders',
  approval: 'none',
  view: 'files',
  input: () => z.strictObject({}),
  output: () =>
    z.object({
      roots: z.array(z.object({ path: z.string(), default: z.boolean() })),
      more: z.optional(z.int()),
    }),

  touches: () => [],

  async read(_input, _places, { access }) {
    const all = access.folders().map((path) => ({ path, default: path === access.base }))
    const roots = firstFitting(all, writeRoot)
    const more = all.length - roots.length
    const text = roots.map(writeRoot).join('\n') + (more > 0 ? `\nand ${more} more` : '')
    return ok({ text: text || '(none)', structured: { roots, ...(more > 0 && { more }) } })
  },
})

const writeRoot = (root: { readonly path: string; readonly default: boolean }) =>
  root.default ? `${root.path} (default)` : root.path

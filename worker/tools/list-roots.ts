/** `list_roots`: the folders that a caller may use. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod'
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
  output: () => z.object({ roots: z.array(z.object({ path: z.string(), default: z.boolean() })) }),

  touches: () => [],

  async read(_input, _places, { access }) {
    const roots = access.folders().map((path) => ({ path, default: path === access.base }))
    const lines = roots.map((root) => (root.default ? `${root.path} (default)` : root.path))
    return ok({ text: lines.join('\n') || '(none)', structured: { roots } })
  },
})

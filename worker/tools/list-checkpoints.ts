/** `list_checkpoints`: the checkpoints that the caller can see, newest first. For views. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { shownCheckpoint, toShownCheckpoint } from './lib/checkpoints.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { defineRead } from './lib/tool.ts'

/** Lists checkpoints; a session sees its own. */
export const listCheckpoints = defineRead({
  name: 'list_checkpoints',
  title: 'List checkpoints',
  description: 'List the checkpoints of the workspace, newest first.',
  intent: 'List checkpoints',
  approval: 'none',
  appOnly: true,
  input: () => z.strictObject({}),
  output: () => z.object({ checkpoints: z.array(shownCheckpoint), more: z.optional(z.int()) }),

  touches: () => [],

  async read(_input, _places, { store }) {
    const all = store.checkpoints().map(toShownCheckpoint)
    const checkpoints = firstFitting(all, writeLine)
    const more = all.length - checkpoints.length
    const text = checkpoints.map(writeLine).join('\n') + (more > 0 ? `\nand ${more} more` : '')
    return ok({
      text: text || 'No checkpoints',
      structured: { checkpoints, ...(more > 0 && { more }) },
    })
  },
})

const writeLine = ({ at, actor, name }: z.infer<typeof shownCheckpoint>) =>
  `${at}  ${actor}: ${name}`

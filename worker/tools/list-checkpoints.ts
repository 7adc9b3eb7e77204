/** `list_checkpoints`: the checkpoints that the caller can see, newest first. For views. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod'
import { shownCheckpoint, toShownCheckpoint } from './lib/checkpoints.ts'
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
  output: () => z.object({ checkpoints: z.array(shownCheckpoint) }),

  touches: () => [],

  async read(_input, _places, { store }) {
    const checkpoints = store.checkpoints().map(toShownCheckpoint)
    const text = checkpoints.map(({ at, actor, name }) => `${at}  ${actor}: ${name}`).join('\n')
    return ok({ text: text || 'No checkpoints', structured: { checkpoints } })
  },
})

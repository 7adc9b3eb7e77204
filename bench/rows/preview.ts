/**
 * Preview of an edit against the edit itself, in turns on equal files, each edit with new content.
 *
 * @module
 */

import { latency, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, toolCall, type Params } from '../wire.ts'
import type { Server } from '../workerd.ts'

const HALF = 'const answer = compute(question) // 64 characters with a newline\n'.repeat(800)

const token = (count: number) => `token-${String(count).padStart(8, '0')}`

/** The row of the preview. */
export const rows: Row[] = [
  {
    name: 'preview',
    goal: 'at most 1.3 times the edit',
    limit:
      'The edit is planned and compared with the file, and the plan is written in place of the file.',
    tried:
      'A preview stores a digest of its plan and no content. The goal was missed by less than runs differ.',
    async run(context) {
      const { rounds, requests } = context.scale
      const server = await context.product('preview')
      const shown = await target(server, 'shown', { preview: true })
      const made = await target(server, 'made')
      const measured = await interleave(rounds, {
        preview: () => latency(shown, requests),
        edit: () => latency(made, requests),
      })
      return [
        {
          work: 'edit_file in 100 KiB, previewed',
          unit: 'ms',
          edgewise: measured.preview,
          baseline: { name: 'the edit itself', value: measured.edit },
          goal: { ratioAtMost: 1.3 },
        },
      ]
    },
  },
]

/** Creates the target; a preview changes nothing, so it always finds the first text. */
async function target(server: Server, name: string, meta?: Params): Promise<Target> {
  const path = `bench/${name}.txt`
  let count = 0
  await put(server, `/files/${path}`, `${HALF}${token(0)}\n${HALF}`)
  const request = () => {
    const found = meta ? 0 : count
    const edits = [{ find: token(found), replace: token(++count) }]
    return toolCall(modern, 'edit_file', { path, edits }, meta)
  }
  return { name, port: server.port, request, marker: '"match_count":1' }
}

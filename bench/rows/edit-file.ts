/**
 * Consecutive edits of a file of 100 KiB. Each produces new content, because writing content that
 * the store already has would cost nothing.
 *
 * @module
 */

import { encodeRequest } from '../http.ts'
import { latency, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

const KIB_100 = 100 * 1024
const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const PATH = 'bench/edit.txt'

const token = (count: number) => `token-${String(count).padStart(8, '0')}`

/** The row of `edit_file`. */
export const rows: Row[] = [
  {
    name: 'edit_file',
    goal: 'at most three times a hop that writes the row',
    async run(context) {
      const { rounds, requests } = context.scale
      const ours = await product(await context.product('edit'))
      const write = await context.baseline('write')
      const measured = await interleave(rounds, {
        edgewise: () => latency(ours, requests),
        large: () => latency(hop(write, KIB_100), requests),
        small: () => latency(hop(write, 16), requests),
      })
      const common = {
        work: 'edit_file in 100 KiB',
        unit: 'ms',
        edgewise: measured.edgewise,
      } as const
      const large = { name: 'hop that writes 100 KiB', value: measured.large }
      const small = { name: 'hop that writes 16 bytes', value: measured.small }
      return [
        { ...common, baseline: large, goal: { ratioAtMost: 3 } },
        { ...common, baseline: small },
      ]
    },
  },
]

async function product(server: Server): Promise<Target> {
  let count = 0
  const half = LINE.repeat(KIB_100 / 2 / LINE.length)
  await put(server, `/files/${PATH}`, `${half}${token(count)}\n${half}`)
  const request = () => {
    const edits = [{ find: token(count), replace: token(++count) }]
    return toolCall(modern, 'edit_file', { path: PATH, edits })
  }
  return { name: 'Edgewise', port: server.port, request, marker: '"match_count":1' }
}

function hop({ port }: Server, bytes: number): Target {
  const request = encodeRequest({ method: 'POST', path: `/${bytes}`, headers: {} })
  return { name: 'write', port, request: () => request, marker: 'written' }
}

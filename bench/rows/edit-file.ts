/**
 * Consecutive edits of a file of 100 KiB. Each produces new content, because writing content that
 * the store already has would cost nothing.
 *
 * @module
 */

import { encodeRequest } from '../http.ts'
import { latency, once, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import { checkPeer, checkProduct, startPeers } from '../peers.ts'
import type { Row } from '../row.ts'
import { thenIndexed } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

const KIB_100 = 100 * 1024
const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const PATH = '/bench/edit.txt'

const token = (count: number) => `token-${String(count).padStart(8, '0')}`

/** The row of `edit_file`. */
export const rows: Row[] = [
  {
    name: 'edit_file',
    goal: 'at most 1.6 times a hop that writes the row, and 0.6 times the peers',
    limit:
      'Reading, decoding, searching, encoding, hashing and writing 100 KiB in one process, where the hop only writes.',
    tried:
      'Text and content that were just written stay in memory, and no comparison is made unless it is shown: decision 23. About a twelfth of the rest is the edit itself, the other parts are those of a write.',
    async run(context) {
      const { rounds, requests } = context.scale
      const product = await context.product('edit')
      const write = await context.baseline('write')
      const { shell, computer } = await startPeers(context, 'edit')
      const edits = {
        edgewise: await createEdits(product, '"match_count":1'),
        shell: await createEdits(shell.server, 'edited '),
        computer: await createEdits(computer.server, 'edited '),
      }
      const measured = await interleave(rounds, {
        edgewise: () => thenIndexed(product, () => latency(edits.edgewise, requests)),
        large: () => latency(hop(write, KIB_100), requests),
        small: () => latency(hop(write, 16), requests),
        shell: () => latency(edits.shell, requests),
        computer: () => latency(edits.computer, requests),
      })
      await checkProduct(product, PATH, edits.edgewise.content())
      await checkPeer(shell, PATH, edits.shell.content())
      await checkPeer(computer, PATH, edits.computer.content())
      const common = {
        work: 'edit_file in 100 KiB',
        unit: 'ms',
        edgewise: measured.edgewise,
      } as const
      const large = { name: 'hop that writes 100 KiB', value: measured.large }
      const small = { name: 'hop that writes 16 bytes', value: measured.small }
      const goal = { ratioAtMost: 0.6 }
      return [
        { ...common, baseline: large, goal: { ratioAtMost: 1.6 } },
        { ...common, baseline: small },
        { ...common, baseline: { name: shell.title, value: measured.shell }, goal },
        { ...common, baseline: { name: computer.title, value: measured.computer }, goal },
      ]
    },
  },
]

interface Edits extends Target {
  /** Returns the content after the edits that were requested. */
  content(): string
}

/** Writes the file and creates its edits, each of which finds the text of the one before. */
async function createEdits({ port }: Server, marker: string): Promise<Edits> {
  let count = 0
  const half = LINE.repeat(KIB_100 / 2 / LINE.length)
  const content = () => `${half}${token(count)}\n${half}`
  const first = toolCall(modern, 'write_file', { path: PATH, content: content() })
  await once({ name: 'write_file', port, request: () => first, marker: 'bench/edit.txt' })
  const request = () => {
    const edits = [{ find: token(count), replace: token(++count) }]
    return toolCall(modern, 'edit_file', { path: PATH, edits })
  }
  return { name: 'edit_file', port, request, content, marker }
}

function hop({ port }: Server, bytes: number): Target {
  const request = encodeRequest({ method: 'POST', path: `/${bytes}`, headers: {} })
  return { name: 'write', port, request: () => request, marker: 'written' }
}

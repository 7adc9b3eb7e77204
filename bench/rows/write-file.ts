/**
 * Writing new files of 4 KiB on all connections, beside a hop that writes one row of that size and beside the peers.
 * Each file is in one of a hundred folders and has content of its own, because equal content is stored once.
 *
 * @module
 */

import { createWrites, type Writes } from '../drafts.ts'
import { encodeRequest } from '../http.ts'
import { throughput, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import { checkPeer, checkProduct, startPeers } from '../peers.ts'
import type { Row } from '../row.ts'
import { thenIndexed } from '../upload.ts'
import type { Server } from '../workerd.ts'

const BYTES = 4096

/** The row of `write_file`. */
export const rows: Row[] = [
  {
    name: 'write_file',
    goal: 'half of a hop that writes one row, and twice the peers',
    limit:
      'One transaction writes content, path, version, change, audit entry and totals, each with its indexes, where the hop writes one row; parsing the call and hashing take the rest.',
    tried:
      'Fewer rows and pages, no comparison unless it is shown, and no work for the search index in the call: decision 23. Eight calls that share a commit were no faster than one commit each. The peers keep no history, audit log or rules.',
    async run(context) {
      const { rounds, seconds } = context.scale
      const product = await context.product('write')
      const hop = await context.baseline('write')
      const { shell, computer } = await startPeers(context, 'write')
      const writes = {
        edgewise: createWrites(product, '/written'),
        shell: createPeerWrites(shell.server),
        computer: createPeerWrites(computer.server),
      }
      const measured = await interleave(rounds, {
        edgewise: () => thenIndexed(product, () => throughput(writes.edgewise, seconds)),
        hop: () => throughput(createHop(hop), seconds),
        shell: () => throughput(writes.shell, seconds),
        computer: () => throughput(writes.computer, seconds),
      })
      // How many were written depends on the machine, so the last one of each is compared.
      await checkProduct(product, ...writes.edgewise.last())
      await checkPeer(shell, ...writes.shell.last())
      await checkPeer(computer, ...writes.computer.last())
      const common = {
        work: 'write_file, 4 KiB',
        unit: 'req/s',
        edgewise: measured.edgewise,
      } as const
      const goal = { ratioAtLeast: 2 }
      return [
        {
          ...common,
          baseline: { name: 'hop that writes one row', value: measured.hop },
          goal: { ratioAtLeast: 0.5 },
        },
        { ...common, baseline: { name: shell.title, value: measured.shell }, goal },
        { ...common, baseline: { name: computer.title, value: measured.computer }, goal },
      ]
    },
  },
]

const createPeerWrites = (server: Server): Writes => {
  return { ...createWrites(server, '/written'), marker: 'wrote ' }
}

function createHop({ port }: Server): Target {
  const request = encodeRequest({ method: 'POST', path: `/${BYTES}`, headers: {} })
  return { name: 'write', port, request: () => request, marker: 'written' }
}

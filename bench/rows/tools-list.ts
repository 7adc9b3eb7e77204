/**
 * Listing the tools, which every client does first, and some before every turn.
 *
 * @module
 */

import { throughput, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Row } from '../row.ts'
import { modern } from '../wire.ts'
import type { Server } from '../workerd.ts'

/** The row of `tools/list`. */
export const rows: Row[] = [
  {
    name: 'tools-list',
    goal: 'three times the stock handler',
    limit: 'The bytes of the answer, which the front Worker holds ready; no object is called.',
    async run(context) {
      const product = target('Edgewise', await context.product('read'))
      const handler = target('stock', await context.baseline('handler'))
      const { rounds, seconds } = context.scale
      const { edgewise, stock } = await interleave(rounds, {
        edgewise: () => throughput(product, seconds),
        stock: () => throughput(handler, seconds),
      })
      const baseline = { name: 'stock createMcpHandler', value: stock }
      return [{ work: 'tools/list', unit: 'req/s', edgewise, baseline, goal: { ratioAtLeast: 3 } }]
    },
  },
]

function target(name: string, { port }: Server): Target {
  return { name, port, request: () => modern('tools/list'), marker: '"name":"edit_file"' }
}

/**
 * CPU time of evaluating the modules of the Worker, which Cloudflare limits and every cold start pays.
 *
 * @module
 */

import { interleave } from '../median.ts'
import { profileStartup } from '../profile.ts'
import type { Row } from '../row.ts'

/** The row of the evaluation. */
export const rows: Row[] = [
  {
    name: 'startup',
    goal: 'reported',
    limit:
      'zod builds the schemas of all tools and options when the module is evaluated, and node:zlib is loaded.',
    async run(context) {
      const [ours, theirs] = [await context.worker(null), await context.worker('handler')]
      const { edgewise, stock } = await interleave(context.scale.rounds, {
        edgewise: () => profileStartup('product', ours),
        stock: () => profileStartup('handler', theirs),
      })
      const baseline = { name: 'stock createMcpHandler', value: stock }
      return [{ work: 'CPU time of module evaluation', unit: 'ms', edgewise, baseline }]
    },
  },
]

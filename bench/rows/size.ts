/**
 * Size of the Worker that Cloudflare loads before the first request.
 *
 * @module
 */

import { readSizes } from '../../scripts/sizes.ts'
import type { Row } from '../row.ts'

/** The row of the size. */
export const rows: Row[] = [
  {
    name: 'size',
    goal: 'the Worker under its limit',
    limit: 'Schemas of tools and options, and the MCP SDK with zod.',
    async run(context) {
      const worker = readSizes().find((size) => size.name === 'Worker')
      if (!worker) throw new Error('Cannot find the Worker in dist/sizes.json')
      const value = await context.baselineSize('handler')
      const baseline = { name: 'stock createMcpHandler', value }
      const goal = { under: worker.limit }
      return [{ work: 'Worker, gzip', unit: 'bytes', edgewise: worker.gzip, baseline, goal }]
    },
  },
]

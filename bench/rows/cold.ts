/**
 * A cold Worker: the first answer of a process, measured from the start of workerd, which both have in common, and the
 * CPU time of evaluating the modules, which Cloudflare limits.
 *
 * @module
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Figure } from '../../scripts/figure.ts'
import { once } from '../load.ts'
import { interleave, median } from '../median.ts'
import { profileStartup } from '../profile.ts'
import type { Context, Row } from '../row.ts'
import { modern } from '../wire.ts'
import { end, startAgain, startWorkerd, stop, type Server } from '../workerd.ts'

/** The rows of a cold Worker. */
export const rows: Row[] = [
  {
    name: 'cold',
    goal: 'at most the time of the stock handler',
    limit:
      'Starting workerd, and compiling and evaluating a module that is larger than that of the stock handler.',
    tried:
      'The SDK in a module that is loaded late, code that modules share, schemas that are built on first use, a list of tools that the build writes, and no parsers of certificates: decision 24.',
    run: compareFirstAnswer,
  },
  {
    name: 'startup',
    goal: 'reported',
    limit: 'The library zod and the schemas of HTTP routes are evaluated.',
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

/** Longest time until a process answers, in milliseconds. */
const MAX_START_MS = 30_000

async function compareFirstAnswer(context: Context): Promise<Figure[]> {
  const [ours, stock] = [await openCold(context, null), await openCold(context, 'handler')]
  const measured = await interleave(context.scale.rounds, {
    edgewise: () => ours.start(),
    stock: () => stock.start(),
  })
  await Promise.all([ours.stop(), stock.stop()])
  return [
    {
      work: 'tools/list, first answer of a cold Worker',
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: 'stock createMcpHandler', value: measured.stock },
      goal: { ratioAtMost: 1 },
    },
  ]
}

/** Runs a process; `start` ends it and returns the time from the start of the next one to its first answer. */
async function openCold(context: Context, baseline: string | null) {
  let server = await startWorkerd(`cold-${baseline}`, await context.worker(baseline))
  const repeats = Math.ceil(context.scale.requests / 30)
  async function start(): Promise<number> {
    const times: number[] = []
    while (times.length < repeats) {
      await end(server)
      const from = performance.now()
      server = startAgain(server)
      await untilAnswered(server, from)
      times.push(performance.now() - from)
    }
    return median(times)
  }
  return { start, stop: () => stop(server) }
}

async function untilAnswered({ port }: Server, from: number): Promise<void> {
  const request = () => modern('tools/list')
  for (;;) {
    try {
      await once({ name: 'cold', port, request, marker: '"name":"edit_file"' })
      return
    } catch (error) {
      if (performance.now() - from > MAX_START_MS) throw error
      await wait(1)
    }
  }
}

/**
 * Reading one small file, the most frequent call of agents: with each protocol version, against the
 * minimum of a stateful Worker and against the stock handler.
 *
 * @module
 */

import type { Figure } from '../figure.ts'
import { once, throughput, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { legacy, modern, toolCall, type Wire } from '../wire.ts'
import type { Server } from '../workerd.ts'

const MARKER = 'the-last-words'
const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const FILE = `${LINE.repeat(62)}${MARKER}\n`
const PATH = 'bench/read.txt'

/** The rows of `read_file`. */
export const rows: Row[] = [
  {
    name: 'read_file',
    goal: 'at least 40 % of a bare hop, and twice the stock handler',
    run: async (context) => {
      const [hop, stock] = await compare(context, async () => modern)
      return [
        { ...hop, goal: { ratioAtLeast: 0.4 } },
        { ...stock, goal: { ratioAtLeast: 2 } },
      ]
    },
  },
  {
    name: 'read_file-legacy',
    goal: 'reported',
    run: (context) => compare(context, legacy, ', legacy wire'),
  },
]

async function compare(
  context: Context,
  wireTo: (server: Server) => Promise<Wire>,
  suffix = '',
): Promise<[Figure, Figure]> {
  const { rounds, seconds } = context.scale
  const product = await context.product('read')
  const stock = await context.baseline('handler')
  const hop = await context.baseline('hop')
  await put(product, `/files/${PATH}`, FILE)
  await put(stock, '/', FILE)

  const ours = target('Edgewise', product, await wireTo(product))
  const theirs = target('stock', stock, await wireTo(stock))
  const reply = await once(ours)
  await put(hop, '/', new Uint8Array(reply.body))
  const measured = await interleave(rounds, {
    edgewise: () => throughput(ours, seconds),
    hop: () => throughput({ ...ours, name: 'hop', port: hop.port }, seconds),
    stock: () => throughput(theirs, seconds),
  })
  const common = {
    work: `read_file, 4 KiB${suffix}`,
    unit: 'req/s',
    edgewise: measured.edgewise,
  } as const
  return [
    { ...common, baseline: { name: 'bare hop to an object', value: measured.hop } },
    { ...common, baseline: { name: 'stock createMcpHandler', value: measured.stock } },
  ]
}

function target(name: string, { port }: Server, wire: Wire): Target {
  const request = () => toolCall(wire, 'read_file', { path: PATH })
  return { name, port, request, marker: MARKER }
}

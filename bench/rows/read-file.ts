/**
 * Reading one small file again and again, the most frequent call of agents: with each protocol version, against the
 * minimum of a stateful Worker, against the stock handler and against the peers.
 *
 * @module
 */

import type { Figure } from '../../scripts/figure.ts'
import { once, throughput, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import { checkPeer, checkProduct, startPeers } from '../peers.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { legacy, modern, toolCall, type Wire } from '../wire.ts'
import type { Server } from '../workerd.ts'

const MARKER = 'the-last-words'
const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const FILE = `${LINE.repeat(62)}${MARKER}\n`
const PATH = '/bench/read.txt'
const FROM_CACHE =
  'The file comes from the cache of the object, so the call itself remains: the hop, parsing, access'

const MUCH_CODE =
  'The rest is code that runs once in each call, of which no function takes more than a few microseconds: decision 16'

/** The rows of `read_file`. */
export const rows: Row[] = [
  {
    name: 'read_file',
    goal: 'at least 80 % of a bare hop, and twice the stock handler and the peers',
    limit: `${FROM_CACHE}, and an answer of 9 kB.`,
    tried: `Line numbers in one pass, paths that are normalised already, views that are kept, and fewer steps that wait. ${MUCH_CODE}.`,
    run: async (context) => {
      const [hop, ...others] = await compare(context, async () => modern)
      return [
        { ...hop, goal: { ratioAtLeast: 0.8 } },
        ...others.map((figure) => ({ ...figure, goal: { ratioAtLeast: 2 } })),
      ]
    },
  },
  {
    name: 'read_file-legacy',
    goal: 'at least 65 % of a bare hop',
    limit: `${FROM_CACHE}, and the session, whose answer is an event stream.`,
    tried: `Answers without the SDK, sessions kept in memory, and headers that are copied: decision 22. ${MUCH_CODE}.`,
    run: async (context) => {
      const [hop, ...others] = await compare(context, legacy, ', legacy wire')
      return [{ ...hop, goal: { ratioAtLeast: 0.65 } }, ...others]
    },
  },
]

async function compare(
  context: Context,
  wireTo: (server: Server) => Promise<Wire>,
  suffix = '',
): Promise<[Figure, ...Figure[]]> {
  const { rounds, seconds } = context.scale
  const product = await context.product('read')
  const stock = await context.baseline('handler')
  const hop = await context.baseline('hop')
  const { shell, computer } = await startPeers(context, 'read')
  await put(product, `/files${PATH}`, FILE)
  await put(stock, '/', FILE)
  for (const { server } of [shell, computer])
    await put(server, '/default', JSON.stringify([[PATH, FILE]]))
  await checkProduct(product, PATH, FILE)
  for (const peer of [shell, computer]) await checkPeer(peer, PATH, FILE)

  const targetOf = async (server: Server) => target(server, await wireTo(server))
  const ours = await targetOf(product)
  const targets = {
    stock: await targetOf(stock),
    shell: await targetOf(shell.server),
    computer: await targetOf(computer.server),
  }
  const reply = await once(ours)
  await put(hop, '/', new Uint8Array(reply.body))
  const measured = await interleave(rounds, {
    edgewise: () => throughput(ours, seconds),
    hop: () => throughput({ ...ours, port: hop.port }, seconds),
    stock: () => throughput(targets.stock, seconds),
    shell: () => throughput(targets.shell, seconds),
    computer: () => throughput(targets.computer, seconds),
  })
  const beside = (name: string, value: number): Figure => ({
    work: `read_file, 4 KiB${suffix}`,
    unit: 'req/s',
    edgewise: measured.edgewise,
    baseline: { name, value },
  })
  return [
    beside('bare hop to an object', measured.hop),
    beside('stock createMcpHandler', measured.stock),
    beside(shell.title, measured.shell),
    beside(computer.title, measured.computer),
  ]
}

function target({ port }: Server, wire: Wire): Target {
  const request = () => toolCall(wire, 'read_file', { path: PATH })
  return { name: `read_file on port ${port}`, port, request, marker: MARKER }
}

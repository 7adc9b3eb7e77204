/**
 * Reading random parts of one file of 10 MiB. The bare hop returns an answer of the product, so both send the same
 * bytes.
 *
 * @module
 */

import type { Figure, Unit } from '../../scripts/figure.ts'
import { latency, once, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import { startPeer } from '../peers.ts'
import { below, seeded } from '../random.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, toolCall, type Params } from '../wire.ts'

const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const BIG = '/bench/big.txt'
const BIG_LINES = Math.ceil((10 * 1024 * 1024) / LINE.length)

/** One way to read a part, and a peer's bytes of about the same size. */
interface Part {
  readonly name: string
  readonly bytes: number
  /** Text of every correct answer. */
  readonly marker: string
  readonly args: (line: number) => Params
}

const PARTS: readonly Part[] = [
  {
    name: '25 kB as base64',
    bytes: 25_500,
    marker: Buffer.from(LINE).toString('base64').slice(0, 40),
    args: (line) => ({ encoding: 'base64', offset: line * LINE.length }),
  },
  {
    name: '200 lines',
    bytes: 200 * LINE.length,
    marker: 'compute(question)',
    args: (line) => ({ start_line: line + 1 }),
  },
]

/** The row of parts. */
export const rows: Row[] = [
  {
    name: 'read-range',
    goal: 'reported',
    limit:
      'The part is read from a row of 1 MiB. Bytes are found by their offset, and lines by the beginnings of lines that the first read of the content remembers.',
    async run(context) {
      const figures = []
      for (const part of PARTS) figures.push(...(await compareRange(context, part)))
      return figures
    },
  },
]

async function compareRange(context: Context, part: Part): Promise<Figure[]> {
  const { rounds, requests } = context.scale
  const product = await context.product('range')
  const hop = await context.baseline('hop')
  // The other peer has no ranges, and no row of SQLite holds 10 MiB.
  const computer = await startPeer(context, 'computer', 'range')
  await put(product, `/files${BIG}`, LINE.repeat(BIG_LINES))
  await put(computer.server, '/default', JSON.stringify([[BIG, LINE.repeat(BIG_LINES)]]))
  const random = seeded(13)
  const target = (port: number, marker: string, args: (line: number) => Params): Target => ({
    name: `read_file on port ${port}`,
    port,
    marker,
    request: () => {
      const line = below(random, BIG_LINES - 1000)
      return toolCall(modern, 'read_file', { path: BIG, ...args(line) })
    },
  })
  const ours = target(product.port, part.marker, part.args)
  const theirs = target(computer.server.port, 'compute(question)', (line) => ({
    range: { offset: line * LINE.length, length: part.bytes },
  }))
  await put(hop, '/', new Uint8Array((await once(ours)).body))
  const measured = await interleave(rounds, {
    edgewise: () => latency(ours, requests),
    hop: () => latency({ ...ours, port: hop.port }, requests),
    computer: () => latency(theirs, requests),
  })
  const common = {
    work: `read_file, ${part.name} somewhere in 10 MiB`,
    unit: 'ms' as Unit,
    edgewise: measured.edgewise,
  }
  return [
    { ...common, baseline: { name: 'bare hop to an object', value: measured.hop } },
    { ...common, baseline: { name: computer.title, value: measured.computer } },
  ]
}

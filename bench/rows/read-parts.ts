/**
 * Reads that no cache answers: random files of the loaded tree, and random parts of one file of 10 MiB.
 *
 * The bare hop returns an answer of the product, so both send the same bytes.
 *
 * @module
 */

import type { Figure, Unit } from '../figure.ts'
import { latency, once, throughput, type Target } from '../load.ts'
import { loadAll } from '../loaded.ts'
import { interleave } from '../median.ts'
import { startPeer } from '../peers.ts'
import { below, pick, seeded } from '../random.ts'
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

/** The rows of reads beyond the cache. */
export const rows: Row[] = [
  {
    name: 'read-random',
    goal: 'at least 60 % of a bare hop, and ahead of the peers',
    limit:
      'Two lookups in SQLite where the cache misses, and numbering and escaping ten kilobytes twice, as text and as structured content.',
    run: compareRandom,
  },
  {
    name: 'read-range',
    goal: 'reported',
    limit:
      'Bytes are found by their offset; lines are counted in the whole file, so each call decodes 10 MiB, in which it also looks for binary content.',
    async run(context) {
      const figures = []
      for (const part of PARTS) figures.push(...(await compareRange(context, part)))
      return figures
    },
  },
]

async function compareRandom(context: Context): Promise<Figure[]> {
  const { rounds, seconds } = context.scale
  const { product, shell, computer, files } = await loadAll(context)
  const hop = await context.baseline('hop')
  const random = seeded(11)
  const target = (port: number): Target => ({
    name: `read_file on port ${port}`,
    port,
    // Every file of the tree has such a line, and an error has not.
    marker: 'return ',
    request: () => toolCall(modern, 'read_file', { path: pick(random, files)[0], limit: 0 }),
  })
  const sample = files.toSorted((a, b) => a[1].length - b[1].length)[files.length >> 1]
  const middle = () => toolCall(modern, 'read_file', { path: sample?.[0], limit: 0 })
  const { body } = await once({ ...target(product.port), request: middle })
  await put(hop, '/', new Uint8Array(body))
  const measured = await interleave(rounds, {
    edgewise: () => throughput(target(product.port), seconds),
    hop: () => throughput(target(hop.port), seconds),
    shell: () => throughput(target(shell.server.port), seconds),
    computer: () => throughput(target(computer.server.port), seconds),
  })
  const common = {
    work: `read_file, random of ${files.length.toLocaleString('en-US')} files`,
    unit: 'req/s' as Unit,
    edgewise: measured.edgewise,
  }
  const goal = { ratioAtLeast: 1 }
  return [
    {
      ...common,
      baseline: { name: 'bare hop to an object', value: measured.hop },
      goal: { ratioAtLeast: 0.6 },
    },
    { ...common, baseline: { name: shell.title, value: measured.shell }, goal },
    { ...common, baseline: { name: computer.title, value: measured.computer }, goal },
  ]
}

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

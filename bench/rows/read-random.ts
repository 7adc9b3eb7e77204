/**
 * Reading random files of the loaded tree, of which the cache of an object holds few. The bare hop returns the
 * product's answer for the file of median size.
 *
 * @module
 */

import type { Figure, Unit } from '../../scripts/figure.ts'
import { once, throughput, type Target } from '../load.ts'
import { loadAll } from '../loaded.ts'
import { interleave } from '../median.ts'
import { pick, seeded } from '../random.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'

/** The row of random reads. */
export const rows: Row[] = [
  {
    name: 'read-random',
    goal: 'at least 60 % of a bare hop, and ahead of the peers',
    limit:
      'A lookup in SQLite where the cache misses, numbering ten kilobytes, and escaping them twice, as text and as structured content.',
    tried:
      'One statement in place of two, lines that are numbered in one pass, bytes that are counted only where it matters, and content that is kept from the second read on: decision 16.',
    run: compareRandom,
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

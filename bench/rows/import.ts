/**
 * Importing a tree of source files, beside the peers' writes and beside `tar`, and two questions about the loaded
 * tree that every one of them can answer.
 *
 * @module
 */

import type { Figure, Unit } from '../../scripts/figure.ts'
import { latency, type Target } from '../load.ts'
import { loadAll, type Loaded } from '../loaded.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { NEEDLE } from '../tree.ts'
import { modern, toolCall, type Params } from '../wire.ts'

interface Question {
  readonly tool: string
  readonly args: Params
  /** Text of the right answer of the product, and of a peer. */
  readonly markers: readonly [product: string, peer: string]
}

/** The rows of the loaded tree. */
export const rows: Row[] = [
  {
    name: 'import',
    goal: 'at most 0.7 times the peers',
    limit:
      'SQLite writes each content, its hash, and each path in two tables with their indexes, and SHA-256 reads every byte; the search index is made after the answer.',
    tried:
      'Larger pieces of the body, small files without streams, and content that waits for the index without a row for that: decision 23. The rows of a batch are written and looked up together. Batches of 1 MiB and 512 KiB, which fit the cache of SQLite, took as long as those of 4 MiB.',
    run: async (context) => compareLoading(await loadAll(context)),
  },
  {
    name: 'peers',
    goal: 'reported',
    limit:
      'A range of the paths and the trigram index answer, so the call itself remains; the peers walk all paths or read all files.',
    async run(context) {
      const loaded = await loadAll(context)
      const needles = loaded.files.filter(([, text]) => text.includes(NEEDLE)).length
      return [
        ...(await compare(context, loaded, {
          tool: 'find_files',
          args: { root: '/package-1/part-0', pattern: 'module-100.*', glob: true },
          markers: ['module-100.', 'module-100.'],
        })),
        ...(await compare(context, loaded, {
          tool: 'search_files',
          args: { pattern: NEEDLE },
          markers: [`"total_matches":${needles},`, `\\"total\\":${needles},`],
        })),
      ]
    },
  },
]

function compareLoading({ times, shell, computer, files }: Loaded): Figure[] {
  const count = files.length.toLocaleString('en-US')
  const common = {
    work: `import of ${count} source files`,
    unit: 'ms' as Unit,
    edgewise: times.edgewise,
  }
  const peer = (title: string, value: number): Figure => ({
    ...common,
    baseline: { name: `${title}, in batches of 100`, value },
    goal: { ratioAtMost: 0.7 },
  })
  return [
    peer(shell.title, times.shell),
    peer(computer.title, times.computer),
    { ...common, baseline: { name: 'tar and sync', value: times.tar } },
  ]
}

async function compare(
  { scale: { rounds, requests } }: Context,
  { product, shell, computer, files }: Loaded,
  { tool, args, markers: [ours, theirs] }: Question,
): Promise<Figure[]> {
  const target = (port: number, marker: string): Target => {
    return { name: tool, port, marker, request: () => toolCall(modern, tool, args) }
  }
  const measured = await interleave(rounds, {
    edgewise: () => latency(target(product.port, ours), requests),
    shell: () => latency(target(shell.server.port, theirs), requests),
    computer: () => latency(target(computer.server.port, theirs), requests),
  })
  const common = {
    work: `${tool} in ${files.length.toLocaleString('en-US')} source files`,
    unit: 'ms' as Unit,
    edgewise: measured.edgewise,
  }
  return [
    { ...common, baseline: { name: shell.title, value: measured.shell } },
    { ...common, baseline: { name: computer.title, value: measured.computer } },
  ]
}

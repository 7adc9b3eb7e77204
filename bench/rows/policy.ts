/**
 * The same call with a policy of fifty entries and without, for a call that reads one file and for
 * one that visits many names.
 *
 * @module
 */

import { throughput, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, toolCall, type Params } from '../wire.ts'
import type { Server } from '../workerd.ts'

const POLICY = {
  roots: [
    {
      path: '/',
      deny: Array.from({ length: 25 }, (_, index) => `private-${index}/**`),
      immutable: Array.from({ length: 25 }, (_, index) => `**/*.lock${index}`),
    },
  ],
}
const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const FILES = 200

/** The row of the policy. */
export const rows: Row[] = [
  {
    name: 'policy',
    goal: 'at most 1.2 times the time of the same call',
    limit: 'The policy is compiled once; each path is then matched by one automaton.',
    tried:
      'All patterns of a list are one automaton, and what a folder leaves of them is cached. Two more runs of this row alone, of the same code, had 1.06 and 1.07 for reads, and 1.24 and 1.18 for finds.',
    async run(context) {
      const server = await context.product('policy')
      for (let file = 0; file < FILES; file++)
        await put(server, `/files/bench/f${file}.txt`, `${LINE.repeat(62)}the-last-words\n`)
      return [
        await compare(context, server, 'read_file', { path: 'bench/f0.txt' }, 'the-last-words'),
        await compare(context, server, 'find_files', { root: 'bench' }, 'f99.txt'),
      ]
    },
  },
]

async function compare(
  { scale: { rounds, seconds } }: Context,
  { port }: Server,
  name: string,
  args: Params,
  marker: string,
) {
  const target = (meta?: Params): Target => ({
    name,
    port,
    marker,
    request: () => toolCall(modern, name, args, meta),
  })
  const measured = await interleave(rounds, {
    with: () => throughput(target({ policy: POLICY }), seconds),
    without: () => throughput(target(), seconds),
  })
  return {
    work: `${name} with a policy of 50 entries`,
    unit: 'ms' as const,
    edgewise: 1000 / measured.with,
    baseline: { name: 'without a policy', value: 1000 / measured.without },
    goal: { ratioAtMost: 1.2 },
  }
}

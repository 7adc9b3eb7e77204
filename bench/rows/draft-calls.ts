/**
 * Calls of an agent with 1,000 changes that wait for approval, beside the same calls where they are applied.
 *
 * Two processes hold the same files and get the same changes; in one of them the rules hold each change. Half of
 * the files are changed, so reading and searching go through both layers.
 *
 * @module
 */

import { globSync, readFileSync } from 'node:fs'
import { createWrites, holdChanges, sendAll, textOf } from '../drafts.ts'
import type { Figure } from '../../scripts/figure.ts'
import { latency, throughput, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { archive, NEEDLE, sourceTree } from '../tree.ts'
import { importTar, put, waitForIndex } from '../upload.ts'
import { modern, toolCall, type Params } from '../wire.ts'
import type { Server } from '../workerd.ts'

/** Files of the tree; about half of them are changed. */
const FILES = 2_000

interface Pair {
  /** The changes wait. */
  readonly held: Server
  /** The changes are applied. */
  readonly plain: Server
}

interface Work {
  readonly name: string
  readonly tool: string
  readonly args: Params
  readonly marker: string
  readonly limit: number
  /** What limits it. */
  readonly why: string
  /** What was done to meet the goal, where it was missed. */
  readonly tried?: string
}

const WORKS: readonly Work[] = [
  {
    name: 'read_file, unchanged file',
    tool: 'read_file',
    args: { path: 'small.txt' },
    marker: 'the-last-words',
    limit: 1.2,
    why: 'The path is looked up in the draft first.',
  },
  {
    name: 'read_file, changed file',
    tool: 'read_file',
    args: { path: 'changed.txt' },
    marker: 'the-last-words',
    limit: 1.2,
    tried:
      'The store of a draft keeps entries in memory, as that of the workspace does, and shares its cache of content.',
    why: 'The path is looked up in the draft, and then in no other layer; the rest is the call.',
  },
  {
    name: 'find_files in one folder',
    tool: 'find_files',
    args: { root: 'package-1', pattern: '*.ts', glob: true },
    marker: '.ts',
    limit: 1.5,
    why: 'Two sorted lists of paths are merged.',
  },
  {
    name: 'search_files, rare literal',
    tool: 'search_files',
    args: { pattern: NEEDLE },
    marker: '"total_matches":2,',
    limit: 1.5,
    why: 'The index answers for both layers.',
  },
  {
    name: 'search_files, common literal',
    tool: 'search_files',
    args: { pattern: 'return' },
    marker: '"total_matches":',
    limit: 1.5,
    why: 'All files are read, those of the draft from their own table.',
  },
]

/** The rows of calls with a draft. */
export const rows: Row[] = [
  ...WORKS.map((work) => ({
    name: `draft-${work.name.replaceAll(/[ ,]+/g, '-')}`,
    goal: `at most ${work.limit} times the time without a draft`,
    limit: work.why,
    ...(work.tried !== undefined && { tried: work.tried }),
    run: (context: Context) => compare(context, work),
  })),
  {
    name: 'draft-write',
    goal: 'at most 1.3 times a write that is applied',
    limit:
      'The rows of a write, in the tables of the draft, and further ones: the call, which repeats the content, because an approval plans it again; the counts of the draft; and the end of the audit log, which the row of an applied change contains.',
    tried:
      'An alarm after a second instead of 0.2, so that texts are indexed in larger batches, changed nothing: 1.26 to 1.38 × in two runs each way. Nor did 20 statements in place of 24.',
    run: compareWrites,
  },
]

const pairs = new WeakMap<Context, Promise<Pair>>()

function pairOf(context: Context): Promise<Pair> {
  const pair = pairs.get(context) ?? openPair(context)
  pairs.set(context, pair)
  return pair
}

async function openPair(context: Context): Promise<Pair> {
  const [held, plain] = [await context.product('held'), await context.product('plain')]
  for (const server of [held, plain]) {
    await importTar(server, archive(sourceTree(FILES)))
    for (const name of ['small', 'changed']) await put(server, `/files/${name}.txt`, textOf(0))
  }
  await holdChanges(held)
  for (const server of [held, plain]) {
    const folder = sourceTree(FILES)
    const paths = globSync('**/*.*', { cwd: folder }).toSorted()
    const half = paths.filter((_, index) => index % 2 === 0).slice(1)
    await sendAll(server, [
      toolCall(modern, 'write_file', { path: 'changed.txt', content: textOf(1) }),
      ...half.map((path) => {
        const content = `${readFileSync(`${folder}/${path}`, 'utf8')}// changed\n`
        return toolCall(modern, 'write_file', { path, content })
      }),
    ])
    await waitForIndex(server)
  }
  return { held, plain }
}

async function compare(
  context: Context,
  { name, tool, args, marker, limit }: Work,
): Promise<Figure[]> {
  const { held, plain } = await pairOf(context)
  const { rounds, seconds } = context.scale
  const target = ({ port }: Server): Target => {
    return { name: tool, port, marker, request: () => toolCall(modern, tool, args) }
  }
  const measured = await interleave(rounds, {
    edgewise: () => throughput(target(held), seconds),
    baseline: () => throughput(target(plain), seconds),
  })
  return [
    {
      work: `${name}, with a draft of 1,000 changes`,
      unit: 'ms',
      edgewise: 1000 / measured.edgewise,
      baseline: { name: 'the same files without a draft', value: 1000 / measured.baseline },
      goal: { ratioAtMost: limit },
    },
  ]
}

async function compareWrites(context: Context): Promise<Figure[]> {
  const { held, plain } = await pairOf(context)
  const { rounds, requests } = context.scale
  const [waiting, applied] = [createWrites(held, 'written'), createWrites(plain, 'written')]
  const measured = await interleave(rounds, {
    edgewise: () => latency(waiting, requests),
    baseline: () => latency(applied, requests),
  })
  return [
    {
      work: 'write_file, 4 KiB, into a draft of 1,000 changes',
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: 'a write that is applied', value: measured.baseline },
      goal: { ratioAtMost: 1.3 },
    },
  ]
}

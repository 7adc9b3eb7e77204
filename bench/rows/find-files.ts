/**
 * A page of 200 paths that match a glob, in one folder and in the whole workspace, against fd on
 * the same files on disk and against a scan of a table in a Durable Object.
 *
 * @module
 */

import type { Figure } from '../../scripts/figure.ts'
import { encodeRequest } from '../http.ts'
import { latency, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import { findProgram, run } from '../program.ts'
import type { Context, Row } from '../row.ts'
import { archive, pathsOf, pathTree } from '../tree.ts'
import { importTar, put, waitForIndex } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

interface Query {
  readonly name: string
  readonly root: string
  readonly pattern: string
  /** The same pattern for the whole path; `marker` is a part of every correct response. */
  readonly scan: string
  readonly marker: string
  /** What limits it. */
  readonly limit: string
}

const PAGE = 200
const FEW = 1_000
const ROOTED: Query = {
  name: 'below one folder',
  root: 'folder-1',
  pattern: '*.ts',
  scan: 'folder-1/*.ts',
  marker: 'part-0/file-502.ts',
  limit: 'The call, and a page of 200 paths as text and as structured content.',
}
const COMMON: Query = {
  name: 'everywhere, common',
  root: '.',
  pattern: '*.ts',
  scan: '*.ts',
  marker: 'folder-0/part-0/file-2.ts',
  limit: 'The call, and a page of 200 paths as text and as structured content.',
}
const RARE: Query = {
  name: 'everywhere, rare',
  root: '.',
  pattern: 'rare-*.md',
  scan: '*/rare-*.md',
  marker: 'folder-1/part-0/rare-500.md',
  limit:
    'The index of names selects blocks of about 100 paths, which are read and matched until the page is full.',
}

const imported = new WeakMap<Context, Map<number, Promise<Server>>>()

/** The rows of `find_files`. */
export const rows: Row[] = [
  ...[ROOTED, COMMON, RARE].map((query) => ({
    name: `find_files-${query.name.replaceAll(/[ ,]+/g, '-')}`,
    goal: 'a page of 200 under 50 ms',
    limit: query.limit,
    run: (context: Context) => compare(context, query),
  })),
  {
    name: 'find_files-flat',
    goal: 'below one folder as fast in 100,000 files as in 1,000',
    limit: 'The paths of one folder are a range of the table, so the other files are not read.',
    run: compareSizes,
  },
]

async function compare(context: Context, query: Query): Promise<Figure[]> {
  const { rounds, requests, manyFiles } = context.scale
  const ours = target(await withPaths(context, manyFiles), query)
  const table = scan(await scanOf(context, manyFiles), query)
  const folder = `${pathTree(manyFiles)}/${query.root}`
  const measured = await interleave(rounds, {
    edgewise: () => latency(ours, requests),
    table: () => latency(table, requests),
    fd: async () => (await fd(query, folder))?.milliseconds ?? 0,
  })
  const work = `find_files ${query.name}, ${manyFiles.toLocaleString('en-US')} files`
  const common = { work, unit: 'ms', edgewise: measured.edgewise } as const
  const absent = { name: 'fd not installed', value: null }
  return [
    {
      ...common,
      baseline: { name: 'scan of a table', value: measured.table },
      goal: { under: 50 },
    },
    { ...common, baseline: program ? { name: 'fd', value: measured.fd } : absent },
  ]
}

async function compareSizes(context: Context): Promise<Figure[]> {
  const { rounds, requests, manyFiles } = context.scale
  const few = target(await withPaths(context, FEW), ROOTED)
  const many = target(await withPaths(context, manyFiles), ROOTED)
  const measured = await interleave(rounds, {
    edgewise: () => latency(many, requests),
    few: () => latency(few, requests),
  })
  const work = `find_files ${ROOTED.name}, ${manyFiles.toLocaleString('en-US')} files`
  const baseline = { name: `in ${FEW.toLocaleString('en-US')} files`, value: measured.few }
  return [{ work, unit: 'ms', edgewise: measured.edgewise, baseline, goal: { ratioAtMost: 1.25 } }]
}

function target({ port }: Server, { root, pattern, marker }: Query): Target {
  const args = { pattern, root, glob: true, limit: PAGE }
  const request = () => toolCall(modern, 'find_files', args)
  return { name: 'Edgewise', port, request, marker }
}

function scan({ port }: Server, query: Query): Target {
  const request = encodeRequest({ method: 'POST', path: '/', headers: {} }, query.scan)
  return { name: 'scan', port, request: () => request, marker: query.marker }
}

function withPaths(context: Context, files: number): Promise<Server> {
  const known = imported.get(context) ?? new Map<number, Promise<Server>>()
  imported.set(context, known)
  const server = known.get(files) ?? importPaths(context, files)
  known.set(files, server)
  return server
}

async function importPaths(context: Context, files: number): Promise<Server> {
  const server = await context.product(`paths-${files}`)
  await importTar(server, archive(pathTree(files)))
  await waitForIndex(server)
  return server
}

const filled = new WeakSet<Server>()

async function scanOf(context: Context, files: number): Promise<Server> {
  const server = await context.baseline('scan')
  if (!filled.has(server)) await put(server, '/', pathsOf(files).join('\n'))
  filled.add(server)
  return server
}

const program = findProgram('fd', 'fdfind')

async function fd({ pattern }: Query, folder: string) {
  const options = ['--no-ignore', '--type', 'file', '--glob']
  return program === null ? null : run(program, [...options, pattern, folder], PAGE)
}

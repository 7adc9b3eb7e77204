/**
 * The same work in workspaces of 1,000 to 1,000,000 files: what concerns one folder or one file must not become slower,
 * and the rest is drawn as it grows.
 *
 * @module
 */

import { latency, once, type Target } from '../load.ts'
import {
  FOLDER_FILES,
  NEEDLE,
  NEEDLE_FILES,
  oneFolder,
  pathOf,
  RARE_FOLDER,
  RARE_NAME,
} from '../many-files.ts'
import type { Figure, Goal } from '../../scripts/figure.ts'
import { interleave, median } from '../median.ts'
import { below, seeded } from '../random.ts'
import type { Context, Row } from '../row.ts'
import { allScaled, type Scaled } from '../scaled.ts'
import { importTar } from '../upload.ts'
import { modern, toolCall, type Params } from '../wire.ts'

/** One kind of work, measured in each size. */
interface Work {
  readonly name: string
  readonly work: string
  readonly goal?: Goal
  /** What limits it. */
  readonly limit: string
  /** What was done where it missed its goal. */
  readonly tried?: string
  /** Returns the tool and the arguments of the next call. */
  readonly next: (files: number) => readonly [tool: string, args: Params]
  /** A part of every correct response. */
  readonly marker: string
}

const FLAT: Goal = { ratioAtMost: 1.3 }
const PAGE = 200
const CONTENT = 'const answer = compute(question) // 64 characters with a newline\n'.repeat(63)
const random = seeded(16)
let written = 0

const WORK: readonly Work[] = [
  {
    name: 'find-rooted',
    work: 'find_files below one folder',
    goal: FLAT,
    limit:
      'The call, and a page of 200 paths as text and as structured content; the paths of a folder are a range of the table.',
    next: () => ['find_files', { pattern: '*.ts', root: RARE_FOLDER, glob: true, limit: PAGE }],
    marker: `"count":${PAGE}`,
  },
  {
    name: 'find-common',
    work: 'find_files everywhere, common name',
    goal: FLAT,
    limit:
      'The call, and a page of 200 paths as text and as structured content; reading ends where the page is full.',
    next: () => ['find_files', { pattern: '*.ts', root: '.', glob: true, limit: PAGE }],
    marker: `"count":${PAGE}`,
  },
  {
    name: 'find-rare',
    work: 'find_files everywhere, rare name',
    goal: FLAT,
    limit:
      'The call, and the blocks of names that the index selects or that still wait; the smallest workspace has no index and reads all names.',
    tried:
      'An index of names in blocks, merged into few segments, decision 25: before it, SQLite compared every name.',
    next: () => ['find_files', { pattern: RARE_NAME, root: '.', glob: true, limit: PAGE }],
    marker: `"count":1,`,
  },
  {
    name: 'find-regex',
    work: 'find_files everywhere, rare name, regex',
    limit:
      'The same, by the literal part of the regex; without one of three characters, each name would be read and matched.',
    next: () => ['find_files', { pattern: '^rarely-\\w+', root: '.', limit: PAGE }],
    marker: `"count":1,`,
  },
  {
    name: 'list',
    work: 'list_folder, 100 files',
    goal: FLAT,
    limit:
      'The call, and 100 entries as text and as structured content; the paths of a folder are a range of the table.',
    next: () => ['list_folder', { path: `${RARE_FOLDER}/part-1` }],
    marker: '"entries"',
  },
  {
    name: 'stat',
    work: 'metadata of a random file',
    goal: FLAT,
    limit:
      'The call, and a few lookups by key; a larger workspace has more pages, so fewer of them are in memory.',
    tried: 'Lookups by key alone: 1.06, 1.28 and 1.33 × in three runs.',
    next: (files) => ['file_history', { path: pathOf(below(random, files)), limit: 1 }],
    marker: '"versions":[{',
  },
  {
    name: 'read',
    work: 'read_file, a random file',
    limit: 'The call, and two lookups by key where the cache misses.',
    next: (files) => ['read_file', { path: pathOf(below(random, files)) }],
    marker: 'export function',
  },
  {
    name: 'write',
    work: 'write_file, 4 KiB, a new file',
    goal: FLAT,
    limit:
      'The rows of a write, and their pages: a larger workspace has more pages, so fewer of them are in memory.',
    next: () => {
      const path = `written/file-${++written}.ts`
      return ['write_file', { path, content: `${CONTENT}${written}\n` }]
    },
    marker: '"version":',
  },
  {
    name: 'search-literal',
    work: 'search_files, rare literal',
    limit: 'The call: the trigram index names the files to read.',
    next: () => ['search_files', { pattern: NEEDLE }],
    marker: `"total_files":${NEEDLE_FILES},`,
  },
  {
    name: 'search-regex',
    work: 'search_files, regex with a rare literal',
    limit: 'The call: the trigram index names the files to read by the literal part.',
    next: () => ['search_files', { pattern: `const ${NEEDLE.slice(0, 8)}\\w+ = \\d` }],
    marker: `"total_files":${NEEDLE_FILES},`,
  },
  {
    name: 'search-rooted',
    work: 'search_files below one folder, common literal',
    limit:
      'The 500 files of the folder are read and searched; the index is asked only for texts between the first and the last of them.',
    next: () => ['search_files', { pattern: 'question', root: RARE_FOLDER }],
    marker: `"total_files":${FOLDER_FILES},`,
  },
  {
    name: 'search-common',
    work: 'search_files everywhere, common literal',
    limit:
      'The index lists every text with the word; then each of these files is read and its matches are counted.',
    next: () => ['search_files', { pattern: 'compute' }],
    marker: '"total_files":',
  },
]

/** The rows of the sizes. */
export const rows: Row[] = [
  {
    name: 'scale-load',
    goal: 'reported',
    limit:
      'The rows of each file, and their pages; then FTS5 cuts each text into trigrams and merges its tables.',
    run: loading,
  },
  ...WORK.map((work) => ({
    name: `scale-${work.name}`,
    goal: work.goal ? 'at most 1.3 times the time in the smallest size' : 'reported',
    limit: work.limit,
    ...(work.tried !== undefined && { tried: work.tried }),
    run: (context: Context) => compareSizes(context, work),
  })),
  {
    name: 'scale-delete',
    goal: 'reported',
    limit: 'Each file gets a version that says that it is deleted, in one transaction.',
    run: deleteFolder,
  },
]

async function compareSizes(context: Context, work: Work): Promise<Figure[]> {
  const { rounds, requests } = context.scale
  const sizes = await allScaled(context)
  const measured = await interleave(
    rounds,
    byFiles(sizes, (size) => () => latency(target(size, work), requests)),
  )
  const curve = sizes.map(({ files }) => ({ files, value: measured[files] ?? 0 }))
  return [figure(work.work, curve, work.goal)]
}

function target({ server, treeFiles }: Scaled, { next, marker }: Work): Target {
  const request = () => {
    const [tool, args] = next(treeFiles)
    return toolCall(modern, tool, args)
  }
  return { name: 'Edgewise', port: server.port, request, marker }
}

/** The time per 1,000 files, so that sizes can be compared. */
async function loading(context: Context): Promise<Figure[]> {
  const sizes = await allScaled(context)
  const per = (total: (size: Scaled) => number) =>
    sizes.map((size) => ({ files: size.files, value: (total(size) / size.treeFiles) * 1000 }))
  return [
    figure(
      'import of 1,000 files',
      per((size) => size.importMs),
    ),
    figure(
      'indexing of 1,000 files',
      per((size) => size.indexMs),
    ),
  ]
}

const DELETED_FILES = 10_000
const DELETIONS = 3

/** A folder can be deleted only once, so it is imported before each measurement. */
async function deleteFolder(context: Context): Promise<Figure[]> {
  const sizes = await allScaled(context)
  const curve = []
  for (const { server, files } of sizes) {
    const times: number[] = []
    for (let time = 0; time < Math.min(DELETIONS, context.scale.rounds); time++) {
      await importTar(server, oneFolder('doomed', DELETED_FILES))
      const request = toolCall(modern, 'delete_file', { path: 'doomed' })
      const start = performance.now()
      await once({ name: 'Edgewise', port: server.port, request: () => request, marker: FILES })
      times.push(performance.now() - start)
    }
    curve.push({ files, value: median(times) })
  }
  return [figure('delete_file, a folder of 10,000 files', curve)]
}

const FILES = `"files":${DELETED_FILES}`

function byFiles<T>(sizes: readonly Scaled[], value: (size: Scaled) => T): Record<number, T> {
  return Object.fromEntries(sizes.map((size) => [size.files, value(size)]))
}

function figure(work: string, curve: NonNullable<Figure['curve']>, goal?: Goal): Figure {
  const [first, last] = [curve[0], curve.at(-1)]
  if (!first || !last) throw new RangeError('There is no size to measure')
  return {
    work: `${work}, ${count(last.files)} files`,
    unit: 'ms',
    edgewise: last.value,
    baseline: { name: `in ${count(first.files)} files`, value: first.value },
    ...(goal && { goal }),
    curve,
  }
}

const count = (files: number) => files.toLocaleString('en-US')

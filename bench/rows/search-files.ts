/**
 * Searching 100 MB in 10,000 files, against ripgrep on the same files on disk. Both have to find
 * the same number of lines.
 *
 * @module
 */

import type { Figure } from '../../scripts/figure.ts'
import { latency, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import { countLines, ripgrep, timeOnce } from '../ripgrep.ts'
import type { Context, Row } from '../row.ts'
import { archive, NEEDLE, sourceTree } from '../tree.ts'
import { importTar, waitForIndex } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

interface Pattern {
  readonly name: string
  readonly text: string
  /** Largest allowed ratio to the time of ripgrep. */
  readonly limit: number
  /** What limits it. */
  readonly why: string
  /** What was done where it missed its goal. */
  readonly tried?: string
}

const INDEXED = 'The trigram index names the files to read, so the call itself remains.'
const EVERY_FILE =
  'Almost every file contains it, so one thread reads 100 MB from SQLite, scans them and counts the lines; ripgrep uses all cores.'
const READ_TOGETHER =
  'Small content is read with the rows of its files, 64 at a time, and not by a query for each; a plain text is found natively and compared in place.'
const EVERY_LINE =
  'The index cannot help, and re2js reads about 150 MB a second on one thread; ripgrep uses all cores.'

const PATTERNS: readonly Pattern[] = [
  { name: 'rare literal', text: NEEDLE, limit: 2, why: INDEXED },
  { name: 'common literal', text: 'return', limit: 1, why: EVERY_FILE, tried: READ_TOGETHER },
  {
    name: 'regex with a literal',
    text: `const ${NEEDLE.slice(0, 8)}\\w+ = \\d`,
    limit: 10,
    why: INDEXED,
  },
  {
    name: 'regex with alternatives',
    text: `(${NEEDLE}|dead[0-9]beef)`,
    limit: 10,
    why: EVERY_LINE,
  },
  {
    name: 'regex without a literal',
    text: '[a-z]{9}\\([a-z]{4}, \\d{3}\\)',
    limit: 10,
    why: EVERY_LINE,
  },
  { name: 'regex that matches nothing', text: '[0-9]{5}[A-Z]{5}', limit: 10, why: EVERY_LINE },
  { name: 'common regex', text: '\\w+ === .\\w+', limit: 10, why: EVERY_LINE },
]

const imported = new WeakMap<Context, Promise<Searched>>()

interface Searched {
  readonly server: Server
  readonly folder: string
  /** Milliseconds of a rare search right after the import. */
  readonly cold: number
}

/** The rows of `search_files`. */
export const rows: Row[] = [
  {
    name: 'search_files-cold',
    goal: 'at most three times ripgrep',
    limit:
      'Nothing is indexed yet, so one thread reads 100 MB from SQLite and scans them; ripgrep uses all cores.',
    tried: `${READ_TOGETHER} What is in memory is searched without a promise for each text, indexing pauses from the beginning of the call, and a rare character of the text is looked for first.`,
    async run(context) {
      const { cold, folder } = await searched(context)
      const work = 'search_files right after the import, rare literal'
      const baseline = await timeOnce(NEEDLE, folder)
      return [{ work, unit: 'ms', edgewise: cold, baseline, goal: { ratioAtMost: 3 } }]
    },
  },
  ...PATTERNS.map((pattern) => ({
    name: `search_files-${pattern.name.replaceAll(' ', '-')}`,
    goal: `at most ${pattern.limit} times ripgrep`,
    limit: pattern.why,
    ...(pattern.tried !== undefined && { tried: pattern.tried }),
    run: (context: Context) => compare(context, pattern),
  })),
]

async function compare(context: Context, pattern: Pattern): Promise<Figure[]> {
  const { server, folder } = await searched(context)
  await waitForIndex(server)
  const { name, value: lines } = await countLines(pattern.text, folder)
  const ours = target(server, pattern.text, lines)
  const { rounds, requests } = context.scale
  const { edgewise, other } = await interleave(rounds, {
    edgewise: () => latency(ours, requests),
    other: async () => (await ripgrep(pattern.text, folder))?.milliseconds ?? 0,
  })
  const baseline = { name, value: lines === null ? null : other }
  const work = `search_files, ${pattern.name}`
  return [{ work, unit: 'ms', edgewise, baseline, goal: { ratioAtMost: pattern.limit } }]
}

function target({ port }: Server, pattern: string, lines: number | null): Target {
  const request = () => toolCall(modern, 'search_files', { pattern })
  const marker = lines === null ? '"total_matches":' : `"total_matches":${lines},`
  return { name: 'Edgewise', port, request, marker }
}

function searched(context: Context): Promise<Searched> {
  const known = imported.get(context) ?? importTree(context)
  imported.set(context, known)
  return known
}

async function importTree(context: Context): Promise<Searched> {
  const folder = sourceTree(context.scale.treeFiles)
  const server = await context.product('search')
  await importTar(server, archive(folder))
  const { value } = await countLines(NEEDLE, folder)
  return { server, folder, cold: await latency(target(server, NEEDLE, value), 1) }
}

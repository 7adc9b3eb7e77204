/**
 * The heap of the isolate in workspaces of 1,000 to 1,000,000 files, idle, under 1,000 streams, and at its largest during
 * an import and searches. Cloudflare ends an isolate that uses more than 128 MB.
 *
 * @module
 */

import type { Figure } from '../../scripts/figure.ts'
import { once } from '../load.ts'
import { NEEDLE, pathOf } from '../many-files.ts'
import type { Context, Row } from '../row.ts'
import { allScaled, scaled, type Scaled } from '../scaled.ts'
import { openStreams } from '../streams.ts'
import { modern, toolCall, type Params } from '../wire.ts'

const LIMIT = { name: 'limit of an isolate', value: 128 }
const GOAL = { under: 64 }
const MB = 1_000_000
const STREAMS = 1_000

/** The rows of memory. */
export const rows: Row[] = [
  {
    name: 'memory-idle',
    goal: 'under 64 MB',
    limit: 'The code of the Worker, and the caches of entries and content, which have a maximum.',
    run: idle,
  },
  {
    name: 'memory-streams',
    goal: 'under 64 MB',
    limit: 'Each stream keeps its response open, and its connection in the front Worker.',
    run: withStreams,
  },
  {
    name: 'memory-peak',
    goal: 'under 64 MB',
    limit:
      'Garbage counts until V8 collects it: pieces of the archive, names and texts that were read once.',
    tried:
      'Archives in pieces, pages of rows, and a set of bits for candidates: 172 to 309 MB before. The import of a million files took 60, 62 and 70 MB in three runs. The slow tests import 100,000 into a heap that may not exceed 128 MiB.',
    run: peaks,
  },
]

async function idle(context: Context): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of await allScaled(context)) {
    await call(size, 'search_files', { pattern: NEEDLE })
    figures.push(figure('heap', size, await used(size)))
  }
  return figures
}

/** Each stream listens to another file, and a change is published to all of them. */
async function withStreams(context: Context): Promise<Figure[]> {
  const size = await largest(context)
  const uris = Array.from({ length: STREAMS }, (_, file) => `file:///${pathOf(file)}`)
  const streams = await openStreams(size.server, uris)
  await call(size, 'write_file', { path: pathOf(1), content: 'export function changed() {}\n' })
  const bytes = await used(size)
  streams.close()
  return [figure('heap with 1,000 streams', size, bytes)]
}

/** Garbage counts here, because it counts for the limit until it is collected. */
async function peaks(context: Context): Promise<Figure[]> {
  const size = await largest(context)
  const { inspector } = size
  const during = (tool: string, args: Params) => inspector.measurePeak(() => call(size, tool, args))
  const sizes = await allScaled(context)
  return [
    ...sizes.map((one) => figure('largest heap of an import', one, one.importPeak)),
    figure(
      'largest heap of find_files everywhere, rare name',
      size,
      await during('find_files', { pattern: 'rarely-*', glob: true }),
    ),
    figure(
      'largest heap of search_files, rare literal',
      size,
      await during('search_files', { pattern: NEEDLE }),
    ),
    figure(
      'largest heap of search_files, common literal',
      size,
      await during('search_files', { pattern: 'compute' }),
    ),
  ]
}

const largest = (context: Context) => scaled(context, context.scale.sizes.at(-1) ?? 0)

async function used({ inspector }: Scaled): Promise<number> {
  const { heap, buffers } = await inspector.measureHeap()
  return heap + buffers
}

function call({ server }: Scaled, tool: string, args: Params) {
  const request = () => toolCall(modern, tool, args)
  return once({ name: 'Edgewise', port: server.port, request, marker: '"result"' })
}

function figure(what: string, { files }: Scaled, bytes: number): Figure {
  const work = `${what}, ${files.toLocaleString('en-US')} files`
  return { work, unit: 'MB', edgewise: bytes / MB, baseline: LIMIT, goal: GOAL }
}

/** `search_files`: finds lines that match a regular expression, as ripgrep does. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import {
  MAX_CONTEXT_LINES,
  MAX_GLOBS,
  MAX_SEARCH_FILE_BYTES,
  MAX_SEARCH_MS,
  MAX_SEARCH_SCAN_BYTES,
  MAX_SEARCH_STEPS,
} from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { createFilter, type Filter } from '../search/filter.ts'
import type { Candidates } from '../search/candidates.ts'
import { findHits, showHits, type Hits } from '../search/grep.ts'
import { loadCompilePattern } from '../search/load.ts'
import type { Meter } from '../search/meter.ts'
import type { Pattern } from '../search/pattern.ts'
import { requiredTrigrams, toMatchQuery } from '../search/trigrams.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { createMatches, type Matches } from './lib/matches.ts'
import { defineRead, readingFolder, type Answer, type ToolContext } from './lib/tool.ts'

const context = z.int().min(0).max(MAX_CONTEXT_LINES)

const input = z.strictObject({
  pattern: wellFormed.min(1).describe('Regular expression (RE2 syntax), matched line by line'),
  root: path.optional().describe('A folder, or one file'),
  glob: z
    .array(wellFormed)
    .max(MAX_GLOBS)
    .default([])
    .describe('Only files that match; with ! only others'),
  case_sensitive: z.union([z.boolean(), z.literal('auto')]).default('auto'),
  before_context: context.optional(),
  after_context: context.optional(),
  context: context.optional().describe('Lines before and after each match'),
  hidden: z.boolean().default(false).describe('Include names that start with a dot'),
})

type Input = z.infer<typeof input>

/** Searches the index for candidates, then each file line by line. */
export const searchFiles = defineRead({
  name: 'search_files',
  title: 'Search in files',
  description:
    'Search lines of text files with a regular expression. Case-sensitive if the pattern has a capital ' +
    'letter. A result that is too large loses its context first, then shows only counts.',
  intent:
    'Search for {pattern} [in {root}] [with glob {glob}] [context {context}] [before {before_context}] [after {after_context}]',
  approval: 'none',
  view: 'files',
  cancellable: true,
  input: () => input,
  output: () =>
    z.object({
      files: z.array(
        z.object({
          path: z.string(),
          matches: z.array(z.string()).optional(),
          count: z.int().optional(),
        }),
      ),
      pattern: z.string(),
      root: z.string(),
      count: z.int(),
      total_files: z.int(),
      total_matches: z.int(),
      truncated: z.boolean(),
      mode: z.enum(['full', 'reduced', 'summary']),
      skipped: z.int().optional(),
    }),

  touches: ({ root }) => [readingFolder(root ?? '.')],

  // Indexing pauses from the beginning, also while the engine is loaded.
  read: (query, [root], toolContext) =>
    toolContext.search.first(() => runSearch(query, root, toolContext)),
})

async function runSearch(
  query: Input,
  root: StorePath,
  toolContext: ToolContext,
): Promise<Result<Answer, Problem>> {
  const compilePattern = await loadCompilePattern()
  const pattern = compilePattern(query.pattern, { case: query.case_sensitive })
  if (!pattern.ok)
    return err({ reason: 'bad_argument', code: 'INVALID_PATTERN', detail: pattern.error })
  const files = filesToSearch(query, root, pattern.value, toolContext)
  if (!files.ok) return files

  const { config } = toolContext
  const found = createMatches(config.search_max_bytes, config.search_summary_top)
  const turns = createTurns(files.value.count, toolContext)
  const run = { query, root, pattern: pattern.value, found, context: toolContext, turns }
  const skipped = await searchAll(files.value, run)
  if (!skipped.ok) return skipped
  const { structured, text } = found.end(skipped.value, MAX_SEARCH_FILE_BYTES)
  const shown = displayPath(root, defaultRoot(config))
  return ok({ text, structured: { pattern: query.pattern, root: shown, ...structured } })
}

/** The files that may contain a match, and the filter of names. */
interface Chosen extends Candidates {
  readonly filter: Filter
}

function filesToSearch(
  query: Input,
  root: StorePath,
  pattern: Pattern,
  { store, search }: ToolContext,
): Result<Chosen, Problem> {
  const filter = createFilter({ hidden: query.hidden, exclude: [], include: query.glob })
  if (!filter.ok) return filter
  const entry = store.stat(root)
  if (!entry) return err({ reason: 'not_found', path: root })
  if (entry.type === 'file') return ok({ files: [entry], count: 1, filter: () => true })

  const trigrams = requiredTrigrams(pattern)
  const candidates = search.candidates(root, trigrams ? toMatchQuery(trigrams) : null)
  return ok({ ...candidates, filter: filter.value })
}

/** Bytes searched before other requests get a turn; the size doubles while turns are short. */
const TURN_BYTES = { first: 256 * 1024, most: 8 * 1024 * 1024 }
const TURN_MS = 20

/** Steps after which other requests get a turn, about a fifth of a second; one line must not take more. */
const TURN_STEPS = 4_000_000

/** One run of the search: what is searched for, and what was found. */
interface SearchRun {
  readonly query: Input
  readonly root: StorePath
  readonly pattern: Pattern
  readonly found: Matches
  readonly context: ToolContext
  readonly turns: Turns
}

/** Searches all files. Returns how many were skipped because of their size. */
async function searchAll(
  { files, filter }: Chosen,
  run: SearchRun,
): Promise<Result<number, Problem>> {
  const { root, turns } = run
  const { search, config } = run.context
  let skipped = 0
  let scanned = 0
  let index = 0
  for (const file of files) {
    index++
    const relative = relativeTo(file.path, root)
    const wanted = await turns.finish(decide(filter, relative, turns.meter))
    if (!wanted.ok) return wanted
    if (!wanted.value) continue
    const fits = scanned + file.size <= MAX_SEARCH_SCAN_BYTES
    const text = fits ? await search.text(file) : null
    if (text === null) {
      skipped++
      continue
    }
    const name = relative || displayPath(root, defaultRoot(config))
    const hits = await turns.finish(searchText(text, run), tooLong(name))
    if (!hits.ok) return hits
    if (hits.value.count > 0) addHits(name, text, hits.value, run)
    scanned += file.size
    if (!(await turns.taken(file.size, index))) return err(turns.problem())
  }
  return ok(skipped)
}

/** Whether a file passes the filter; null when its name alone takes more steps than a turn has. */
function* decide(filter: Filter, name: string, meter: Meter): Work<boolean> {
  let wanted = filter(name, 'file', meter)
  if (meter.left >= 0) return wanted
  yield
  wanted = filter(name, 'file', meter)
  return meter.left < 0 ? null : wanted
}

const TOO_SLOW = `Cannot finish the search: it takes more than ${MAX_SEARCH_MS / 1000} seconds. Narrow it with root or glob, or use a simpler pattern`
const TOO_MUCH = `Cannot finish the search: the pattern or a glob takes more than ${MAX_SEARCH_STEPS} steps. Narrow it with root or glob, or use a simpler pattern`

function searchText(text: string, { pattern, turns, context: { config } }: SearchRun) {
  // Each match takes at least four bytes, so with more matches than this not all can be shown.
  const most = config.search_max_bytes > 0 ? config.search_max_bytes / 4 + 1 : Infinity
  return findHits(text, pattern, turns.meter, { maxLineBytes: config.read_max_line_bytes, most })
}

function addHits(name: string, text: string, hits: Hits, { query, found, context }: SearchRun) {
  const before = query.context ?? query.before_context ?? 0
  const after = query.context ?? query.after_context ?? 0
  found.add(name, hits.count, (mode) =>
    showHits(text, hits, {
      before: mode === 'full' ? before : 0,
      after: mode === 'full' ? after : 0,
      maxLineBytes: context.config.read_max_line_bytes,
    }),
  )
}

const tooLong = (name: string) =>
  `Cannot finish the search: a line of ${name} is too long for this pattern. Exclude the file with glob, or use a simpler pattern`

type Turns = ReturnType<typeof createTurns>

/** The clock of a Worker advances only between turns, so a slow pattern needs short turns. */
function createTurns(total: number | null, { progress, signal }: ToolContext) {
  const end = Date.now() + MAX_SEARCH_MS
  const meter: Meter = { left: TURN_STEPS }
  let steps = MAX_SEARCH_STEPS
  let length = TURN_BYTES.first
  let bytes = 0
  let searched = 0
  let reported = 0

  /** Records completed work. Returns false when the time or the steps are used up. */
  function taken(size: number, done: number): MaybePromise<boolean> {
    bytes += size
    searched = done
    return bytes < length && meter.left > 0 ? true : next()
  }

  /** Lets other requests have a turn. */
  async function next(): Promise<boolean> {
    steps -= TURN_STEPS - meter.left
    meter.left = TURN_STEPS
    bytes = 0
    const before = Date.now()
    // The value must increase with each notification (MCP, progress), and one file can take several turns.
    if (searched > reported) await progress?.(searched, total)
    reported = searched
    await scheduler.wait(0)
    signal?.throwIfAborted()
    const now = Date.now()
    if (now - before < TURN_MS) length = Math.min(length * 2, TURN_BYTES.most)
    return now < end && steps > 0
  }

  /** Runs work that comes in parts, with turns in between. */
  function finish<T>(work: Work<T>, refusal = TOO_MUCH): MaybePromise<Result<T, Problem>> {
    const { done, value } = work.next()
    return done ? resultOf(value, refusal) : finishLater(work, refusal)
  }

  async function finishLater<T>(work: Work<T>, refusal: string): Promise<Result<T, Problem>> {
    while (await next()) {
      const { done, value } = work.next()
      if (done) return resultOf(value, refusal)
    }
    return err(problem())
  }

  const problem = (): Problem => ({
    reason: 'over_budget',
    detail: steps > 0 ? TOO_SLOW : TOO_MUCH,
  })
  return { taken, finish, problem, meter }
}

function resultOf<T>(value: T | null, refusal: string): Result<T, Problem> {
  return value === null ? err({ reason: 'over_budget', detail: refusal }) : ok(value)
}

/** Yields where a turn may end; returns null when one part takes more than a turn. */
type Work<T> = Generator<undefined, T | null, undefined>

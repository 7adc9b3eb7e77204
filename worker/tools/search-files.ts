/** `search_files`: finds lines that match a regular expression, as ripgrep does. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import {
  MAX_CONTEXT_LINES,
  MAX_GLOBS,
  MAX_SEARCH_FILE_BYTES,
  MAX_SEARCH_SCAN_BYTES,
} from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import type { Candidate, Candidates } from '../search/candidates.ts'
import { createFilter, type Filter, type Verdict } from '../search/filter.ts'
import { findPage } from './lib/find-page.ts'
import { explainGlobIn } from './lib/glob-notes.ts'
import { findHits, showHits, type Hits } from '../search/grep.ts'
import { loadCompilePattern } from '../search/load.ts'
import type { Meter } from '../search/meter.ts'
import type { Pattern } from '../search/pattern.ts'
import { requiredTrigrams, toMatchQuery } from '../search/trigrams.ts'
import { hasPages, withPages } from '../search/page-lines.ts'
import { createTurns, type Turns, type Work } from '../search/turns.ts'
import type { FileEntry } from '../store/store.ts'
import { MAX_SEARCH_EXTRACTED } from '../texts/limits.ts'
import { MAX_UNIT_BYTES } from '../texts/text.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { binaryProblem, noTextProblem } from './lib/files.ts'
import { createLeftOut, type LeftOut } from './lib/left-out.ts'
import { createMatches, type MatchLines, type Matches } from './lib/matches.ts'
import { defineRead, readingFolder, type Answer, type ToolContext } from './lib/tool.ts'

const context = z.int().check(z.minimum(0), z.maximum(MAX_CONTEXT_LINES))

const input = z.strictObject({
  pattern: wellFormed.check(
    z.minLength(1),
    z.describe('Regular expression (RE2 syntax), matched line by line'),
  ),
  literal: z._default(z.boolean(), false).check(z.describe('pattern is plain text')),
  root: z.optional(path).check(z.describe('A folder, or one file')),
  glob: z
    ._default(z.array(wellFormed).check(z.maxLength(MAX_GLOBS)), [])
    .check(z.describe('Only files that match; with ! only others')),
  case_sensitive: z._default(z.union([z.boolean(), z.literal('auto')]), 'auto'),
  before_context: z.optional(context),
  after_context: z.optional(context),
  context: z.optional(context).check(z.describe('Lines before and after each match')),
  hidden: z._default(z.boolean(), false).check(z.describe('Include names that start with a dot')),
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
          matches: z.optional(z.array(z.string())),
          count: z.optional(z.int()),
        }),
      ),
      pattern: z.string(),
      root: z.string(),
      count: z.int(),
      total_files: z.int(),
      total_matches: z.int(),
      truncated: z.boolean(),
      mode: z.enum(['full', 'reduced', 'summary']),
      skipped: z.optional(z.int()),
      hidden: z.optional(z.int()),
      note: z.optional(z.string()),
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
  const pattern = await readPattern(query)
  if (!pattern.ok) return pattern
  const scope = await findScope(query, root, toolContext)
  if (!scope.ok) return scope

  const { config } = toolContext
  const found = createMatches(config.search_max_bytes, config.search_summary_top)
  const left = createLeftOut()
  const chosen = choose(scope.value, pattern.value, toolContext)
  const turns = createTurns(chosen.count, toolContext)
  const reads = { query, root, context: toolContext, turns, scanned: 0, extracted: 0 }
  const run = { ...reads, pattern: pattern.value, found, left }
  const searched = await searchAll(chosen.files, scope.value, run)
  if (!searched.ok) return searched
  const looked = await findBinaries(scope.value, run)
  if (!looked.ok) return looked
  const notes = await explain(scope.value, run)
  const { structured, text } = found.end({ left, notes })
  const shown = displayPath(root, defaultRoot(config))
  return ok({ text, structured: { pattern: query.pattern, root: shown, ...structured } })
}

async function readPattern({
  pattern: text,
  literal,
  case_sensitive,
}: Input): Promise<Result<Pattern, Problem>> {
  const compilePattern = await loadCompilePattern()
  const pattern = compilePattern(text, { case: case_sensitive, literal })
  if (pattern.ok) return pattern
  const detail = literal ? pattern.error : `${pattern.error}. For plain text, set literal to true`
  return err({ reason: 'bad_argument', code: 'INVALID_PATTERN', detail })
}

/** Where to search: one file, or the files of a folder that pass a filter. */
type Scope =
  | { readonly file: FileEntry; readonly filter: Filter }
  | { readonly folder: StorePath; readonly filter: Filter }

async function findScope(
  query: Input,
  root: StorePath,
  { store, search }: ToolContext,
): Promise<Result<Scope, Problem>> {
  const filter = createFilter({ hidden: query.hidden, exclude: [], include: query.glob })
  if (!filter.ok) return filter
  const entry = store.stat(root)
  if (!entry) return err({ reason: 'not_found', path: root })
  if (entry.type === 'folder') return ok({ folder: root, filter: filter.value })
  // A file that is named is searched, or is an error.
  const document = await store.documentText(entry)
  if (document && !document.ok) return err(noTextProblem(entry, document))
  return search.isText(entry)
    ? ok({ file: entry, filter: () => 'wanted' })
    : err(binaryProblem(entry))
}

/** Returns the files that may contain a match. */
function choose(scope: Scope, pattern: Pattern, { search }: ToolContext): Candidates {
  if ('file' in scope) return { files: [scope.file], count: 1 }
  const trigrams = requiredTrigrams(pattern)
  return search.candidates(scope.folder, trigrams ? toMatchQuery(trigrams) : null)
}

/** One run of the search: what is searched for, what was found, and what was left out. */
interface SearchRun {
  readonly query: Input
  readonly root: StorePath
  readonly pattern: Pattern
  readonly found: Matches
  readonly left: LeftOut
  readonly context: ToolContext
  readonly turns: Turns
  /** Bytes searched. */
  scanned: number
  /** Documents whose text was extracted. */
  extracted: number
}

/** Searches files, and counts those that are left out. */
async function searchAll(
  files: Iterable<Candidate>,
  { filter }: Scope,
  run: SearchRun,
): Promise<Result<null, Problem>> {
  const { turns, left } = run
  let index = 0
  for (const file of files) {
    index++
    const relative = relativeTo(file.path, run.root)
    const verdict = await turns.finish(decide(filter, relative, turns.meter))
    if (!verdict.ok) return verdict
    if (verdict.value === 'hidden') left.hidden++
    if (verdict.value !== 'wanted') continue
    const searched = await searchFile(file, nameIn(run, file), run)
    if (!searched.ok) return searched
    if (!(await turns.taken(searched.value, index))) return err(turns.problem())
  }
  return ok(null)
}

/** Searches one file. Returns the number of bytes that were searched. */
async function searchFile(
  file: Candidate,
  name: string,
  run: SearchRun,
): Promise<Result<number, Problem>> {
  const fits = run.scanned + Math.min(file.size, MAX_SEARCH_FILE_BYTES) <= MAX_SEARCH_SCAN_BYTES
  const mayExtract = () => {
    if (run.extracted === MAX_SEARCH_EXTRACTED) run.left.waiting.push(name)
    return run.extracted < MAX_SEARCH_EXTRACTED && ++run.extracted > 0
  }
  const text = fits ? await run.context.search.text(file, mayExtract) : null
  if (text === null) {
    if (file.size > MAX_SEARCH_FILE_BYTES) run.left.large.push(name)
    else run.left.unread++
    return ok(0)
  }
  const hits = await run.turns.finish(searchText(text, run), tooLong(name))
  if (!hits.ok) return hits
  if (hits.value.count > 0) addHits({ file, name, text, hits: hits.value }, run)
  else if (run.pattern.isBeyondAscii && text.includes(DAMAGED)) run.left.damaged.push(name)
  // The text of a document may be much shorter than its bytes; that of other files is not.
  const size = Math.min(file.size, MAX_UNIT_BYTES * (text.length + 1))
  run.scanned += size
  return ok(size)
}

/** What is shown, and searched, in the place of a byte that is not UTF-8. */
const DAMAGED = '\ufffd'

/** Returns the path of a file below the root; for the root itself, as it is shown. */
function nameIn({ root, context }: SearchRun, { path: place }: FileEntry): string {
  return relativeTo(place, root) || displayPath(root, defaultRoot(context.config))
}

/** Finds the files in scope that are not text. */
async function findBinaries(scope: Scope, run: SearchRun): Promise<Result<null, Problem>> {
  if ('file' in scope) return ok(null)
  const { turns, left } = run
  const { files, isComplete } = run.context.search.binaries(scope.folder)
  const binary: string[] = []
  for (const file of files) {
    const name = nameIn(run, file)
    const verdict = await turns.finish(decide(scope.filter, name, turns.meter))
    if (!verdict.ok) return verdict
    if (verdict.value === 'wanted') binary.push(name)
  }
  left.binary = binary
  left.isComplete = isComplete
  return ok(null)
}

/** Says why there may be no match: the pattern as plain text is in files, or a glob cannot match. */
async function explain(scope: Scope, run: SearchRun): Promise<string[]> {
  const { query, root, found, context: toolContext } = run
  const { store } = toolContext
  const isNothing = found.isEmpty()
  const reading = isNothing && !query.literal ? await explainPattern(scope, run) : null
  // One that begins with ! excludes, and excludes nothing if the rest is the syntax of a shell.
  const globs = query.glob.filter((glob) =>
    isNothing ? !/^![^(]/.test(glob) : glob.startsWith('!('),
  )
  const notes: (string | null)[] = [reading]
  for (const glob of 'file' in scope ? [] : globs.slice(0, NOTES))
    notes.push(explainGlobIn(glob, { root, store }) ?? (await explainNoFile(glob, run)))
  return notes.filter((note) => note !== null).slice(0, NOTES)
}

/** Says that a glob has no file: then nothing was searched, which is not the same as no match. */
async function explainNoFile(glob: string, run: SearchRun): Promise<string | null> {
  const { query, root, context: toolContext } = run
  if (glob.startsWith('!')) return null
  const exclude = query.glob.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
  const wanted = { pattern: glob, glob: true, case_sensitive: true, type: 'file' as const }
  const page = await findPage(
    { ...wanted, exclude, hidden: true, limit: 1, offset: 0 },
    { root, limit: 1, after: null },
    toolContext,
  )
  if (!page.ok || page.value.found.length > 0) return null
  const shown = JSON.stringify(glob.slice(0, 100))
  return /\/\s*$/.test(glob)
    ? `${shown} is for folders: put ** behind it for the files in them`
    : `no file in scope matches ${shown}`
}

/** Notes of one search, as each has to be read. */
const NOTES = 3

/** Says what a regular expression would find if it were read as other programs do; null if that is nothing. */
async function explainPattern(scope: Scope, run: SearchRun): Promise<string | null> {
  const { query } = run
  const { pattern } = query
  if (/[\\^$.*+?()[\]{}|]/.test(pattern)) {
    const found = await countLines(scope, run, { ...query, literal: true })
    if (found !== null) return `as plain text it is in ${found}: set literal to true`
  }
  for (const [sign, other, advice] of READINGS) {
    const read = pattern.replace(sign, other)
    const found =
      read === pattern ? null : await countLines(scope, run, { ...query, pattern: read })
    if (found !== null) return `${advice} it is in ${found}`
  }
  return null
}

/** What means something else to other programs, how it is written here, and what to say of it. */
const READINGS: readonly (readonly [sign: RegExp, other: string, advice: string])[] = [
  [/^\/(.+)\/[a-z]*$/, '$1', 'slashes around it are part of the pattern: without them'],
  [/\\[<>]/g, String.raw`\b`, String.raw`\< is the character <: with \b for the edge of a word`],
  [
    // Not in brackets, where another class cannot be.
    /\\w(?![^[]*\])/g,
    String.raw`(?:\w|[^\x00-\x7f])`,
    String.raw`\w is ASCII only: with [\w\pL] in its place`,
  ],
]

/** Counts the lines that another query finds, with what is left of the time and the steps; null if there are none. */
async function countLines(scope: Scope, run: SearchRun, query: Input): Promise<string | null> {
  const pattern = await readPattern(query)
  if (!pattern.ok) return null
  const found = createMatches(1, 1)
  const other = { ...run, pattern: pattern.value, found, left: createLeftOut() }
  const { files } = choose(scope, pattern.value, run.context)
  const searched = await searchAll(files, scope, other)
  if (!searched.ok || found.isEmpty()) return null
  const { total_matches, total_files } = found.end({ left: createLeftOut() }).structured
  return `${total_matches} lines of ${total_files} files`
}

/** Decides on a file; null when its name alone takes more steps than a turn has. */
function* decide(filter: Filter, name: string, meter: Meter): Work<Verdict> {
  let verdict = filter(name, 'file', meter)
  if (meter.left >= 0) return verdict
  yield
  verdict = filter(name, 'file', meter)
  return meter.left < 0 ? null : verdict
}

function searchText(text: string, { pattern, turns, context: { config } }: SearchRun) {
  // Each match takes at least four bytes, so with more matches than this not all can be shown.
  const most = config.search_max_bytes > 0 ? config.search_max_bytes / 4 + 1 : Infinity
  return findHits(text, pattern, turns.meter, { maxLineBytes: config.read_max_line_bytes, most })
}

/** What is added of one file. */
interface Added {
  readonly file: FileEntry
  readonly name: string
  readonly text: string
  readonly hits: Hits
}

function addHits({ file, name, text, hits }: Added, { query, found, context }: SearchRun): void {
  // Most texts have no such line, so no row is read for them.
  const isDocument = hasPages(text) && context.store.contentOf(file)?.encoding === 'document'
  const before = query.context ?? query.before_context ?? 0
  const after = query.context ?? query.after_context ?? 0
  const { count, views } = hits
  const lines: MatchLines = (mode) => {
    const shown = showHits(text, hits, {
      before: mode === 'full' ? before : 0,
      after: mode === 'full' ? after : 0,
      maxLineBytes: context.config.read_max_line_bytes,
    })
    return isDocument ? withPages(shown, text) : shown
  }
  found.add({ path: name, count, isLong: views.size > 0, lines })
}

const tooLong = (name: string) =>
  `Cannot finish the search: a line of ${name} is too long for this pattern. Exclude the file with glob, or use a simpler pattern`

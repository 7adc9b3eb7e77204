/** `find_files`: finds files and folders by name, a page at a time. @module */

import { defaultRoot } from '#core/config.ts'
import { globToLiteral, parseGlob } from '#core/glob.ts'
import { displayPath, relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { MAX_CURSOR_LENGTH, MAX_FIND_LIMIT, MAX_FIND_STEPS, MAX_GLOBS } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import { jsonBytes } from '../encoding/json-bytes.ts'
import { createFilter, invalidGlob, matchesMetered } from '../search/filter.ts'
import { loadCompilePattern } from '../search/load.ts'
import type { Meter } from '../search/meter.ts'
import { queryOfGlob, queryOfPattern } from '../search/name-query.ts'
import type { Pattern } from '../search/pattern.ts'
import type { WalkOptions } from '../store/store.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { MAX_FOUND_BYTES } from './limits.ts'
import { readCursor, writeCursor } from './lib/cursor.ts'
import { defineRead, readingFolder, type ToolContext } from './lib/tool.ts'

const input = z.strictObject({
  pattern: wellFormed.default('').describe('Regular expression for the name; empty matches all'),
  glob: z.boolean().default(false).describe('pattern is a glob; with a slash it matches the path'),
  root: path.optional(),
  type: z.enum(['file', 'dir', 'symlink']).optional(),
  max_depth: z.int().min(0).optional(),
  hidden: z.boolean().default(false).describe('Include names that start with a dot'),
  follow: z.boolean().optional(),
  case_sensitive: z.union([z.boolean(), z.literal('auto')]).default('auto'),
  exclude: z
    .array(wellFormed)
    .max(MAX_GLOBS)
    .default([])
    .describe('Globs to exclude, as in .gitignore'),
  limit: z.int().min(0).max(MAX_FIND_LIMIT).optional(),
  offset: z.int().min(0).default(0),
  cursor: z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .optional()
    .describe('next_cursor of the previous page; unlike offset, stable while files change'),
})

type Input = z.infer<typeof input>

/** Finds names by regular expression or glob, in path order. */
export const findFiles = defineRead({
  name: 'find_files',
  title: 'Find files',
  description:
    'Find files and folders by name. Case-sensitive if the pattern has a capital letter. ' +
    'Folders end in a slash. A cut result says how to continue.',
  intent:
    'Find files [matching {pattern}] [under {root}] [type {type}] [max depth {max_depth}] [exclude {exclude}] [limit {limit}]',
  approval: 'none',
  view: 'files',
  input: () => input,
  output: () =>
    z.object({
      matches: z.array(z.string()),
      pattern: z.string(),
      root: z.string(),
      count: z.int(),
      offset: z.int(),
      limit: z.int().nullable(),
      truncated: z.boolean(),
      next_cursor: z.union([z.string().min(1), z.null()]),
      note: z.string().optional(),
    }),

  touches: ({ root }) => [readingFolder(root ?? '.')],

  async read(query, [root], context) {
    if (context.store.stat(root)?.type !== 'folder') {
      return err({ reason: context.store.stat(root) ? 'not_a_folder' : 'not_found', path: root })
    }
    const limit = pageSize(query.limit || context.config.find_limit, context.maxFound)
    const after = startOf(query, root)
    if (!after.ok) return after
    const page = await findPage(query, root, limit, after.value, context)
    if (!page.ok) return page

    const { pattern, offset } = query
    const { found, last, note } = page.value
    const next_cursor = last && writeCursor(identityOf(query, root), last)
    const list =
      found.length === 0
        ? describeNone(query, page.value.skipped)
        : found.join('\n') + describeNextPage(query, found.length, next_cursor)
    const text = note === undefined ? list : `${list}\n(${note})`
    const shown = displayPath(root, defaultRoot(context.config))
    const facts = { pattern, root: shown, count: found.length, offset, limit: limit || null }
    const structured = {
      matches: found,
      ...facts,
      truncated: last !== null,
      next_cursor,
      ...(note && { note }),
    }
    return ok({ text, structured })
  },
})

/** The arguments that must be the same on the next page. */
function identityOf(
  { limit: _limit, offset: _offset, cursor: _cursor, ...query }: Input,
  root: StorePath,
) {
  return { ...query, root }
}

/** Returns the path after which the page begins; null for the first page. */
function startOf(query: Input, root: StorePath): Result<StorePath | null, Problem> {
  const { cursor, offset } = query
  if (cursor === undefined) return ok(null)
  const after = readCursor(cursor, identityOf(query, root), root)
  if (after !== null && offset === 0) return ok(after)
  const detail =
    after === null
      ? NO_CURSOR
      : 'Cannot use offset with cursor: the cursor says where the page begins. Leave offset out'
  return err({ reason: 'bad_argument', code: 'INVALID_CURSOR', detail })
}

const NO_CURSOR =
  'Cannot continue from this cursor: it is not the next_cursor of a page with the same arguments. ' +
  'Leave it out to get the first page'

function describeNextPage({ cursor, offset }: Input, count: number, next: string | null): string {
  if (next === null) return ''
  const offsetToo = cursor === undefined ? ` or offset ${offset + count}` : ''
  return `\n(more: continue with cursor ${next}${offsetToo})`
}

/** Limits a page size to the ceiling; 0 is no limit, for either. */
function pageSize(wanted: number, ceiling: number): number {
  return ceiling > 0 && (wanted === 0 || wanted > ceiling) ? ceiling : wanted
}

/** Says that a page is empty, and whether earlier pages are not. */
function describeNone({ cursor, offset }: Input, skipped: number): string {
  if (cursor !== undefined) return 'Nothing more found'
  return skipped === 0
    ? 'Nothing found'
    : `Nothing found from offset ${offset} on; ${skipped} before`
}

interface Page {
  readonly found: readonly string[]
  /** Matches before the offset. */
  readonly skipped: number
  /** The last match, when more follow; null on the last page. */
  readonly last: StorePath | null
  readonly note?: string | undefined
}

async function findPage(
  query: Input,
  root: StorePath,
  limit: number,
  after: StorePath | null,
  { store }: ToolContext,
): Promise<Result<Page, Problem>> {
  const name = await nameTest(query)
  if (!name.ok) return name
  const filter = createFilter({ hidden: query.hidden, exclude: query.exclude })
  if (!filter.ok) return filter

  const found: string[] = []
  let bytes = 0
  const meter = { left: MAX_FIND_STEPS }
  let skipped = 0
  let last: StorePath | null = null
  const { holding, names } = name.value
  const from = { holding, names, ...(after && { after }) }
  for (const entry of store.walk(root, from)) {
    const relative = relativeTo(entry.path, root)
    meter.left -= 1 + relative.length / CHARACTERS_PER_STEP
    const matched =
      isWanted(entry.type, relative, query) &&
      name.value.test(relative, meter) &&
      filter.value(relative, entry.type, meter)
    if (meter.left < 0) return err({ reason: 'over_budget', detail: TOO_MUCH })
    if (!matched) continue
    if (skipped < query.offset) {
      skipped++
      continue
    }
    const shown = entry.type === 'folder' ? `${relative}/` : relative
    bytes += jsonBytes(shown) + BYTES_BESIDE
    if (isFull(query, limit, { count: found.length, bytes }))
      return ok({ found, skipped, last, note: name.value.note })
    last = entry.path
    found.push(shown)
  }
  return ok({ found, skipped, last: null, note: name.value.note })
}

/** Bytes of the quotes and the comma of a path. */
const BYTES_BESIDE = 3

/** Whether a page has no room for one more path, with which it would have so many bytes. */
function isFull(
  query: Input,
  limit: number,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): boolean {
  if (limit === 0 || count === 0) return false
  return count === limit || (!query.limit && bytes > MAX_FOUND_BYTES)
}

const TOO_MUCH = `Cannot finish the search: the pattern or a glob takes more than ${MAX_FIND_STEPS} steps. Narrow it with root, or use a simpler pattern`

/** Characters of a path that cost one step of the meter. */
const CHARACTERS_PER_STEP = 8

function isWanted(type: 'file' | 'folder', relative: string, query: Input): boolean {
  if (query.type !== undefined && query.type !== (type === 'folder' ? 'dir' : 'file')) return false
  return query.max_depth === undefined || relative.split('/').length <= query.max_depth
}

interface NameTest {
  /** The result is invalid once the meter is below 0. */
  test(relative: string, meter: Meter): boolean
  /** Text that every matching path contains, so that the store can filter by it. */
  readonly holding?: WalkOptions['holding']
  /** The query of the index for it. */
  readonly names?: WalkOptions['names']
  /** A note in the result on how the pattern was read. */
  readonly note?: string
}

async function nameTest({
  pattern,
  glob,
  case_sensitive,
}: Input): Promise<Result<NameTest, Problem>> {
  if (pattern === '') return ok({ test: () => true })
  if (glob) return globTest(pattern, case_sensitive)
  const compilePattern = await loadCompilePattern()
  const compiled = compilePattern(pattern, { case: case_sensitive })
  if (!compiled.ok) {
    // Models often send `*.txt`, which is a glob and no regular expression.
    const mayBeGlob = /[*?]/.test(pattern) && !REGULAR.test(pattern)
    const asGlob = mayBeGlob ? globTest(pattern, case_sensitive) : null
    if (asGlob?.ok) return ok({ ...asGlob.value, note: 'pattern was read as a glob' })
    const detail = `${compiled.error}. For a glob such as *.txt, set glob to true`
    return err({ reason: 'bad_argument', code: 'INVALID_PATTERN', detail })
  }
  const test = (relative: string, meter: Meter) => {
    const matched = compiled.value.tryLine(nameOf(relative), meter)
    if (matched === null) meter.left = -1
    return matched === true
  }
  const holding = holdingOfPattern(compiled.value)
  return ok({ test, holding, names: queryOfPattern(compiled.value) })
}

/** What only a regular expression has; one that is not supported must not be read as a glob that finds nothing. */
const REGULAR = /\(\?|\\|\$$/

function globTest(pattern: string, sensitivity: boolean | 'auto'): Result<NameTest, Problem> {
  const caseSensitive = sensitivity === 'auto' ? pattern !== pattern.toLowerCase() : sensitivity
  const glob = parseGlob(pattern.replace(/^\//, ''), { caseSensitive })
  if (!glob.ok) return err(invalidGlob('pattern', pattern, glob.error))
  const whole = pattern.includes('/')
  return ok({
    test: (relative, meter) =>
      matchesMetered(glob.value, whole ? relative : nameOf(relative), meter),
    holding: holdingOfGlob(pattern, !caseSensitive),
    names: queryOfGlob(glob.value),
  })
}

/**
 * SQLite folds the case of ASCII only, so a text with other letters cannot be searched there without case.
 */
function holdingOfGlob(pattern: string, fold: boolean): WalkOptions['holding'] {
  const exact = parseGlob(pattern)
  const text = exact.ok ? globToLiteral(exact.value) : null
  return text === null || (fold && /[^\x20-\x7e]/.test(text)) ? undefined : { text, fold }
}

/** Returns the longest text of a regular expression that SQLite can search for. */
function holdingOfPattern({ parts }: Pattern): WalkOptions['holding'] {
  // Where the pattern ignores case, the engine takes the long s for an s, and SQLite does not.
  const runs = parts.map((part) => (typeof part === 'string' ? part.replace('s', '/') : '/'))
  const [longest = ''] = runs
    .join('')
    .split('/')
    .toSorted((a, b) => b.length - a.length)
  return longest === '' ? undefined : { text: longest, fold: true }
}

const nameOf = (relative: string) => relative.slice(relative.lastIndexOf('/') + 1)

/**
 * A page of `find_files`: walks a folder and keeps the entries that match, until the page is full.
 * `test/worker/tools/find-cursor.test.ts` tests pages, and `test/worker/search/hostile-text.slow.test.ts` the steps.
 *
 * @module
 */

import { isWithin, relativeTo, resolvePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { jsonBytes } from '../../encoding/json-bytes.ts'
import type { Problem } from '../../errors/problem.ts'
import { MAX_FIND_STEPS } from '../../limits.ts'
import { createFilter, type Filter, type Verdict } from '../../search/filter.ts'
import { explainGlobIn } from './glob-notes.ts'
import type { Meter } from '../../search/meter.ts'
import { createNameTest, type NamePattern, type NameTest } from '../../search/name-test.ts'
import { MAX_FOUND_BYTES } from './limits.ts'
import type { ToolContext } from './tool.ts'

/** What to find: a name, and which entries count. */
export interface FindQuery extends NamePattern {
  readonly type?: 'file' | 'dir' | 'symlink' | undefined
  readonly max_depth?: number | undefined
  /** Whether to include names that begin with a dot. */
  readonly hidden: boolean
  /** Globs to exclude. */
  readonly exclude: readonly string[]
  /** The number of entries that the caller asked for. */
  readonly limit?: number | undefined
  /** The number of matches before the page. */
  readonly offset: number
}

/** Where a page begins and ends. */
export interface PageBounds {
  readonly root: StorePath
  /** The maximum number of entries; 0 for no limit. */
  readonly limit: number
  /** The path after which the page begins; null for the first page. */
  readonly after: StorePath | null
}

/** Entries that were found. */
export interface FoundPage {
  readonly found: readonly string[]
  /** Matches before the offset. */
  readonly skipped: number
  /** The last match, when more follow; null on the last page. */
  readonly last: StorePath | null
  /** Entries of the page that match, and have a hidden name in their path. */
  readonly hidden: number
  readonly notes: readonly string[]
}

/** Finds the entries of one page, in path order. */
export async function findPage(
  query: FindQuery,
  bounds: PageBounds,
  context: Pick<ToolContext, 'store'>,
): Promise<Result<FoundPage, Problem>> {
  const name = await createNameTest(query)
  if (!name.ok) return name
  const filter = createFilter({ hidden: query.hidden, exclude: query.exclude })
  if (!filter.ok) return filter
  const meter = { left: MAX_FIND_STEPS }
  const search = { query, name: name.value, filter: filter.value, meter }
  const page = walkPage(search, bounds, context)
  if (!page.ok) return page
  const { found, hidden, skipped } = page.value
  const isNothing = found.length + skipped === 0 && bounds.after === null
  const notes = name.value.note === undefined ? [] : [name.value.note]
  if (!isNothing || query.pattern === '') return ok({ ...page.value, notes })
  const named = findNamed(search, bounds, context)
  if (named) return ok({ ...page.value, found: [named], notes: ['pattern was read as a path'] })
  const literal = hidden > 0 ? null : await countLiteral(query, { bounds, context, meter })
  const why = literal ?? explainNothing(query, bounds, context)
  return ok({ ...page.value, notes: why === null ? notes : [...notes, why] })
}

/** What an entry is compared with. */
interface NameSearch {
  readonly query: FindQuery
  readonly name: NameTest
  readonly filter: Filter
  readonly meter: Meter
}

function walkPage(
  search: NameSearch,
  { root, limit, after }: PageBounds,
  { store }: Pick<ToolContext, 'store'>,
): Result<Omit<FoundPage, 'notes'>, Problem> {
  const { query, meter } = search
  const { holding, names } = search.name
  const found: string[] = []
  let [bytes, skipped, hidden] = [0, 0, 0]
  let last: StorePath | null = null
  for (const entry of store.walk(root, { holding, names, ...(after && { after }) })) {
    const relative = relativeTo(entry.path, root)
    meter.left -= 1 + relative.length / CHARACTERS_PER_STEP
    const verdict = judge(search, relative, entry.type)
    if (meter.left < 0) return err({ reason: 'over_budget', detail: TOO_MUCH })
    if (verdict === 'hidden' && skipped === query.offset) hidden++
    if (verdict !== 'wanted') continue
    if (skipped < query.offset) {
      skipped++
      continue
    }
    const shown = entry.type === 'folder' ? `${relative}/` : relative
    bytes += jsonBytes(shown) + BYTES_BESIDE
    if (isFull(query, limit, { count: found.length, bytes }))
      return ok({ found, skipped, last, hidden })
    last = entry.path
    found.push(shown)
  }
  return ok({ found, skipped, last: null, hidden })
}

function judge(
  { query, name, filter, meter }: NameSearch,
  relative: string,
  type: 'file' | 'folder',
): Verdict {
  const isMatch =
    isWanted(type, relative, query) &&
    !(name.foldersOnly && type === 'file') &&
    name.test(relative, meter)
  if (!isMatch) return 'excluded'
  const verdict = filter(relative, type, meter)
  return verdict === 'hidden' && name.requestsHidden?.(relative, meter) ? 'wanted' : verdict
}

/** Returns the entry whose path is the pattern: a path that exists is meant, whatever it looks like. */
function findNamed(
  { query, filter, meter }: NameSearch,
  { root }: PageBounds,
  { store }: Pick<ToolContext, 'store'>,
): string | null {
  const place = resolvePath(query.pattern.replace(/^\/+/, ''), root)
  if (!place.ok || place.value === root || !isWithin(place.value, root)) return null
  const entry = store.stat(place.value)
  const relative = relativeTo(place.value, root)
  if (!entry || !isWanted(entry.type, relative, query)) return null
  if (filter(relative, entry.type, meter) === 'excluded') return null
  return entry.type === 'folder' ? `${relative}/` : relative
}

/** Counts the names with the text of a regular expression, with what is left of the steps. */
async function countLiteral(
  query: FindQuery,
  search: {
    readonly bounds: PageBounds
    readonly context: Pick<ToolContext, 'store'>
    readonly meter: Meter
  },
): Promise<string | null> {
  if (query.glob || !/[\\^$.*+?()[\]{}|]/.test(query.pattern)) return null
  const name = await createNameTest({ ...query, literal: true })
  const filter = createFilter({ hidden: query.hidden, exclude: query.exclude })
  if (!name.ok || !filter.ok) return null
  const literal = { query, name: name.value, filter: filter.value, meter: search.meter }
  const page = walkPage(literal, { ...search.bounds, limit: COUNTED }, search.context)
  if (!page.ok || page.value.found.length === 0) return null
  const count = `${page.value.found.length}${page.value.last === null ? '' : ' or more'}`
  return `as plain text it is in ${count} names: put \\ before each sign, or use a glob`
}

/** Names that are counted at most. */
const COUNTED = 100

/** Says why a pattern cannot match a name; null if it can. */
function explainNothing(
  { pattern, glob }: FindQuery,
  { root }: PageBounds,
  { store }: Pick<ToolContext, 'store'>,
): string | null {
  if (glob) return explainGlobIn(pattern, { root, store })
  return pattern.includes('/')
    ? 'a regular expression is compared with names, which have no slash: set glob for paths'
    : null
}

/** Bytes of the quotes and the comma of a path. */
const BYTES_BESIDE = 3

/** Whether a page has no room for one more path, with which it would have so many bytes. */
function isFull(
  query: FindQuery,
  limit: number,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): boolean {
  if (limit === 0 || count === 0) return false
  return count === limit || (!query.limit && bytes > MAX_FOUND_BYTES)
}

const TOO_MUCH = `Cannot finish the search: the pattern or a glob takes more than ${MAX_FIND_STEPS} steps. Narrow it with root, or use a simpler pattern`

/** Characters of a path that cost one step of the meter. */
const CHARACTERS_PER_STEP = 8

function isWanted(type: 'file' | 'folder', relative: string, query: FindQuery): boolean {
  if (query.type !== undefined && query.type !== (type === 'folder' ? 'dir' : 'file')) return false
  return query.max_depth === undefined || relative.split('/').length <= query.max_depth
}

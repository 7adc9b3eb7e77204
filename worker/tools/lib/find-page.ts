/**
 * A page of `find_files`: walks a folder and keeps the entries that match, until the page is full.
 * `test/worker/tools/find-cursor.test.ts` tests pages, and `test/worker/search/hostile-text.test.ts` the steps.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { jsonBytes } from '../../encoding/json-bytes.ts'
import type { Problem } from '../../errors/problem.ts'
import { MAX_FIND_STEPS } from '../../limits.ts'
import { createFilter } from '../../search/filter.ts'
import { createNameTest, type NamePattern } from '../../search/name-test.ts'
import { MAX_FOUND_BYTES } from '../limits.ts'
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
  readonly note?: string | undefined
}

/** Finds the entries of one page, in path order. */
export async function findPage(
  query: FindQuery,
  { root, limit, after }: PageBounds,
  { store }: Pick<ToolContext, 'store'>,
): Promise<Result<FoundPage, Problem>> {
  const name = await createNameTest(query)
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

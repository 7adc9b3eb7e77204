/** `find_files`: finds files and folders by name, a page at a time. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { MAX_CURSOR_LENGTH, MAX_FIND_LIMIT, MAX_GLOBS } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { readCursor, writeCursor } from './lib/cursor.ts'
import { findPage, type FoundPage } from './lib/find-page.ts'
import { defineRead, readingFolder } from './lib/tool.ts'

const input = z.strictObject({
  pattern: z
    ._default(wellFormed, '')
    .check(z.describe('Regular expression for the name; empty matches all')),
  glob: z
    ._default(z.boolean(), false)
    .check(z.describe('pattern is a glob; with a slash it matches the path')),
  root: z.optional(path),
  type: z.optional(z.enum(['file', 'dir', 'symlink'])),
  max_depth: z.optional(z.int().check(z.minimum(0))),
  hidden: z._default(z.boolean(), false).check(z.describe('Include names that start with a dot')),
  follow: z.optional(z.boolean()),
  case_sensitive: z._default(z.union([z.boolean(), z.literal('auto')]), 'auto'),
  exclude: z
    ._default(z.array(wellFormed).check(z.maxLength(MAX_GLOBS)), [])
    .check(z.describe('Globs to exclude, as in .gitignore')),
  limit: z.optional(z.int().check(z.minimum(0), z.maximum(MAX_FIND_LIMIT))),
  offset: z._default(z.int().check(z.minimum(0)), 0),
  cursor: z
    .optional(z.string().check(z.maxLength(MAX_CURSOR_LENGTH)))
    .check(
      z.describe('next_cursor of the previous page; unlike offset, stable while files change'),
    ),
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
      limit: z.nullable(z.int()),
      truncated: z.boolean(),
      next_cursor: z.union([z.string().check(z.minLength(1)), z.null()]),
      hidden: z.optional(z.int()),
      note: z.optional(z.string()),
    }),

  touches: ({ root }) => [readingFolder(root ?? '.')],

  async read(query, [root], context) {
    if (context.store.stat(root)?.type !== 'folder') {
      return err({ reason: context.store.stat(root) ? 'not_a_folder' : 'not_found', path: root })
    }
    const limit = pageSize(query.limit || context.config.find_limit, context.maxFound)
    const after = startOf(query, root)
    if (!after.ok) return after
    const page = await findPage(query, { root, limit, after: after.value }, context)
    if (!page.ok) return page

    const { pattern, offset } = query
    const { found, last, hidden } = page.value
    const note = noteOf(page.value)
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
      ...(hidden > 0 && { hidden }),
      ...(note !== undefined && { note }),
    }
    return ok({ text, structured })
  },
})

/** Says what was left out, and why nothing may have been found. */
function noteOf({ hidden, notes, last }: FoundPage): string | undefined {
  const leftOut = hidden > 0 && last === null && `${hidden} hidden left out, set hidden`
  const all = [...notes, leftOut].filter((note) => note !== false)
  return all.length === 0 ? undefined : all.join('; ')
}

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

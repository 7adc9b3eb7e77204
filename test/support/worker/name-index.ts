/**
 * The index of names in blocks of a few paths, and questions that it has to answer as a walk over all paths does.
 *
 * @module
 */

import { matches, parseGlob } from '#core/glob.ts'
import { rangeBelow, type StorePath } from '#core/path.ts'
import type { FillLimits } from '#worker/search/name-index.ts'
import { queryOfGlob, queryOfPattern } from '#worker/search/name-query.ts'
import { compilePattern } from '#worker/search/pattern.ts'
import type { Layer } from '#worker/store/layer.ts'
import { findRanges } from '#worker/store/read/name-blocks.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { expectIs } from '../core/expect-is.ts'
import { act } from './store-contract.ts'

/** So small that a few paths fill many blocks. */
export const SMALL: FillLimits = {
  minPaths: 3,
  minChanged: 3,
  maxChanged: 5,
  maxNames: 6,
  blockNames: 2,
  maxBlockNames: 4,
  minBlockNames: 2,
  merge: { segments: 1, pages: 1 },
}

const RANGES = [
  { first: 1, sorted: 1_000, unindexed: 1_000, page: 500 },
  { first: 1, sorted: 0, unindexed: 1_000, page: 2 },
  { first: 2, sorted: 2, unindexed: 2, page: 1 },
]

/** A change of paths, without content. */
export type Change =
  | { readonly type: 'put' | 'folder' | 'remove'; readonly path: StorePath }
  | { readonly type: 'move'; readonly from: StorePath; readonly to: StorePath }

const GLOBS = [
  ...['needle', '*eedle*', 'Need*', '*.ts', '*.{ts,tsx}', '{needle,haystack}*', 'stra*', '*stack'],
  ...[
    '**/needle',
    '**/needle/**',
    'needle/**',
    '**/needle*/*.ts',
    '**/{need/,}index*',
    'need{le/**,}',
  ],
  ...[
    '**/index.ts/',
    '**/[n]eedle',
    '**/need**/*',
    'a/needle',
    '/needle',
    'STRASSE',
    'ﬁ*',
    '*ndex*',
  ],
]
const PATTERNS = [
  ...[
    'needle',
    '^needle$',
    'need(le|les)',
    '(needle|hay)stack',
    'inde[x].ts',
    '(?i)NEEDLE',
    'stra.e',
  ],
  ...['strasse', 'kelvin', 'x$', 'needle|index', 'e{2}dle', '(needle)+', 'need(le)?', 'fi'],
]

/** A test of a path relative to a folder, and its query of the index. */
interface Question {
  readonly text: string
  readonly query: string | null
  readonly test: (relative: string) => boolean
}

function questions(): Question[] {
  const base = (relative: string) => relative.slice(relative.lastIndexOf('/') + 1)
  const globs = GLOBS.flatMap((text) =>
    [true, false].map((caseSensitive) => {
      const glob = parseGlob(text.replace(/^\//, ''), { caseSensitive })
      if (!glob.ok) throw new Error(glob.error)
      const subject = text.includes('/') ? (relative: string) => relative : base
      const test = (relative: string) => matches(glob.value, subject(relative))
      return { text, query: queryOfGlob(glob.value), test }
    }),
  )
  const patterns = PATTERNS.flatMap((text) =>
    [true, false].map((caseSensitive) => {
      const pattern = compilePattern(text, { case: caseSensitive })
      if (!pattern.ok) throw new Error(pattern.error)
      const test = (relative: string) => pattern.value.testLine(base(relative))
      return { text, query: queryOfPattern(pattern.value), test }
    }),
  )
  return [...globs, ...patterns]
}

/** By query: many differ only in how they test the paths that the same query finds. */
const QUESTIONS = Map.groupBy(questions(), ({ query }) => query)

/** One layer of a store. */
interface Searched {
  readonly sql: SqlStorage
  readonly store: Store
  readonly layer: Layer
}

/** Expects that a walk and every kind of range find what matches, in one folder of a layer. */
export function expectAllFound(searched: Searched, folder: StorePath): void {
  const { low } = rangeBelow(folder)
  const paths = [...searched.store.walk(folder)].map((entry) => entry.path)
  for (const [query, questions] of QUESTIONS) {
    if (query === null) continue
    const found = findAll(searched, query, folder)
    for (const { text, test } of questions) {
      const isWanted = (each: StorePath) => test(each.slice(low.length))
      const wanted = paths.filter(isWanted).join('\n')
      for (const [way, all] of found)
        expectIs(all.filter(isWanted).join('\n'), wanted, `${text} in ${folder}, ${way}`)
    }
  }
}

/** The paths that a query selects, in every way. */
function findAll(
  { sql, store, layer }: Searched,
  query: string,
  folder: StorePath,
): [string, StorePath[]][] {
  const { low, high } = rangeBelow(folder)
  const { unindexed, files } = layer.read
  const select = `SELECT path FROM ${files} WHERE path >= ? AND path < ? ORDER BY path`
  const lookup = { sql, query, unindexed, filter: '', bindings: [] }
  const read = RANGES.map((limits): [string, StorePath[]] => {
    const ranges = [...findRanges(lookup, { low, high }, limits)]
    const rows = ranges.flatMap((range) =>
      sql.exec<{ path: StorePath }>(select, range.low, range.high).toArray(),
    )
    return [JSON.stringify(limits), rows.map((row) => row.path)]
  })
  const walked = [...store.walk(folder, { names: query })].map((entry) => entry.path)
  return [['walked', walked], ...read]
}

/** Makes changes, together if that is possible. */
export async function perform(store: Store, changes: readonly Change[]): Promise<void> {
  const content = await store.hold(new TextEncoder().encode('x'))
  const steps = changes.map((each): Step =>
    each.type === 'put' ? { ...each, type: 'put', content } : (each as Step),
  )
  // Several in one change where that is possible, and one by one where a step is refused.
  if (!act(store, ...steps).ok) for (const step of steps) act(store, step)
}

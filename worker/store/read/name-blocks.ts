/**
 * The index of names: finds where below a folder a name may match, without reading all paths.
 *
 * The paths are cut into blocks, ranges of about a hundred names. FTS5 knows the trigrams of each block, so a literal
 * selects blocks, and their paths are read from the table of files. A deleted or moved path therefore needs no entry
 * of its own: at worst it selects a block in vain. `search/name-index.ts` fills the index, and
 * `test/worker/search/names.laws.test.ts` compares what is found with a walk over all paths.
 *
 * @module
 */

import type { PathRange } from '../path-ranges.ts'

/** The tables of the index. They are created when a workspace has so many paths that it needs them. */
export const NAME_TABLES = `
  CREATE TABLE name_blocks (
    id INTEGER PRIMARY KEY,
    low TEXT NOT NULL UNIQUE,
    indexed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX name_blocks_waiting ON name_blocks (id) WHERE indexed = 0;
  CREATE VIRTUAL TABLE names USING fts5(
    text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram case_sensitive 1'
  );
  INSERT INTO name_blocks (low, indexed) VALUES ('', 0);
`

/** The row of `meta` with the newest version whose names are in blocks. Without it there is no index. */
export const NAMED = 'names'

/** What to look up in the index. */
export interface NameLookup {
  readonly sql: SqlStorage
  /** An FTS5 query for the trigrams that every wanted name has, see `search/name-query.ts`. */
  readonly query: string
  /** An SQL relation of the paths that may be in no block: those of versions after `?1`, and those of a draft. */
  readonly unindexed: string
  /** A condition on a wanted path with its one binding, which begins with `AND`, or nothing. */
  readonly filter: string
  readonly bindings: readonly string[]
}

/** Up to where names are indexed, how many paths may not be, and how many rows are read at most; all if negative. */
interface Unindexed {
  readonly named: number
  readonly most: number
  readonly rows: number
}

/** How much is read in which way. */
export interface RangeLimits {
  /** Blocks that are read in any case where more than so many match: a common name fills its page in them. */
  readonly first: number
  /** Maximum number of blocks that are sorted at once; of more, all blocks are walked. */
  readonly sorted: number
  /** Maximum number of unindexed paths of interest; with more, all paths are read. */
  readonly unindexed: number
  /** Blocks that are read at once where many match. */
  readonly page: number
}

const LIMITS: RangeLimits = { first: 8, sorted: 1_000, unindexed: 2_000, page: 500 }

/** Yields ranges with all paths of a range that may match, in path order. */
export function* findRanges(
  lookup: NameLookup,
  range: PathRange,
  limits = LIMITS,
): Generator<PathRange> {
  const { sql } = lookup
  const named = readNamed(sql)
  const start = named === null ? null : endOfFirstBlocks(sql, range, limits.first)
  if (named === null || start === null) return yield range
  const few = findBlocks({ ...lookup, named, most: limits.first, rows: limits.first + 1 }, range)
  if (few) return yield* join(sortBlocks(sql, few, range))
  yield { low: range.low, high: start }
  const rest = { low: start, high: range.high }
  const found = findBlocks({ ...lookup, named, most: limits.unindexed, rows: -1 }, rest)
  if (found === null) yield rest
  else if (found.size > limits.sorted) yield* walkBlocks(sql, found, rest, limits.page)
  else yield* join(sortBlocks(sql, found, rest))
}

/** Returns the newest version whose names are in blocks; null if there is no index. */
export function readNamed(sql: SqlStorage): number | null {
  const query = 'SELECT value FROM meta WHERE name = ?'
  return sql.exec<{ value: number }>(query, NAMED).toArray()[0]?.value ?? null
}

/** Where the blocks end that are read without a look-up; null if the range has no more than these. */
function endOfFirstBlocks(
  sql: SqlStorage,
  { low, high }: PathRange,
  blocks: number,
): string | null {
  const query = `SELECT low FROM name_blocks WHERE low > ? AND low < ?
    ORDER BY low LIMIT 1 OFFSET ${blocks - 1}`
  return sql.exec<{ low: string }>(query, low, high).toArray()[0]?.low ?? null
}

/** The block of a `path`, as SQL. */
export const BLOCK_OF = '(SELECT id FROM name_blocks WHERE low <= path ORDER BY low DESC LIMIT 1)'

/**
 * Finds the blocks that the index names, those that wait, and those of unindexed paths; null if these paths are too
 * many, or all of them.
 */
function findBlocks(
  { sql, query, unindexed, filter, bindings, named, most, rows }: NameLookup & Unindexed,
  { low, high }: PathRange,
): ReadonlySet<number> | null {
  const found = new Set<number>()
  let [read, paths] = [0, 0]
  // One statement, because each takes longer than what it does here.
  const blocks = sql.exec(
    `SELECT rowid AS id, 0 AS is_path FROM names WHERE names MATCH ?4
     UNION ALL SELECT id, 0 FROM name_blocks WHERE indexed = 0
     UNION ALL SELECT * FROM (SELECT ${BLOCK_OF}, 1 FROM ${unindexed}
       WHERE path >= ?2 AND path < ?3${filter} LIMIT ${most + 1})
     LIMIT ${rows}`,
    ...[named, low, high, query],
    ...bindings,
  )
  for (const [id, isPath] of blocks.raw<[number, number]>()) {
    found.add(id)
    paths += isPath
    read++
  }
  return paths > most || read === rows ? null : found
}

/** The ranges of blocks in path order. The first block may begin before the range. */
function sortBlocks(
  sql: SqlStorage,
  found: ReadonlySet<number>,
  { low, high }: PathRange,
): PathRange[] {
  const next = '(SELECT min(n.low) FROM name_blocks n WHERE n.low > b.low)'
  return sql
    .exec<{ low: string; high: string }>(
      `SELECT max(b.low, ?2) AS low, min(ifnull(${next}, ?3), ?3) AS high FROM name_blocks b
       WHERE id IN (SELECT value FROM json_each(?1)) AND b.low < ?3
         AND b.low >= (SELECT max(low) FROM name_blocks WHERE low <= ?2) ORDER BY b.low`,
      JSON.stringify([...found]),
      low,
      high,
    )
    .toArray()
}

/** Walks all blocks of a range page by page, because the wanted ones are many and a caller may soon have enough. */
function* walkBlocks(
  sql: SqlStorage,
  found: ReadonlySet<number>,
  { low, high }: PathRange,
  page: number,
): Generator<PathRange> {
  for (let from: string | undefined = low; from !== undefined;) {
    const rows: Block[] = sql
      .exec<Block>(
        `SELECT id, low FROM name_blocks WHERE low >= ? AND low < ? ORDER BY low LIMIT ${page + 1}`,
        from,
        high,
      )
      .toArray()
    const ranges = rows.map(({ low: start }, at) => ({
      low: start,
      high: rows[at + 1]?.low ?? high,
    }))
    yield* join(ranges.filter((_, at) => at < page && found.has(rows[at]?.id ?? 0)))
    from = rows[page]?.low
  }
}

/** Joins ranges that follow each other, because each is a query. */
function* join([first, ...others]: readonly PathRange[]): Generator<PathRange> {
  if (!first) return
  let open = first
  for (const range of others) {
    const follows = open.high === range.low
    if (!follows) yield open
    open = follows ? { low: open.low, high: range.high } : range
  }
  yield open
}

/** A block of names. */
export type Block = { readonly id: number; readonly low: string }

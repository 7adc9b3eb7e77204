/**
 * Fills the index of names, in small batches of the alarm. A change of files writes nothing for it: new paths are found
 * by their versions, and every search reads them until their blocks are indexed.
 *
 * A block that waits is always searched. So the index begins as one waiting block of all paths, and each batch takes the
 * first paths of a waiting block away from it. `store/read/name-blocks.ts` searches the blocks.
 * `test/worker/search/names.laws.test.ts` compares what is found at every stage of filling with a walk over all paths.
 *
 * @module
 */

import { BLOCK_OF, NAME_TABLES, NAMED, readNamed, type Block } from '../store/read/name-blocks.ts'
import { GONE } from '../store/layer.ts'
import { writeMeta } from '../database/schema.ts'
import type { Totals } from '../store/store.ts'
import { selectTouched } from '../store/touched-paths.ts'
import { textOfPaths } from './name-query.ts'
import { mergeSegments, type MergeLimits } from './segments.ts'
import { transaction } from '../database/table-groups.ts'

/** How the index is filled. */
export interface FillLimits {
  /** Number of paths from which a workspace has an index. */
  readonly minPaths: number
  /** Changed paths that wait until there are as many, because every search can read these. */
  readonly minChanged: number
  /** Maximum number of changed paths that are looked up at once. */
  readonly maxChanged: number
  /** Maximum number of names that are taken from a waiting block at once. */
  readonly maxNames: number
  /** Names of a block that was split, of the largest one, and of one that is joined with the block before it. */
  readonly blockNames: number
  readonly maxBlockNames: number
  readonly minBlockNames: number
  readonly merge: MergeLimits
}

const LIMITS: FillLimits = {
  minPaths: 2_000,
  minChanged: 64,
  maxChanged: 256,
  maxNames: 2_000,
  blockNames: 64,
  maxBlockNames: 128,
  minBlockNames: 16,
  merge: { segments: 8, pages: 64 },
}

/** Whether names are indexed: a walk over fewer paths is as fast. So a small workspace does not pay for an index. */
export const hasNames = (
  { files, folders }: Pick<Totals, 'files' | 'folders'>,
  { minPaths } = LIMITS,
) => files + folders >= minPaths

/** Indexes a batch of names. Returns whether there are more. */
export function fillNames(storage: DurableObjectStorage, totals: Totals, limits = LIMITS): boolean {
  if (!hasNames(totals, limits)) return false
  const { version } = totals
  const { sql } = storage
  const named = readNamed(sql)
  const filling = { sql, limits }
  return transaction(storage, () => {
    if (named === null) createIndex(sql, version)
    const [block] = sql
      .exec<Block>('SELECT id, low FROM name_blocks WHERE indexed = 0 ORDER BY id LIMIT 1')
      .toArray()
    if (block) indexBlock(filling, block)
    return (
      block !== undefined ||
      indexChanged(filling, named ?? version) ||
      mergeSegments(sql, limits.merge)
    )
  })
}

/** The database, and how much of it is indexed at once. */
interface Filling {
  readonly sql: SqlStorage
  readonly limits: FillLimits
}

/** The alarm is the first to write the tables, so that small workspaces do not have them. */
function createIndex(sql: SqlStorage, version: number): void {
  sql.exec(NAME_TABLES)
  writeMeta(sql, { [NAMED]: version })
}

/** Indexes the names of a block again, split if they are many; what is too much for a batch waits. */
function indexBlock({ sql, limits }: Filling, { id, low }: Block): void {
  const paths = listPaths(sql, low, limits.maxNames + 1)
  if (paths.length < limits.minBlockNames && low !== '') return joinBlock(sql, { id, low }, paths)
  const rest = paths.length > limits.maxNames ? paths.pop() : undefined
  sql.exec('DELETE FROM names WHERE rowid = ?', id)
  const groups = splitPaths(paths, limits)
  // The last block keeps the row, so that the rest stays in a block that waits.
  const lows = groups.map((group, at) => (at === 0 ? low : (group[0] ?? low)))
  const last = rest ?? lows.pop() ?? low
  setBlock(sql, { id, low: last }, rest === undefined)
  for (const [at, start] of lows.entries()) addText(sql, addBlock(sql, start), groups[at] ?? [])
  if (rest === undefined) addText(sql, id, groups.at(-1) ?? [])
}

/** Lists the paths of a block in path order. */
function listPaths(sql: SqlStorage, low: string, limit: number): string[] {
  const next = '(SELECT min(low) FROM name_blocks WHERE low > ?1)'
  return sql
    .exec<{ path: string }>(
      // Every path begins with a slash, which sorts before 0.
      `SELECT path FROM files WHERE path >= ?1 AND path < ifnull(${next}, '0') ORDER BY path LIMIT ?2`,
      low,
      limit,
    )
    .toArray()
    .map(({ path }) => path)
}

function splitPaths(
  paths: readonly string[],
  { blockNames, maxBlockNames }: FillLimits,
): string[][] {
  if (paths.length <= maxBlockNames) return [[...paths]]
  const size = Math.ceil(paths.length / Math.ceil(paths.length / blockNames))
  const groups: string[][] = []
  for (let at = 0; at < paths.length; at += size) groups.push(paths.slice(at, at + size))
  return groups
}

/** Joins a block of few names with the block before it, which is indexed again if there are any. */
function joinBlock(sql: SqlStorage, { id, low }: Block, paths: readonly string[]): void {
  sql.exec('DELETE FROM names WHERE rowid = ?', id)
  sql.exec('DELETE FROM name_blocks WHERE id = ?', id)
  if (paths.length > 0)
    markWaiting(sql, 'low = (SELECT max(low) FROM name_blocks WHERE low < ?)', low)
}

function markWaiting(sql: SqlStorage, condition: string, binding: string | number): void {
  sql.exec(`UPDATE name_blocks SET indexed = 0 WHERE indexed = 1 AND ${condition}`, binding)
}

/** A block that neither moves nor waits keeps its row as it is. */
function setBlock(sql: SqlStorage, { id, low }: Block, indexed: boolean): void {
  sql.exec(
    'UPDATE name_blocks SET low = ?2, indexed = ?3 WHERE id = ?1 AND (low <> ?2 OR indexed <> ?3)',
    id,
    low,
    Number(indexed),
  )
}

function addBlock(sql: SqlStorage, low: string): number {
  const insert = 'INSERT INTO name_blocks (low, indexed) VALUES (?, 1) RETURNING id'
  return sql.exec<{ id: number }>(insert, low).one().id
}

function addText(sql: SqlStorage, id: number, paths: readonly string[]): void {
  sql.exec('INSERT INTO names (rowid, text) VALUES (?, ?)', id, textOfPaths(paths))
}

interface ChangedRow extends Record<string, SqlStorageValue> {
  path: string
  mime: string
}

/** Indexes the names that changes have added, as soon as they are many. Returns whether there may be more. */
function indexChanged(filling: Filling, named: number): boolean {
  const { sql, limits } = filling
  const changes = sql
    .exec<{ version: number; sum: number }>(
      `SELECT version, sum(paths) OVER (ORDER BY version) AS sum FROM
         (SELECT version, paths FROM changes WHERE version > ? ORDER BY version LIMIT ${limits.maxChanged})`,
      named,
    )
    .toArray()
  const { length } = changes
  if ((changes.at(-1)?.sum ?? 0) < limits.minChanged && length < limits.maxChanged) return false
  const [next] = changes
  const fits = changes.findLast(({ sum }) => sum <= limits.maxChanged)
  if (fits) indexTouched(filling, named, fits.version)
  else if (next) markChanged(sql, next.version)
  writeMeta(sql, { [NAMED]: fits?.version ?? next?.version ?? named })
  return true
}

/** Marks the blocks of a large change, whose rows are too many for a batch. */
function markChanged(sql: SqlStorage, version: number): void {
  const touched = selectTouched('v.path AS path', { where: 'c.version = ?1' })
  markWaiting(sql, `id IN (SELECT ${BLOCK_OF} FROM (${touched}))`, version)
}

/** Indexes the names of the changes after one version and up to another. */
function indexTouched(filling: Filling, named: number, until: number): void {
  const { sql } = filling
  const query = selectTouched('v.path AS path, v.mime AS mime', {
    where: 'c.version > ?1 AND c.version <= ?2',
  })
  const blocks = new Map<number, Block>()
  for (const { path, mime } of sql.exec<ChangedRow>(query, named, until).toArray()) {
    const block = blockAt(sql, path)
    if (blocks.has(block.id)) continue
    const isWrong = mime === GONE ? isSmall(filling, block) : !isKnown(sql, named, path)
    if (isWrong) blocks.set(block.id, block)
  }
  for (const block of blocks.values()) indexBlock(filling, block)
}

function blockAt(sql: SqlStorage, path: string): Block {
  const query = 'SELECT id, low FROM name_blocks WHERE low <= ? ORDER BY low DESC LIMIT 1'
  return sql.exec<Block>(query, path).one()
}

/** Whether so few names are left in a block that it can be joined with another. */
function isSmall({ sql, limits }: Filling, { low }: Block): boolean {
  const { minBlockNames } = limits
  return low !== '' && listPaths(sql, low, minBlockNames).length < minBlockNames
}

/**
 * Whether a path was there at a version, and ever since, so that its block has its name. It counts as not known where
 * history has dropped states.
 */
function isKnown(sql: SqlStorage, named: number, path: string): boolean {
  const query = `SELECT 1 FROM versions WHERE path = ?1 AND mime <> '${GONE}'
      AND version = (SELECT max(version) FROM versions WHERE path = ?1 AND version <= ?2)
      AND NOT EXISTS (SELECT 1 FROM versions
        WHERE path = ?1 AND version > ?2 AND (mime = '${GONE}' OR trimmed <> 0))`
  return sql.exec(query, path, named).toArray().length > 0
}

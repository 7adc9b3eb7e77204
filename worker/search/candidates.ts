/**
 * Candidates: the text files in which a search may find something, in path order.
 *
 * Few are found by a join. Where many match, all entries of the folder are walked in pages, and a set of bits tells
 * which of them may match: objects of a million files would not fit into the memory of an isolate. Pages also leave no
 * cursor open while texts are read. `test/worker/search/candidates.test.ts` tests both ways, and `index.test.ts` beside it
 * compares the results with a plain scan.
 *
 * @module
 */

import { rangeBelow, ROOT, type StorePath } from '#core/path.ts'
import type { Layer } from '../store/layer.ts'
import { justAfter, rangesBelow, type PathRanges } from '../store/path-ranges.ts'
import { INDEX, INDEXED_TO, readMeta } from '../database/schema.ts'
import type { FileEntry } from '../store/store.ts'
import type { Tables } from '../database/table-groups.ts'
import { PARTS } from '../store/content/texts.ts'
import { encodingAt, numberOf, type Encoding } from '../texts/encoding.ts'
import { createBlobSet, MAX_JOINED, type FoundBlobs } from './blob-set.ts'
import { findBlobsWithin } from './blobs-within.ts'

/** A file that may match. */
export interface Candidate extends FileEntry {
  /**
   * Its content, or the text of a document, if it was read with its row: where most files may match, this saves a query
   * for each.
   */
  readonly content?: ArrayBuffer | string | null
  readonly encoding?: Encoding
}

/** Files that may match. */
export interface Candidates {
  /** About how many there are; null with a query, because the index has the texts of the drafts of others as well. */
  readonly count: number | null
  readonly files: Iterable<Candidate>
}

/** A database with the tables of texts, and the relations of a layer in it. */
export interface Source {
  readonly sql: Tables
  readonly layer: Layer
  /** Files in the ranges that are read before the index is asked; tests use fewer. */
  readonly most?: number
}

/** Blobs from which the search in a small folder looks up its own first. */
const MANY_BLOBS = 20_000

/** Rows of one page; fewer where content is read with them. */
const PAGE = 500
const PAGE_WITH_CONTENT = 64

/** Maximum size in bytes of content that is read with its row: nearly all source files. */
const AHEAD_BYTES = 32 * 1024

/** The number of documents, whose bytes are not what is searched. */
const DOCUMENT = numberOf('document')

/** The text of a document, if it is short; a longer one is read by itself. */
const DOCUMENT_TEXT = `(SELECT p.text FROM text_parts p
  WHERE p.id = b.id * ${PARTS} AND octet_length(p.text) <= ${AHEAD_BYTES})`

const COLUMNS = 'f.path, f.blob, f.size, f.mime, f.version, f.mtime, f.executable'

/** A row of `files` with content. It is an array, because the runtime makes that faster than an object. */
type TextRow = [
  path: string,
  blob: number,
  size: number,
  mime: string,
  version: number,
  mtime: number,
  executable: number,
  content: ArrayBuffer | string | null,
  text: number,
]

/**
 * Finds the text files below a folder that may match an FTS5 query; all of them without a query. With `within`, only in
 * these ranges, and no row of another file or text is read, unless the ranges have very many files.
 */
export function findCandidates(
  source: Source,
  folder: StorePath,
  query: string | null,
  within?: PathRanges,
): Candidates {
  const ranges = rangesBelow(folder, within)
  if (query === null)
    return { count: within ? null : countFiles(source, folder), files: walk(source, ranges) }
  const files = within
    ? findWithin(source, folder, ranges, query)
    : filesOf(source, ranges, findBlobs(source, folder, query))
  return { count: null, files }
}

function findWithin(
  source: Source,
  folder: StorePath,
  ranges: PathRanges,
  query: string,
): Iterable<Candidate> {
  const found = findBlobsWithin(source, ranges, query, source.most)
  if (!found) return filesOf(source, ranges, findBlobs(source, folder, query))
  // A join looks up each blob in each range, and a walk reads all files.
  const isJoined = (found.ids?.length ?? 0) * ranges.length <= found.total
  return isJoined ? filesOf(source, ranges, found) : walk(source, ranges, found)
}

const filesOf = (source: Source, ranges: PathRanges, found: FoundBlobs): Iterable<Candidate> =>
  found.ids === null ? walk(source, ranges, found) : joinFiles(source, ranges, found.ids)

function countFiles({ sql, layer }: Source, folder: StorePath): number {
  const { low, high } = rangeBelow(folder)
  const query = `SELECT count(blob) AS count FROM ${layer.read.files} WHERE path >= ? AND path < ?`
  return sql.exec<{ count: number }>(query, low, high).one().count
}

/** The texts that may match: those that the index names, and those that had their turn and are not in it. */
const FOUND = `SELECT rowid AS id FROM trigrams WHERE trigrams MATCH ?1
    AND rowid BETWEEN CAST(?2 AS INTEGER) AND CAST(?3 AS INTEGER)
  UNION ALL SELECT id FROM blobs WHERE indexed = ${INDEX.large} AND id BETWEEN ?2 AND ?3
  UNION ALL SELECT blob FROM index_again WHERE blob BETWEEN ?2 AND ?3`

/** The texts that wait for their turn; more than are joined only tell that there are many. */
const WAITING = `SELECT id FROM blobs WHERE indexed = ${INDEX.inTurn}
  AND id BETWEEN max(?1, ${INDEXED_TO} + 1) AND ?2 LIMIT ${MAX_JOINED + 1}`

function findBlobs(source: Source, folder: StorePath, query: string): FoundBlobs {
  const { sql } = source
  const newest = sql.exec<{ id: number }>('SELECT ifnull(max(id), 0) AS id FROM blobs').one().id
  const [low, high] = bounds(source, folder, newest)
  const waiting = [...sql.exec(WAITING, low, high).raw<[number]>()]
  const blobs = createBlobSet(newest)
  for (const [id] of sql.exec(FOUND, query, low, high).raw<[number]>()) blobs.add(id)
  if (waiting.length > MAX_JOINED) blobs.addAll(readMeta(sql, 'indexed_to'), low, high)
  else for (const [id] of waiting) blobs.add(id)
  return blobs.found()
}

/**
 * The first and the last blob that matter: in a large workspace those of a small folder, as the index would otherwise
 * name all texts of the workspace.
 */
function bounds(
  { sql, layer }: Source,
  folder: StorePath,
  newest: number,
): readonly [first: number, last: number] {
  const all = [0, newest] as const
  if (folder === ROOT || newest < MANY_BLOBS) return all
  const { low, high } = rangeBelow(folder)
  const { count, first, last } = sql
    .exec<{ count: number; first: number | null; last: number | null }>(
      `SELECT count(*) AS count, min(blob) AS first, max(blob) AS last FROM
         (SELECT blob FROM ${layer.read.files} WHERE path >= ? AND path < ? LIMIT ${MAX_JOINED})`,
      low,
      high,
    )
    .one()
  return count < MAX_JOINED ? [first ?? 0, last ?? 0] : all
}

const IS_FOUND = 'IN (SELECT value FROM json_each(?1)) AND p.path >= ?2 AND p.path < ?3'

/** The files that have a blob now: the path that named it first, and further ones. */
const FOUND_FILES = [
  `blobs p CROSS JOIN files f ON f.path = p.path AND f.blob = p.id WHERE p.id ${IS_FOUND}`,
  `blob_paths p CROSS JOIN files f ON f.path = p.path AND f.blob = p.blob WHERE p.blob ${IS_FOUND}`,
]

const foundFiles = (condition = 'true') =>
  FOUND_FILES.map(
    (found) => `SELECT ${COLUMNS}, NULL, 0 AS text FROM ${found} AND ${condition}`,
  ).join(' UNION ALL ')

/** Found files of the workspace that the draft does not cover, and found files of the draft. */
function foundInDraft(draft: number): string {
  const isSeen = `NOT EXISTS (SELECT 1 FROM draft_files d WHERE d.draft = ${draft} AND d.path = f.path)`
  return `${foundFiles(isSeen)}
    UNION ALL SELECT ${COLUMNS}, NULL, 0 AS text FROM draft_files f WHERE f.draft = ${draft}
      AND f.blob IN (SELECT value FROM json_each(?1)) AND f.path >= ?2 AND f.path < ?3`
}

/** Returns the files in some ranges that have one of some blobs, in path order. */
export function joinFiles(
  { sql, layer }: Source,
  ranges: PathRanges,
  ids: readonly number[],
): readonly Candidate[] {
  const files = layer.draft === null ? foundFiles() : foundInDraft(layer.draft)
  const query = `${files} ORDER BY 1`
  return ranges.flatMap(({ low, high }) =>
    Array.from(sql.exec(query, JSON.stringify(ids), low, high).raw<TextRow>(), candidateOf),
  )
}

/** Walks the text files in some ranges page by page. */
function* walk(source: Source, ranges: PathRanges, found?: FoundBlobs): Generator<Candidate> {
  const readPage = pageReader(source, !found || found.isMost)
  for (const { low, high } of ranges) {
    let from: string | undefined = low
    while (from !== undefined) {
      const page: readonly Candidate[] = readPage(from, high)
      for (const file of page) if (!found || found.mayMatch(file.blob)) yield file
      const last = page.at(-1)?.path
      from = last && justAfter(last)
    }
  }
}

/** Returns a function that reads the first text files of a range. */
function pageReader({ sql, layer }: Source, withContent: boolean) {
  const [content, limit] = withContent
    ? [
        `iif(b.text = ${DOCUMENT}, ${DOCUMENT_TEXT}, iif(b.size <= ${AHEAD_BYTES}, b.bytes, NULL))`,
        PAGE_WITH_CONTENT,
      ]
    : ['NULL', PAGE]
  const query = `${selectTexts(layer, content)} AND f.path >= ? AND f.path < ? ORDER BY f.path LIMIT ${limit}`
  return (low: string, high: string) =>
    Array.from(sql.exec(query, low, high).raw<TextRow>(), candidateOf)
}

/** Reads the first files of a range, each with whether it is text. */
export function readFiles(
  { sql, layer }: Source,
  low: string,
  high: string,
): (readonly [FileEntry, boolean])[] {
  const query = `SELECT ${COLUMNS}, NULL, b.text FROM ${layer.read.files} f JOIN blobs b ON b.id = f.blob
    WHERE f.path >= ? AND f.path < ? ORDER BY f.path LIMIT ${PAGE}`
  return Array.from(sql.exec(query, low, high).raw<TextRow>(), (row) => {
    const file = candidateOf(row)
    // A document without a text is binary content, once it was read.
    return [file, file.encoding !== 'binary']
  })
}

/** Returns the text file at a path; null if there is none. */
export function findTextFile({ sql, layer }: Source, path: StorePath): Candidate | null {
  const rows = sql.exec(`${selectTexts(layer, 'NULL')} AND f.path = ?`, path)
  return Array.from(rows.raw<TextRow>(), candidateOf)[0] ?? null
}

const selectTexts = (layer: Layer, content: string) =>
  `SELECT ${COLUMNS}, ${content}, b.text FROM ${layer.read.files} f JOIN blobs b ON b.id = f.blob WHERE b.text <> 0`

function candidateOf(row: TextRow): Candidate {
  const [path, blob, size, mime, version, mtime, executable, content, text] = row
  const file = { path: path as StorePath, blob, size, mime, version, mtime }
  const mode = executable ? { executable: true as const } : {}
  return { type: 'file', ...file, ...mode, content, encoding: encodingAt(text) }
}

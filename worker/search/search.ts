/**
 * The search index: finds which files may match, without reading all of them.
 *
 * Trigrams of text blobs are stored in SQLite's FTS5, filled by the alarm in small batches (`index-queue.ts`) as soon as
 * enough waits for it (`index-due.ts`). A blob that is not indexed yet is always a candidate, so a result is complete at
 * any time, and the index only makes it faster.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { MAX_SEARCH_FILE_BYTES } from '../limits.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { hasRoomFor } from '../store/disk-space.ts'
import { draftLayer, WORKSPACE_LAYER, type Layer } from '../store/layer.ts'
import type { PathRanges } from '../store/path-ranges.ts'
import { writeMeta } from '../database/schema.ts'
import type { AppliedSteps, FileEntry, Store } from '../store/store.ts'
import { searchedText } from '../texts/text.ts'
import { findCandidates, findTextFile, type Candidate, type Candidates } from './candidates.ts'
import { findBinaryFiles, type BinaryFiles, type Sight } from './binary-files.ts'
import { createIndexDue } from './index-due.ts'
import { countUnindexed, isWaiting, nextBatch, recordTurn, type Batch } from './index-queue.ts'
import { fillNames } from './name-index.ts'
import { foldForIndex } from './trigrams.ts'
import { readTables, transaction, type Tables } from '../database/table-groups.ts'

/** The search of one workspace. */
export interface Search {
  /** See {@link findCandidates}. The files come in path order. */
  candidates(folder: StorePath, query: string | null, within?: PathRanges): Candidates
  /** See {@link findBinaryFiles}. */
  binaries(folder: StorePath, sight?: Sight): BinaryFiles
  /** Whether a file is text, or a document, which may have one. */
  isText(file: FileEntry): boolean
  /**
   * The text of a candidate, or null if it is too large to be searched. Where history has dropped it meanwhile, it is
   * what the file has now: nothing, if there is no such text file any more. `mayExtract` is called for a document whose
   * text was not extracted yet: without it, the text is empty.
   */
  text(file: Candidate, mayExtract?: () => boolean): MaybePromise<string | null>
  /** Runs a search. Indexing pauses until it ends, because a caller waits for the search. */
  first<T>(work: () => Promise<T>): Promise<T>
  /** Indexes a batch of names or of blobs. Resolves to whether there are more. */
  fill(): Promise<boolean>
  /** The number of blobs that were indexed, or passed over, since the object was opened. */
  filled(): number
  /** The number of blobs that are not indexed yet; at most that many where it is more than some thousands. */
  unindexed(): number
}

/** The search of a workspace, and of the drafts over it. */
export interface WorkspaceSearch extends Search {
  /** Counts changes that were applied. Returns whether the index has to be filled soon. */
  isDueAfter(applied: readonly AppliedSteps[]): boolean
  /** Searches the files as a draft shows them. */
  draft(id: number): Search
}

/** The services of a search, how many searches are running, and how many blobs were indexed. */
interface SearchContext {
  readonly storage: DurableObjectStorage
  readonly sql: SqlStorage
  readonly store: Store
  readonly due: ReturnType<typeof createIndexDue>
  searching: number
  filled: number
}

/** Creates the search over the files of a store. */
export function createSearch(storage: DurableObjectStorage, store: Store): WorkspaceSearch {
  const { sql } = storage
  const due = createIndexDue(sql, store)
  const context: SearchContext = { storage, sql, store, due, searching: 0, filled: 0 }
  return {
    ...searchIn(context, WORKSPACE_LAYER, readTables(sql, 'texts')),
    isDueAfter: (applied) => due.addsEnough(applied),
    draft: (id) => searchIn(context, draftLayer(id), readTables(sql, 'drafts', 'texts')),
  }
}

function searchIn(context: SearchContext, layer: Layer, sql: Tables): Search {
  const { store } = context
  const source = { store, layer, sql }
  return {
    candidates: (folder, query, within) => findCandidates(source, folder, query, within),
    binaries: (folder, sight) => findBinaryFiles(source, folder, sight),
    isText: ({ path }) => findTextFile(source, path) !== null,
    text: (file, mayExtract) => readText(source, file, mayExtract),
    first: (work) => runFirst(context, work),
    fill: () => fill(context),
    filled: () => context.filled,
    unindexed: () => countUnindexed(context.sql),
  }
}

/** A search in a layer. */
interface LayerContext extends Pick<SearchContext, 'store'> {
  readonly layer: Layer
  readonly sql: Tables
}

function readText(
  context: LayerContext,
  file: Candidate,
  mayExtract?: () => boolean,
): MaybePromise<string | null> {
  if (file.size > MAX_SEARCH_FILE_BYTES && !isDocument(context, file)) return null
  const { content, encoding = 'binary' } = file
  if (typeof content === 'string') return content
  const text = content ? searchedText(new Uint8Array(content), encoding) : null
  return text ?? fetchText(context, file, mayExtract)
}

/** The limit of files is that of text: the size of a document says nothing of its text, which is never larger. */
const isDocument = ({ store }: LayerContext, file: Candidate): boolean =>
  store.contentOf(file)?.encoding === 'document'

async function fetchText(
  context: LayerContext,
  { blob, path }: Candidate,
  mayExtract?: () => boolean,
): Promise<string | null> {
  const text = await context.store.blobText(blob, mayExtract)
  if (text !== null) return text
  const now = findTextFile(context, path)
  if (now?.blob === blob) throw new Error('Cannot read the content of a file: it does not exist')
  return now ? readText(context, now, mayExtract) : ''
}

async function runFirst<T>(context: SearchContext, work: () => Promise<T>): Promise<T> {
  context.searching++
  try {
    return await work()
  } finally {
    context.searching--
  }
}

async function fill(context: SearchContext): Promise<boolean> {
  if (context.searching > 0) return true
  // Indexing can wait: a search reads blobs that are not indexed.
  if (!hasRoomFor(1)) return false
  // A batch of one or the other: a search that arrives meanwhile waits for it.
  if (!fillNames(context.storage, context.store.totals)) return fillTexts(context)
  context.filled++
  return true
}

/** Indexes a batch of blobs. One that cannot be read waits again, and throws once the others are indexed. */
async function fillTexts(context: SearchContext): Promise<boolean> {
  const { blobs, to } = nextBatch(context.sql)
  const { texts, fault } = await readTexts(context, blobs)
  const waiting = transaction(context.storage, () => {
    const again = blobs.filter(({ id }) => !recordTurn(context.sql, id, texts.get(id)))
    writeMeta(context.sql, { indexed_to: to })
    return again
  })
  context.filled += blobs.length - waiting.length
  context.due.filled()
  if (waiting.some(({ current }) => current === 1))
    throw fault ?? new Error('Cannot index the content of a file: it does not exist')
  return isWaiting(context.sql)
}

/** Reads the texts of a batch, and returns the last error of those that cannot be read. */
async function readTexts({ store }: SearchContext, blobs: Batch['blobs']) {
  const texts = new Map<number, string>()
  let fault: unknown = null
  for (const { id, current } of blobs) {
    try {
      // The blob may be dropped while another one is being fetched.
      const content = current ? await store.blobText(id) : null
      if (content !== null) texts.set(id, foldForIndex(content))
    } catch (error) {
      fault = error
    }
  }
  return { texts, fault }
}

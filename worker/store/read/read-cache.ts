/**
 * A cache in memory of recent reads, because agents read the same few files repeatedly.
 *
 * Entries are valid until a change concerns them. The id of a blob always names the same content, so content is
 * evicted only to make room. Reads of many files bypass the cache: they would evict what is read again, and
 * leave the garbage collector with long-lived buffers (`test/load/memory.nightly.test.ts`).
 * `test/worker/store/read-cache.test.ts` tests the cache.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import { INLINE_BYTES } from '../../limits.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import type { Opened } from './entries.ts'
import type { Content, Entry, FileEntry, Step, Store } from '../store.ts'

/** Maximum number of cached entries, including absent paths, and maximum number of cached contents. */
const MAX_ENTRIES = 1_000

/** Maximum size in bytes of one cached content, and of all together. */
const MAX_CONTENT = INLINE_BYTES
const MAX_CONTENTS = 2 * 1024 * 1024

/** The entries that a change has written, by path; null if it moved or deleted any. */
export type Written = ReadonlyMap<StorePath, Entry> | null

/** The reads that are cached. */
export interface Reads extends Pick<Store, 'stat' | 'bytes'> {
  /** Reads an entry, and its content if that costs little more. */
  readonly open: (path: StorePath) => Opened
}

/** The cached entries and contents, and the reads behind them. */
interface Cache {
  readonly reads: Reads
  readonly entries: Map<StorePath, Entry | null>
  readonly contents: Map<number, ReadonlyBytes>
  /**
   * The content that came with the last entry. Only a second read keeps it: most files of a large workspace are read
   * once, and buffers that live longer than their call are collected late.
   */
  opened: { readonly blob: number; readonly bytes: ReadonlyBytes } | null
  /** Bytes of all contents. */
  held: number
}

/**
 * Wraps reads with the cache. Call `changed` or `wrote` after every change, and `rolledBack` when one was taken back.
 */
export function createRecent(reads: Reads) {
  const cache: Cache = { reads, entries: new Map(), contents: new Map(), opened: null, held: 0 }
  return {
    stat: (path: StorePath) => statRecent(cache, path),
    open: (path: StorePath) => openRecent(cache, path),
    bytes: (file: FileEntry) => readRecent(cache, file),
    wrote: (written: Written, steps: readonly Step[]) => keepWritten(cache, written, steps),
    changed: () => cache.entries.clear(),
    rolledBack: () => forgetAll(cache),
  }
}

function statRecent(cache: Cache, path: StorePath): Entry | null {
  const known = cache.entries.get(path)
  return known === undefined ? keepEntry(cache, path, cache.reads.stat(path)) : known
}

function openRecent(cache: Cache, path: StorePath): Entry | null {
  const known = cache.entries.get(path)
  if (known !== undefined) return known
  const { entry, bytes } = cache.reads.open(path)
  if (entry?.type === 'file' && bytes) cache.opened = { blob: entry.blob, bytes }
  return keepEntry(cache, path, entry)
}

function keepEntry({ entries }: Cache, path: StorePath, entry: Entry | null): Entry | null {
  if (entries.size >= MAX_ENTRIES) entries.clear()
  entries.set(path, entry)
  return entry
}

function readRecent(cache: Cache, file: FileEntry): MaybePromise<ReadonlyBytes> {
  const known = cache.contents.get(file.blob)
  if (known) return known
  if (cache.opened?.blob === file.blob) return cache.opened.bytes
  const read = cache.reads.bytes(file)
  return read instanceof Promise
    ? read.then((bytes) => keepRead(cache, file, bytes))
    : keepRead(cache, file, read)
}

function keepRead(cache: Cache, { blob }: FileEntry, read: ReadonlyBytes): ReadonlyBytes {
  if (read.length <= MAX_CONTENT) keepContent(cache, blob, read)
  return read
}

function keepContent(cache: Cache, blob: number, read: ReadonlyBytes): void {
  const { contents } = cache
  if (contents.has(blob)) return
  contents.set(blob, read)
  cache.held += read.length
  for (const [oldest, { length }] of contents) {
    if (cache.held <= MAX_CONTENTS && contents.size <= MAX_ENTRIES) break
    contents.delete(oldest)
    cache.held -= length
  }
}

/** Keeps what a change has written, as the next call often concerns the same file. */
function keepWritten(cache: Cache, written: Written, steps: readonly Step[]): void {
  const { entries } = cache
  if (written === null || written.size > MAX_ENTRIES / 2) return entries.clear()
  if (entries.size + written.size > MAX_ENTRIES) entries.clear()
  for (const [path, entry] of written) entries.set(path, entry)
  const [step] = steps
  if (step?.type !== 'put' || steps.length > 1) return
  const entry = written.get(step.path)
  if (entry?.type === 'file') keepHeld(cache, entry.blob, step.content)
}

/** Bytes that are a part of a larger buffer would keep all of it. */
function keepHeld(cache: Cache, blob: number, { place }: Content): void {
  const bytes = place.type === 'blob' ? undefined : place.bytes
  if (!bytes || bytes.length > MAX_CONTENT || bytes.length < bytes.buffer.byteLength) return
  keepContent(cache, blob, bytes)
}

/** Forgets everything: a change was rolled back, and the next one may use the ids of its blobs again. */
function forgetAll(cache: Cache): void {
  cache.entries.clear()
  cache.contents.clear()
  cache.opened = null
  cache.held = 0
}

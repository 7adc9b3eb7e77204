/**
 * A cache in memory of recent reads, because agents read the same few files repeatedly.
 *
 * Entries are valid until the next change. The id of a blob always names the same content, so content is
 * evicted only to make room. Reads of many files bypass the cache: they would evict what is read again, and
 * leave the garbage collector with long-lived buffers (`test/load/memory.slow.test.ts`).
 * `test/worker/store/read-cache.test.ts` tests the cache.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Entry, FileEntry, Store } from './store.ts'

/** Maximum number of cached entries, including absent paths, and maximum number of cached contents. */
const MAX_ENTRIES = 1_000

/** Maximum size in bytes of one cached content, and of all together. */
const MAX_CONTENT = 64 * 1024
const MAX_CONTENTS = 1024 * 1024

/** The reads that are cached. */
export type Reads = Pick<Store, 'stat' | 'bytes'>

/** Wraps reads with the cache. Call `changed` after every change. */
export function createRecent({ stat, bytes }: Reads) {
  const entries = new Map<StorePath, Entry | null>()
  const contents = new Map<number, Uint8Array>()
  let held = 0

  function statRecent(path: StorePath): Entry | null {
    const known = entries.get(path)
    if (known !== undefined) return known
    if (entries.size >= MAX_ENTRIES) entries.clear()
    const entry = stat(path)
    entries.set(path, entry)
    return entry
  }

  /** The bytes are shared with later readers and must not be modified. */
  async function bytesRecent(file: FileEntry): Promise<Uint8Array> {
    const known = contents.get(file.blob)
    if (known) return known
    const read = await bytes(file)
    if (read.length <= MAX_CONTENT) keep(file.blob, read)
    return read
  }

  function keep(blob: number, read: Uint8Array): void {
    if (contents.has(blob)) return
    contents.set(blob, read)
    held += read.length
    for (const [oldest, { length }] of contents) {
      if (held <= MAX_CONTENTS && contents.size <= MAX_ENTRIES) break
      contents.delete(oldest)
      held -= length
    }
  }

  return { stat: statRecent, bytes: bytesRecent, changed: () => entries.clear() }
}

/**
 * What was read lately, in memory, because agents read the same few files again and again.
 *
 * Entries hold until the next change. The id of a blob names one content for ever, so content is only
 * let go when the room is needed for other. Passing over many files goes by it: that would push out what
 * is read again, and leave the collector with buffers that have grown old (`test/slow/memory.test.ts`).
 * `test/worker/store-recent.test.ts` holds all else to it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Entry, FileEntry, Store } from './store.ts'

/** Entries that are remembered, also of paths at which there is nothing; and contents, however small. */
const MAX_ENTRIES = 1_000

/** Bytes of one content that is remembered, and of all together. */
const MAX_CONTENT = 64 * 1024
const MAX_CONTENTS = 1024 * 1024

export type Reads = Pick<Store, 'stat' | 'bytes'>

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

  /** The bytes are shared with whoever reads them next: they are for reading only. */
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

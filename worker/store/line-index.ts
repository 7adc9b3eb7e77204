/**
 * Line indexes: where some lines of large texts begin, so that a part of a text is read without all of it.
 *
 * They are in memory only, and are made by the first read of a text (`worker/tools/lib/large-text.ts`). The id of a blob
 * always names the same content, so an index stays true. `test/worker/tools/large-text.test.ts` tests them.
 *
 * @module
 */

import { dropOldest } from '../drop-oldest.ts'
import { MAX_INDEXED_TEXTS } from '../limits.ts'
import type { TextEncoding } from '../texts/encoding.ts'
import type { FileEntry } from './store.ts'

/** The beginning of a line: how many lines and bytes are before it. */
export interface Mark {
  readonly lines: number
  readonly offset: number
}

/** What is known of a text. */
export interface LineIndex {
  /** Lines of the text. */
  readonly total: number
  readonly encoding: TextEncoding
  /** The beginnings of some lines, in their order, the first one included. */
  readonly marks: readonly Mark[]
}

/** The texts of a workspace and its drafts that were read last. */
export interface LineIndexes {
  readonly find: (file: Pick<FileEntry, 'blob'>) => LineIndex | null
  readonly keep: (file: Pick<FileEntry, 'blob'>, index: LineIndex) => void
}

/** Creates an empty cache. */
export function createLineIndexes(): LineIndexes {
  const kept = new Map<number, LineIndex>()
  function keep({ blob }: Pick<FileEntry, 'blob'>, index: LineIndex): void {
    kept.delete(blob)
    kept.set(blob, index)
    dropOldest(kept, MAX_INDEXED_TEXTS)
  }
  function find(file: Pick<FileEntry, 'blob'>): LineIndex | null {
    const found = kept.get(file.blob)
    if (found) keep(file, found)
    return found ?? null
  }
  return { find, keep }
}

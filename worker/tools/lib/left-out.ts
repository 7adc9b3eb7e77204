/**
 * What a search has left out: a result that does not say so would say that something is not there where nothing was read.
 *
 * `test/worker/tools/search-notes.test.ts` tests it.
 *
 * @module
 */

import { shortNames } from '../../errors/short.ts'
import { MAX_SEARCH_FILE_BYTES, MAX_SEARCH_SCAN_BYTES } from '../../limits.ts'

/** What a search has left out. */
export interface LeftOut {
  /** Files that are not text. */
  binary: readonly string[]
  /** Whether `binary` has all of them. */
  isComplete: boolean
  /** Files that are too large. */
  readonly large: string[]
  /** Files for which no room was left, because others had so many bytes. */
  unread: number
  /** Files that may match, with a hidden name in their path. */
  hidden: number
  /** Documents whose text is not extracted yet. */
  readonly waiting: string[]
  /** Files with bytes that are not UTF-8, in which a pattern beyond ASCII may have missed a match. */
  readonly damaged: string[]
}

/** Creates what a search leaves out, without anything yet. */
export const createLeftOut = (): LeftOut => ({
  binary: [],
  isComplete: true,
  large: [],
  unread: 0,
  hidden: 0,
  waiting: [],
  damaged: [],
})

/** Counts the files that were in scope, and were not searched. */
export const countSkipped = ({ binary, large, unread, waiting }: LeftOut): number =>
  binary.length + large.length + unread + waiting.length

/** Files of each reason that are named where nothing was found. */
const NAMED = 3

/** Says what was left out; null if nothing was. Where nothing was found, it names some of the files. */
export function describeLeftOut(left: LeftOut, isEmpty: boolean): string | null {
  const { binary, isComplete, large, unread, hidden, waiting, damaged } = left
  const named = (files: readonly string[]) =>
    isEmpty ? `: ${shortNames(files, NAMED).join(', ')}${files.length > NAMED ? ', …' : ''}` : ''
  const parts = [
    binary.length > 0 && `${binary.length}${isComplete ? '' : ' or more'} not text${named(binary)}`,
    large.length > 0 &&
      `${large.length} larger than ${MAX_SEARCH_FILE_BYTES} bytes, use read_file${named(large)}`,
    unread > 0 &&
      `${unread} after ${MAX_SEARCH_SCAN_BYTES} bytes of others, narrow it with root or glob`,
    waiting.length > 0 &&
      `${waiting.length} documents still to be read, search again later${named(waiting)}`,
    hidden > 0 && `${hidden} hidden, set hidden`,
  ].filter((part) => part !== false)
  const all = isComplete || binary.length > 0 ? parts : [...parts, 'maybe some not text']
  const unsearched = all.length === 0 ? [] : [`files not searched: ${all.join('; ')}`]
  const partly =
    damaged.length === 0
      ? []
      : [`${damaged.length} not UTF-8, where only ASCII and . can match${named(damaged)}`]
  return [...unsearched, ...partly].join('; ') || null
}

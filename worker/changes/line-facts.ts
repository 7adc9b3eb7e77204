/**
 * Facts about the lines of a difference, without the lines: how many were added and removed, and whether the added ones
 * have hidden characters. They follow from the two contents alone, so they are kept by their hashes.
 * `test/worker/drafts/risks.test.ts` reads them through a review.
 *
 * @module
 */

import { diffLines } from '#core/diff/lines.ts'
import { hasHidden } from '#core/visible.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { FileView } from '../access/file-view.ts'
import { isTextEncoding } from '../texts/encoding.ts'
import { MAX_COUNTED_BYTES, MAX_DIFF_BYTES } from '../limits.ts'
import { dropOldest } from '../drop-oldest.ts'
import { keyOf, readText, sizeOf, type FileStates } from './shown-diff.ts'

/** What comparing two texts by lines gives. */
export interface LineFacts {
  readonly added: number
  readonly removed: number
  /** Lines of the old text that stay. */
  readonly kept: number
  /** Whether an added line has a hidden character. */
  readonly hides: boolean
}

/** Bytes of a pair of texts beyond which its lines are not counted, and from which it takes a while. */
const MAX_COUNTED_TEXT = 512 * 1024
const LONG_BYTES = 128 * 1024

/** What is known of pairs of contents, by their hashes. */
const known = new Map<string, LineFacts>()

/** Maximum number of pairs in memory. */
const MAX_KNOWN = 10_000

type Contents = Pick<ReadStore, 'contentOf'> & Pick<FileView, 'bytes'>

/**
 * Returns the facts of each difference, in order; null where one of the states is no text, and beyond
 * {@link MAX_COUNTED_BYTES} in all.
 */
export async function lineFactsOf(
  list: readonly FileStates[],
  store: Contents,
): Promise<(LineFacts | null)[]> {
  const facts: (LineFacts | null)[] = []
  let left = MAX_COUNTED_BYTES
  for (const states of list) {
    const size = sizeOf(states)
    const isCompared = size <= left && size <= MAX_COUNTED_TEXT && isText(states, store)
    facts.push(isCompared ? await compare(states, store) : null)
    if (!isCompared) continue
    left -= size
    // Other requests get a turn.
    if (size > LONG_BYTES) await scheduler.wait(0)
  }
  return facts
}

function isText({ before, after }: FileStates, store: Contents): boolean {
  return [before, after].every(
    (file) =>
      file === null ||
      (file.size <= MAX_DIFF_BYTES && isTextEncoding(store.contentOf(file)?.encoding)),
  )
}

async function compare(states: FileStates, store: Contents): Promise<LineFacts | null> {
  const key = keyOf(states, store)
  const found = known.get(key)
  if (found) return found
  const before = await readText(states.before, store)
  const after = await readText(states.after, store)
  if (before === null || after === null) return null
  const facts = factsBetween(before.text, after.text)
  known.set(key, facts)
  dropOldest(known, MAX_KNOWN)
  return facts
}

/** Compares two texts. */
export function factsBetween(before: string, after: string): LineFacts {
  const { old, new: next, changes } = diffLines(before, after)
  let [added, removed] = [0, 0]
  let hides = false
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    removed += oldEnd - oldStart
    added += newEnd - newStart
    hides ||= next.texts.slice(newStart, newEnd).some(hasHiddenIn)
  }
  return { added, removed, kept: old.texts.length - removed, hides }
}

/** The carriage return of a line ending is none. */
const hasHiddenIn = (line: string) => hasHidden(line.endsWith('\r') ? line.slice(0, -1) : line)

/**
 * Where the lines of threads are now. It is computed when a thread is read, and no change of a file writes it.
 * `test/worker/comments/comments.test.ts` has the cases.
 *
 * @module
 */

import { followLines, type LineRange } from '#core/diff/follow-lines.ts'
import type { CommentAnchor, FollowedThread, Thread } from '../access/comment.ts'
import { dropOldest } from '../drop-oldest.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { MAX_FOLLOWED_BYTES } from './limits.ts'

/** Finds the file that an anchor is about, in the state that its reader sees. */
export type StateOf = (anchor: CommentAnchor) => FileEntry | null

type TextOf = (blob: number) => Promise<string | null>

/** Adds to each thread the lines that it is about now. */
export async function followThreads(
  threads: readonly Thread[],
  stateOf: StateOf,
  store: Pick<Store, 'blobText'>,
): Promise<FollowedThread[]> {
  const textOf = cacheTexts(store)
  const found = new Map<string, LineRange | null>()
  for (const { id, anchor } of threads.toSorted(byContent))
    found.set(id, anchor && (await followAnchor(anchor, stateOf(anchor), textOf)))
  return threads.map((thread) => ({ ...thread, lines: found.get(thread.id) ?? null }))
}

/** So that each text is read once, although few are in memory at a time. */
const byContent = ({ anchor: a }: Thread, { anchor: b }: Thread) =>
  Number(a !== null) - Number(b !== null) ||
  (a?.path ?? '').localeCompare(b?.path ?? '') ||
  (a?.side ?? '').localeCompare(b?.side ?? '') ||
  (a?.blob ?? 0) - (b?.blob ?? 0)

/** Texts in memory: the earlier and the later one of a comparison. */
const KEPT_TEXTS = 2

function cacheTexts({ blobText }: Pick<Store, 'blobText'>): TextOf {
  const texts = new Map<number, string | null>()
  return async (blob) => {
    const known = texts.get(blob)
    if (known !== undefined) return known
    const text = await blobText(blob)
    texts.set(blob, text)
    dropOldest(texts, KEPT_TEXTS)
    return text
  }
}

async function followAnchor(
  { blob, lines, quote, isCut }: CommentAnchor,
  file: FileEntry | null,
  textOf: TextOf,
): Promise<LineRange | null> {
  if (file?.blob === blob) return lines
  if (file === null || file.size > MAX_FOLLOWED_BYTES) return null
  const text = await textOf(file.blob)
  const before = await textOf(blob)
  if (text === null) return null
  return followLines({ range: lines, quote: isCut ? null : quote, before }, text)
}

/**
 * Where the lines of threads are now. It is computed when a thread is read, and no change of a file writes it.
 * `test/worker/comments/comments.test.ts` has the cases.
 *
 * @module
 */

import { createFollower, type LineRange } from '#core/diff/follow-lines.ts'
import type { CommentAnchor, FollowedThread, Thread } from '../access/comment.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { MAX_FOLLOWED_BYTES, MAX_FOLLOWED_IN_ALL } from './limits.ts'

/** Finds the file that an anchor is about, in the state that its reader sees. */
export type StateOf = (anchor: CommentAnchor) => FileEntry | null

/** Adds to each thread the lines that it is about now. */
export async function followThreads(
  threads: readonly Thread[],
  stateOf: StateOf,
  store: Pick<Store, 'blobText'>,
): Promise<FollowedThread[]> {
  const followerOf = keepFollower(store)
  const found = new Map<string, LineRange | null>()
  for (const { id, anchor } of threads.toSorted(byContent))
    found.set(id, anchor && (await followAnchor(anchor, stateOf(anchor), followerOf)))
  return threads.map((thread) => ({ ...thread, lines: found.get(thread.id) ?? null }))
}

/** So that two texts are compared once for all threads on them, although few are in memory at a time. */
const byContent = ({ anchor: a }: Thread, { anchor: b }: Thread) =>
  Number(a !== null) - Number(b !== null) ||
  (a?.path ?? '').localeCompare(b?.path ?? '') ||
  (a?.side ?? '').localeCompare(b?.side ?? '') ||
  (a?.blob ?? 0) - (b?.blob ?? 0)

type Follower = ReturnType<typeof createFollower>
type FollowerOf = (blob: number, file: FileEntry) => Promise<Follower | null>

/** Keeps the newest comparison. Beyond {@link MAX_FOLLOWED_IN_ALL} bytes nothing more is compared. */
function keepFollower({ blobText }: Pick<Store, 'blobText'>): FollowerOf {
  let key = ''
  let follower: Follower | null = null
  let left = MAX_FOLLOWED_IN_ALL
  return async (blob, file) => {
    if (key === `${blob} ${file.blob}`) return follower
    // Other requests get a turn.
    await scheduler.wait(0)
    left -= file.size
    const text = left < 0 ? null : await blobText(file.blob)
    key = `${blob} ${file.blob}`
    const old = text === null ? null : await blobText(blob)
    // The text of a document may be longer than its bytes.
    const isShort = [old, text].every((one) => (one?.length ?? 0) <= MAX_FOLLOWED_BYTES)
    follower = text === null || !isShort ? null : createFollower(old, text)
    return follower
  }
}

async function followAnchor(
  { blob, lines, quote, isCut }: CommentAnchor,
  file: FileEntry | null,
  followerOf: FollowerOf,
): Promise<LineRange | null> {
  if (file?.blob === blob) return lines
  if (file === null || file.size > MAX_FOLLOWED_BYTES) return null
  const follow = await followerOf(blob, file)
  return follow && follow({ range: lines, quote: isCut ? null : quote })
}

/**
 * What becomes of the comments of a draft: those on paths that were approved go on on the applied files. Once nothing of
 * the draft waits, the others stay with the decision for a while.
 *
 * A comment quotes the state of the file that it was written on. If that is not the state that was applied, it quotes what
 * only the agent of the draft has seen, so no other agent may read it; nor may one read what that agent replied. `test/worker/comments/settle.test.ts` has the cases.
 *
 * @module
 */

import { isWithin, type StorePath } from '#core/path.ts'
import type { CommentAnchor } from '../access/comment.ts'
import type { CommentsContext } from './comments.ts'
import { MAX_CLOSED_COMMENT_DAYS } from './limits.ts'

/** A decision on changes of a draft. */
export interface Settled {
  /** The public id of the draft. */
  readonly draft: string
  /** The paths that its decided changes name. */
  readonly paths: readonly StorePath[]
  readonly isApproved: boolean
  /** Whether nothing of the draft waits any more. */
  readonly isOver: boolean
  /** Lists the paths of what still waits. */
  readonly waiting: () => readonly StorePath[]
}

const DAY_MS = 24 * 60 * 60 * 1000

/** For how long (ms) the comments of a draft are kept that was not applied. */
export const CLOSED_TIME = MAX_CLOSED_COMMENT_DAYS * DAY_MS

/** Keeps the comments of a draft with what was decided on it. */
export function settleThreads(
  context: CommentsContext,
  { draft, paths, isApproved, isOver, waiting }: Settled,
): void {
  const { table, wakeAt } = context
  const now = Date.now()
  const left = table.heads('draft = ? AND closed IS NULL', draft)
  // A comment on a path of which more waits is about that.
  const still = left.length > 0 ? waiting() : []
  const isOn = (anchor: CommentAnchor, list: readonly StorePath[]) =>
    list.some((path) => isWithin(anchor.path, path))
  for (const { id, anchor, reader } of left) {
    if (isApproved && anchor && isOn(anchor, paths) && !isOn(anchor, still))
      table.moveToFile(id, isForAll(context, id, anchor) ? null : reader)
    else if (isOver) table.close(id, now)
  }
  if (isOver && left.length > 0) wakeAt(now + CLOSED_TIME)
}

/** Whether all who may read the file may read a thread: its agent has written nothing in it that was for the owner alone. */
const isForAll = (context: CommentsContext, id: string, anchor: CommentAnchor): boolean =>
  isApplied(context, anchor) &&
  context.table.count('comments WHERE thread = ? AND agent = 1', id) === 0

/** Whether a comment quotes what the workspace has, or had before the draft. */
function isApplied({ store }: CommentsContext, { path, side, blob }: CommentAnchor): boolean {
  const entry = store.stat(path)
  return side === 'before' || (entry?.type === 'file' && entry.blob === blob)
}

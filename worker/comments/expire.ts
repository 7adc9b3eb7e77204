/**
 * Comments that are kept no longer: of drafts that were not applied, after a while, and of files of which history has no
 * content any more. `test/worker/comments/settle.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { CommentsContext } from './comments.ts'
import { CLOSED_TIME } from './settle.ts'

/** Paths that one alarm looks at. */
const PATHS_AT_ONCE = 50

/** Drops what is due. Returns when the next is due, or null. */
export function expireComments(context: CommentsContext, now: number): number | null {
  const { table } = context
  if (!table.exists()) return null
  dropForgotten(context)
  for (const { id } of table.heads('closed <= ?', now - CLOSED_TIME)) table.removeThread(id)
  const first = table.firstClosed()
  return first === null ? null : first + CLOSED_TIME
}

/** Looks at some paths, and at the next ones at the next alarm. */
function dropForgotten(context: CommentsContext): void {
  const { table } = context
  const paths = table.pathsAfter(context.lookedAt, PATHS_AT_ONCE)
  context.lookedAt = paths.length < PATHS_AT_ONCE ? '' : (paths.at(-1) ?? '')
  for (const path of paths)
    if (isForgotten(context, path))
      for (const { id } of table.heads('path = ? AND draft IS NULL', path)) table.removeThread(id)
}

/** Whether there is no file at a path, and history has no content of one. */
const isForgotten = ({ store }: CommentsContext, path: StorePath) =>
  store.stat(path) === null && !store.history(path, KEPT).some(({ file }) => file !== null)

/** Versions of a path that may be deletions. */
const KEPT = 2

/**
 * The comments on a draft as a whole, and the request for changes, which decides nothing.
 * `test/host/console/comments.test.tsx` has the cases.
 *
 * @module
 */

import { createContext } from 'preact'
import { Fault } from '../ui/parts.tsx'
import { formatCount } from '../ui/format.ts'
import { CommentForm } from './comment-form.tsx'
import { Threads } from './threads.tsx'
import type { Comments } from './use-comments.ts'

/** The comments of the draft that is shown, for its lines; null elsewhere. */
export const ShownComments = createContext<Comments | null>(null)

/** Shows the threads on the draft as a whole, those on files that it no longer has, and a form. */
export function DraftComments({
  comments,
  paths,
}: {
  readonly comments: Comments
  /** The paths of the files that are listed, whose threads are with their lines. */
  readonly paths: ReadonlySet<string>
}) {
  const { threads, left, error, reload } = comments
  const own = threads.filter(({ path }) => path === null || !paths.has(path))
  return (
    <section class="draftcomments" aria-label="Comments">
      <h2>Comments</h2>
      {error !== null && <Fault what="Cannot read the comments" error={error} retry={reload} />}
      <Threads threads={own} comments={comments} />
      {left > 0 && <p class="faint small">{formatCount(left, 'earlier comment')} not shown.</p>}
      <CommentForm
        label="Comment on the draft"
        onSend={(text) => comments.add(text)}
        other={{ label: 'Request changes', onSend: comments.requestChanges }}
      />
      <p class="faint small">
        A request for changes leaves the draft open. The agent reads it with its next result.
      </p>
    </section>
  )
}

/**
 * Threads of comments: what the owner wrote, and what agents replied, which is drawn as their claim.
 * `test/host/console/comments.test.tsx` has the cases.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import type { CommentThread } from '#core/owner/answers/comments.ts'
import { ClaimedName, ClaimedText } from '../ui/claimed-name.tsx'
import { Badge, When } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import type { Comments } from './use-comments.ts'
import { CommentForm } from './comment-form.tsx'

interface Props {
  readonly threads: readonly CommentThread[]
  readonly comments: Comments
}

/** Lists threads, oldest first. */
export function Threads({ threads, comments }: Props) {
  if (threads.length === 0) return null
  return (
    <ul class="threads">
      {threads.toReversed().map((thread) => (
        <li key={thread.id}>
          <Thread thread={thread} comments={comments} />
        </li>
      ))}
    </ul>
  )
}

function Thread({ thread, comments }: { thread: CommentThread; comments: Comments }) {
  const [replies, setReplies] = useState(false)
  const { id, resolved } = thread
  const send = async (text: string) => {
    const isSent = await comments.reply(thread, text)
    if (isSent) setReplies(false)
    return isSent
  }
  return (
    <article class="thread" aria-label={`Comment ${placeOf(thread)}`}>
      <p class="small faint">
        {placeOf(thread)} {thread.request && <Badge tone="warning">changes requested</Badge>}{' '}
        {resolved !== null && <Badge>resolved</Badge>}
      </p>
      {thread.path !== null && thread.first === null && (
        <pre class="quote">
          <Visible text={thread.quote} />
        </pre>
      )}
      {thread.comments.map((comment) => (
        <Comment key={comment.id} {...comment} />
      ))}
      {replies && <CommentForm label="Reply" onSend={send} onCancel={() => setReplies(false)} />}
      <div class="row">
        <button type="button" class="button quiet small" onClick={() => setReplies(true)}>
          Reply
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() =>
            void (resolved === null ? comments.resolve(thread) : comments.reopen(thread))
          }
        >
          {resolved === null ? 'Resolve' : 'Reopen'}
        </button>
        <button type="button" class="button quiet small" onClick={() => void comments.remove(id)}>
          Delete
        </button>
      </div>
    </article>
  )
}

/** Names the lines of a thread. */
function placeOf({ path, first, last, side }: CommentThread): string {
  if (path === null) return 'On the draft as a whole'
  if (first === null) return 'Outdated: these lines are gone'
  const lines = first === last ? `line ${first}` : `lines ${first} to ${last ?? first}`
  return side === 'before' ? `On ${lines} before the change` : `On ${lines}`
}

function Comment({ text, agent, actor, email, at }: CommentThread['comments'][number]) {
  return (
    <div class="comment">
      <p class="small faint">
        {agent ? <ClaimedName name={actor} /> : <Owner email={email} />}, <When at={at} />
      </p>
      {agent ? <ClaimedText text={text} /> : <CommentText text={text} />}
    </div>
  )
}

const Owner = ({ email }: { readonly email: string | null }) =>
  email === null ? (
    <>You</>
  ) : (
    <bdi>
      <Visible text={email} />
    </bdi>
  )

const CommentText = ({ text }: { readonly text: string }) => (
  <div class="commenttext">
    {text.split('\n').map((line, index) => (
      <p key={index}>
        <Visible text={line} />
      </p>
    ))}
  </div>
)

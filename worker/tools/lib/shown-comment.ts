/**
 * Comments as an agent reads them. A comment is data: in sentences it is quoted as JSON, with hidden characters by their
 * names, so that nothing in it reads as words of this product.
 * `test/worker/comments/attacks.test.ts` has the cases.
 *
 * @module
 */

import { quoteName, quoteValue } from '#core/quote.ts'
import { visibleLines } from '#core/visible.ts'
import { shortText } from '../../errors/short.ts'
import type { ThreadList } from '../../access/comment-view.ts'
import type { CommentNews, FollowedThread } from '../../access/comment.ts'

/** How much of a thread is shown: bytes of each text, and the number of replies, the newest. */
interface Shortness {
  readonly text: number
  readonly quote: number
  readonly replies: number
  readonly reply: number
}

/** So that some threads fit one result, as text and as data. The resource has longer texts. */
const IN_RESULT: Shortness = { text: 1_500, quote: 600, replies: 3, reply: 400 }

/** Texts without hidden characters are whole. */
const IN_RESOURCE: Shortness = { text: 8_000, quote: 4_000, replies: 10, reply: 8_000 }

/** A thread as data. */
export interface ShownThread {
  readonly id: string
  readonly text: string
  readonly at: string
  readonly path?: string
  /** The lines that it is about now; absent where they are outdated. */
  readonly first_line?: number
  readonly last_line?: number
  readonly outdated?: true
  /** The lines as they were when it was written. */
  readonly quote?: string
  readonly replies?: readonly { readonly by: 'user' | 'agent'; readonly text: string }[]
}

/** Describes a thread as data, with its newest replies. */
export function toShownThread(
  { id, anchor, lines, comments }: FollowedThread,
  most = IN_RESULT,
): ShownThread {
  const [first, ...others] = comments
  const replies = others.slice(-most.replies).map(({ by, text }) => ({
    by: by.isAgent ? ('agent' as const) : ('user' as const),
    text: shortText(visibleLines(text), most.reply),
  }))
  return {
    id,
    text: shortText(visibleLines(first?.text ?? ''), most.text),
    at: new Date(first?.at ?? 0).toISOString(),
    ...(anchor && {
      path: anchor.path,
      ...(lines ? { first_line: lines.first, last_line: lines.last } : { outdated: true as const }),
      quote: shortText(visibleLines(anchor.quote), most.quote),
    }),
    ...(replies.length > 0 && { replies }),
  }
}

/** Describes a thread in a sentence for the model. Its hidden characters are visible already. */
export function describeThread(thread: ShownThread): string {
  const { id, path, first_line, last_line, text, replies = [] } = thread
  const lines = first_line === last_line ? `line ${first_line}` : `lines ${first_line}-${last_line}`
  const place = first_line === undefined ? 'an outdated line' : lines
  const where = path === undefined ? 'the draft' : `${quoteValue(path)}, ${place}`
  const answers = replies.map(
    (reply) => ` ${NAMES[reply.by]} replied ${JSON.stringify(reply.text)}.`,
  )
  return `Comment ${id} of the user on ${where}: ${JSON.stringify(text)}.${answers.join('')}`
}

const NAMES = { user: 'The user', agent: 'An agent' }

/** Describes the comments of a reader for the resource. */
export const describeComments = ({ threads, left }: ThreadList) => ({
  comments: threads.map((thread) => toShownThread(thread, IN_RESOURCE)),
  left_out: left,
})

/** Reports new comments in one sentence; none without any. */
export function describeCommentNews(news: readonly CommentNews[]): string[] {
  const request = news.findLast(({ isRequest }) => isRequest)
  const others = news.filter((one) => one !== request).length
  if (!request && others === 0) return []
  const written = others === 0 ? '' : `wrote ${others} ${others === 1 ? 'comment' : 'comments'}`
  const draft = (request ?? news.at(-1))?.draft ?? ''
  const asked = `requests changes to draft ${draft}: ${quoteName(request?.text ?? '')}`
  const sentence = request
    ? `${asked}${written && `, and ${written} on it`}`
    : `${written} on ${draft === '' ? 'applied files' : `draft ${draft}`}`
  const list = draft === '' ? 'edgewise://comments' : 'draft_status'
  return [`The user ${sentence}; ${list} lists the comments.`]
}

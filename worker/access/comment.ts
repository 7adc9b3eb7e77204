/**
 * Comments: what the owner writes on lines of a file, or on a draft, and what agents reply.
 *
 * A comment is data for an agent and gives no authority. `comment-view.ts` says who reads which.
 *
 * @module
 */

import type { LineRange } from '#core/diff/follow-lines.ts'
import type { StorePath } from '#core/path.ts'

/** The lines that a thread is about, in the state of the file that was commented on. */
export interface CommentAnchor {
  readonly path: StorePath
  /** The state of a draft: before it, or after it. Of an applied file it is `after`. */
  readonly side: 'before' | 'after'
  /** The content of the file. */
  readonly blob: number
  readonly lines: LineRange
  /** The lines, cut to their limit. */
  readonly quote: string
  /** Whether the quote was cut. */
  readonly isCut: boolean
}

/** Who wrote a comment. The names of an agent are its claim. */
export interface CommentAuthor {
  readonly isAgent: boolean
  readonly principal: string
  /** The address of the owner, if Cloudflare Access has proved it. */
  readonly email: string | null
  readonly session: string | null
  readonly label: string | null
}

/** One comment of a thread. */
export interface Comment {
  readonly id: string
  readonly text: string
  readonly by: CommentAuthor
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A thread without its comments. Times are in milliseconds since 1970. */
export interface ThreadHead {
  /** The id of the first comment. */
  readonly id: string
  /** The public id of the draft that it is about; null for a thread on an applied file. */
  readonly draft: string | null
  /** The key of the owner of a draft, if no other agent may read it: it quotes what was never applied. */
  readonly reader: string | null
  /** Null for a thread on a draft as a whole. */
  readonly anchor: CommentAnchor | null
  /** Whether it requests changes of the draft. */
  readonly isRequest: boolean
  readonly at: number
  readonly resolved: number | null
  /** When its draft was decided without it being applied; null while that is open. */
  readonly closed: number | null
}

/** A comment with its replies, oldest first. */
export interface Thread extends ThreadHead {
  readonly comments: readonly Comment[]
}

/** A thread with the lines that it is about now; null where they are outdated, and on a draft as a whole. */
export interface FollowedThread extends Thread {
  readonly lines: LineRange | null
}

/** A new comment for the agent of a draft. */
export interface CommentNews extends Pick<ThreadHead, 'draft' | 'isRequest'> {
  readonly path: StorePath | null
  readonly text: string
}

/** A reply to a thread that has the comment with this id. */
export interface Reply {
  readonly comment: string
  readonly text: string
}

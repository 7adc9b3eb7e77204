/**
 * The comments that one caller reads: those on applied files whose paths it may read now, and those of its own draft. A
 * comment quotes content, so a path that may only be written yields none, and no count. Of a draft of another caller there
 * are none. `test/worker/comments/access.test.ts` has the table.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { FileEntry, Store } from '../store/store.ts'
import type { Access } from './access.ts'
import type { CommentAnchor, CommentAuthor, FollowedThread, Reply, ThreadHead } from './comment.ts'
import type { DraftOwner } from './draft.ts'

/** The comments of a workspace, as its callers use them; see `comments/comments.ts`. */
export interface OpenComments {
  readonly ofDraft: (draft: string) => readonly ThreadHead[]
  readonly open: () => readonly ThreadHead[]
  readonly threadOf: (comment: string) => ThreadHead | null
  /** Reads the first threads. */
  readonly follow: (
    heads: readonly ThreadHead[],
    stateOf: (anchor: CommentAnchor) => FileEntry | null,
  ) => Promise<readonly FollowedThread[]>
  readonly reply: (
    thread: ThreadHead,
    text: string,
    writer: { readonly by: CommentAuthor; readonly budget: string },
  ) => Result<string, Problem>
  readonly hasNews: (owner: string) => boolean
  readonly nextDecision: (owner: string, ms: number, signal?: AbortSignal) => Promise<void>
}

/** Some threads, and the number of those that did not fit. */
export interface ThreadList {
  readonly threads: readonly FollowedThread[]
  readonly left: number
}

/** The comments of one caller. */
export interface CommentView {
  /** Lists the threads that are not resolved in its open draft. */
  readonly ofDraft: () => Promise<ThreadList>
  /** Lists all that it may read and that are not resolved. */
  readonly open: () => Promise<ThreadList>
  /** Returns why replies may not be sent, or null. */
  readonly refusalOf: (replies: readonly Reply[]) => Problem | null
  /** Sends all replies, or none. */
  readonly reply: (replies: readonly Reply[]) => Result<number, Problem>
}

/** The view of a caller without comments. */
export const NO_COMMENTS: CommentView = {
  ofDraft: () => Promise.resolve({ threads: [], left: 0 }),
  open: () => Promise.resolve({ threads: [], left: 0 }),
  refusalOf: ([first]) => (first ? { reason: 'no_comment', comment: first.comment } : null),
  reply: () => ok(0),
}

/** What a view is made of. `store` has the draft of the caller, `base` the workspace alone. */
interface CommentViewParts {
  readonly comments?: OpenComments | undefined
  readonly base: Pick<Store, 'stat'>
  readonly store: Pick<Store, 'stat'>
  readonly drafts: { readonly of: (owner: string) => { readonly name: string } | null }
}

/** Whether a caller may read a thread, or learn that there is one. */
export function maySeeThread(
  { reader, anchor }: Pick<ThreadHead, 'reader' | 'anchor'>,
  access: Pick<Access, 'canRead'>,
  key: string | null,
): boolean {
  if (reader !== null && reader !== key) return false
  return anchor === null ? reader !== null : access.canRead(anchor.path)
}

/** Builds the view of a caller. */
export function viewComments(
  { comments, base, store, drafts }: CommentViewParts,
  owner: DraftOwner | null,
  access: Access,
): CommentView {
  if (!comments || owner === null) return NO_COMMENTS
  const sees = (thread: ThreadHead) => maySeeThread(thread, access, owner.key)
  const list = async (heads: readonly ThreadHead[]): Promise<ThreadList> => {
    const seen = heads.filter((head) => head.resolved === null && sees(head))
    const threads = await comments.follow(seen, (anchor) => stateOf(anchor, base, store))
    return { threads, left: seen.length - threads.length }
  }
  const find = (id: string) => {
    const thread = comments.threadOf(id)
    return thread && sees(thread) ? thread : null
  }
  const refusalOf = (replies: readonly Reply[]): Problem | null => {
    const unknown = replies.find(({ comment }) => find(comment) === null)
    return unknown ? { reason: 'no_comment', comment: unknown.comment } : null
  }
  return {
    ofDraft: () => {
      const draft = drafts.of(owner.key)
      return list(draft ? comments.ofDraft(draft.name) : [])
    },
    open: () => list(comments.open()),
    refusalOf,
    reply(replies) {
      const refused = refusalOf(replies)
      if (refused) return err(refused)
      const writer = { by: authorOf(owner), budget: owner.budget }
      for (const { comment, text } of replies) {
        const thread = find(comment)
        if (thread) comments.reply(thread, text, writer)
      }
      return ok(replies.length)
    },
  }
}

function stateOf(
  { path, side }: CommentAnchor,
  base: Pick<Store, 'stat'>,
  store: Pick<Store, 'stat'>,
): FileEntry | null {
  const entry = (side === 'before' ? base : store).stat(path)
  return entry?.type === 'file' ? entry : null
}

const authorOf = ({ principal, session, label }: DraftOwner): CommentAuthor => ({
  ...{ isAgent: true, principal, email: null, session, label },
})

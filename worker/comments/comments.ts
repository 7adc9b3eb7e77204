/**
 * The comments of one workspace: threads on lines of applied files, on lines of drafts, and on drafts as a whole.
 *
 * The owner writes threads, agents reply. Who reads which is decided in `worker/access/comment-view.ts`, and in the owner's
 * routes in `worker/owner/comments.ts`. `test/worker/comments/comments.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { StorePath } from '#core/path.ts'
import type { CommentAuthor, CommentNews, ThreadHead } from '../access/comment.ts'
import type { Draft } from '../access/draft.ts'
import { keepShares, type SharedRows } from '../database/shares.ts'
import { hasTables } from '../database/table-groups.ts'
import { createDecisionCounts } from '../decisions/counts.ts'
import { createReports } from '../decisions/reports.ts'
import type { Problem } from '../errors/problem.ts'
import type { Store } from '../store/store.ts'
import { expireComments } from './expire.ts'
import { followThreads, type StateOf } from './follow.ts'
import {
  MAX_DRAFT_THREADS,
  MAX_LISTED_THREADS,
  MAX_PATH_THREADS,
  MAX_THREAD_COMMENTS,
  MAX_THREAD_REPLIES,
  MAX_WORKSPACE_COMMENTS,
  MAX_WORKSPACE_REPLIES,
} from './limits.ts'
import { settleThreads, type Settled } from './settle.ts'
import { createCommentTable, readNews, type CommentTable, type NewThread } from './table.ts'

/** What comments use. */
export interface CommentsParts {
  readonly sql: SqlStorage
  readonly store: Pick<Store, 'stat' | 'blobText' | 'history'>
  /** Called when readers of a thread may read something else than before. */
  readonly commented: (thread: Pick<ThreadHead, 'reader' | 'anchor'>) => void
  /** Has the alarm call `expire` at a time. */
  readonly wakeAt: (time: number) => void
}

/** The comments of one workspace. */
export type Comments = ReturnType<typeof createComments>

/** What the services of comments share. */
export interface CommentsContext extends CommentsParts {
  readonly table: CommentTable
  readonly reports: ReturnType<typeof openReports>
  readonly counts: ReturnType<typeof createDecisionCounts>
  /** The last path that was looked at for comments of forgotten files. */
  lookedAt: string
}

/** Who writes a comment, and the principal whose share it uses. */
export interface Writer {
  readonly by: CommentAuthor
  readonly budget: string
}

/** Opens the comments of a workspace. */
export function createComments(parts: CommentsParts) {
  const { sql, store } = parts
  const table = createCommentTable(sql)
  const reports = openReports(sql, table)
  const context: CommentsContext = {
    ...parts,
    table,
    reports,
    counts: createDecisionCounts(),
    lookedAt: '',
  }
  return {
    /** Lists the threads in a draft, also those that stay after a decision on it, the newest first. */
    ofDraft: (draft: string) => table.heads('draft = ? ORDER BY seq DESC', draft),
    /** Lists the threads on an applied file, the newest first. */
    ofPath: (path: StorePath) => table.heads('path = ? AND draft IS NULL ORDER BY seq DESC', path),
    /** Lists the threads that are not resolved and whose draft is open, the newest first. */
    open: () => table.heads('resolved IS NULL AND closed IS NULL ORDER BY seq DESC'),
    withComments: table.withComments,
    /** Returns the thread that has a comment; null if there is none. */
    threadOf: table.headOf,
    /** Reads the first threads, with the lines that they are about now. */
    follow: (heads: readonly ThreadHead[], stateOf: StateOf) =>
      followThreads(heads.slice(0, MAX_LISTED_THREADS).map(table.withComments), stateOf, store),
    begin: (thread: NewThread, text: string, writer: Writer) =>
      begin(context, thread, { text, writer }),
    reply: (thread: ThreadHead, text: string, writer: Writer) =>
      reply(context, thread, { text, writer }),
    /** Resolves a thread, or opens it again. */
    setResolved: (thread: ThreadHead, isResolved: boolean): void => {
      const at = isResolved ? Date.now() : null
      table.sql.exec('UPDATE comment_threads SET resolved = ? WHERE id = ?', at, thread.id)
      parts.commented(thread)
    },
    /** Removes a comment; with the first one of a thread, all of it. */
    remove: (thread: ThreadHead, comment: string): void => {
      if (comment === thread.id) table.removeThread(thread.id)
      else table.sql.exec('DELETE FROM comments WHERE id = ?', comment)
      parts.commented(thread)
    },
    /** Keeps comments with what was decided. Call it in the transaction of the decision. */
    settle: (settled: Settled) => settleThreads(context, settled),
    /** Gives the comments of a draft to the connection that has it now. */
    move: (draft: Draft, to: string) => move(context, draft, to),
    hasNews: reports.hasNews,
    takeNews: reports.takeNews,
    nextDecision: context.counts.next,
    /** Drops what is kept no longer. Returns when the next is due, or null. */
    expire: (now: number) => expireComments(context, now),
  }
}

const openReports = (database: SqlStorage, { sql }: CommentTable) =>
  createReports<CommentNews>(
    sql,
    {
      ...{ table: 'comments', mark: 'reported', decided: 'at', key: 'owner', id: 'seq' },
      order: 'comments.seq',
      read: (where, owner) => readNews(sql, where, owner),
      most: MAX_WORKSPACE_COMMENTS,
    },
    !hasTables(database, 'comments'),
  )

interface Written {
  readonly text: string
  readonly writer: Writer
}

function begin(
  context: CommentsContext,
  thread: NewThread,
  written: Written,
): Result<string, Problem> {
  const full = refuseBeyondLimits(context, thread)
  if (full) return err(full)
  const id = crypto.randomUUID()
  context.table.open(id, thread, Date.now())
  insert(context, id, { ...thread, id }, written)
  return ok(id)
}

const full = (limit: number, of: 'workspace' | 'draft' | 'file' | 'thread'): Problem => ({
  ...{ reason: 'comments_full', limit, of },
})

function refuseBeyondLimits({ table }: CommentsContext, thread: NewThread): Problem | null {
  const { draft, anchor } = thread
  if (isWorkspaceFull(table)) return full(MAX_WORKSPACE_COMMENTS, 'workspace')
  if (draft !== null) {
    const inDraft = table.count('comment_threads WHERE draft = ?', draft)
    return inDraft >= MAX_DRAFT_THREADS ? full(MAX_DRAFT_THREADS, 'draft') : null
  }
  const path = anchor?.path ?? ''
  const onPath = table.count('comment_threads WHERE path = ? AND draft IS NULL', path)
  return onPath >= MAX_PATH_THREADS ? full(MAX_PATH_THREADS, 'file') : null
}

const isWorkspaceFull = (table: CommentTable) =>
  table.count('comments WHERE agent = 0') >= MAX_WORKSPACE_COMMENTS

function reply(
  context: CommentsContext,
  thread: ThreadHead,
  written: Written,
): Result<string, Problem> {
  const { table } = context
  if (!written.writer.by.isAgent) {
    const own = table.count('comments WHERE thread = ? AND agent = 0', thread.id)
    if (own >= MAX_THREAD_COMMENTS) return err(full(MAX_THREAD_COMMENTS, 'thread'))
    if (isWorkspaceFull(table)) return err(full(MAX_WORKSPACE_COMMENTS, 'workspace'))
  }
  const id = crypto.randomUUID()
  insert(context, id, thread, written)
  return ok(id)
}

const REPLIES: SharedRows = { table: 'comments', id: 'seq', where: 'agent = 1' }

function insert(
  { table, reports, counts, commented }: CommentsContext,
  id: string,
  thread: Pick<ThreadHead, 'id' | 'reader' | 'anchor'>,
  { text, writer: { by, budget } }: Written,
): void {
  const reader = by.isAgent ? null : thread.reader
  table.add(id, { thread: thread.id, reader, text, by, budget }, Date.now())
  if (by.isAgent) {
    const where = 'agent = 1 AND thread = ?'
    keepShares(table.sql, { ...REPLIES, where, values: [thread.id] }, MAX_THREAD_REPLIES)
    keepShares(table.sql, REPLIES, MAX_WORKSPACE_REPLIES)
  }
  if (reader !== null) {
    reports.add(reader)
    counts.add(reader)
  }
  commented(thread)
}

function move(
  { table: { sql }, reports }: CommentsContext,
  { name, owner }: Draft,
  to: string,
): void {
  const moved = sql.exec(
    `UPDATE comments SET owner = ?
     WHERE owner IS NOT NULL AND thread IN (SELECT id FROM comment_threads WHERE draft = ?)`,
    to,
    name,
  ).rowsWritten
  sql.exec(
    'UPDATE comment_threads SET reader = ? WHERE draft = ? AND reader = ?',
    to,
    name,
    owner.key,
  )
  if (moved > 0) reports.add(to)
}

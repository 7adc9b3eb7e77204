/**
 * The tables of comments: threads with their anchors, and the comments of each.
 * `test/worker/comments/comments.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type {
  Comment,
  CommentAnchor,
  CommentAuthor,
  CommentNews,
  Thread,
  ThreadHead,
} from '../access/comment.ts'
import { hasTables, tablesOf, type Tables } from '../database/table-groups.ts'
import type { NewsRow } from '../decisions/delivery.ts'

/** A thread that is not stored yet. */
export type NewThread = Pick<ThreadHead, 'draft' | 'reader' | 'anchor' | 'isRequest'>

/** A comment that is not stored yet. */
export interface NewComment {
  readonly thread: string
  /** The key of the owner of a draft who is to learn of it; null if none is. */
  readonly reader: string | null
  readonly text: string
  readonly by: CommentAuthor
  /** The principal whose share it uses. */
  readonly budget: string
}

interface ThreadRow extends Record<string, SqlStorageValue> {
  id: string
  draft: string | null
  reader: string | null
  path: string | null
  side: string
  content: number
  first: number
  last: number
  quote: string
  cut: number
  request: number
  at: number
  resolved: number | null
  closed: number | null
}

interface CommentRow extends Record<string, SqlStorageValue> {
  id: string
  text: string
  agent: number
  principal: string
  email: string | null
  session: string | null
  label: string | null
  at: number
}

const COLUMNS =
  'id, draft, reader, path, side, content, first, last, quote, cut, request, at, resolved, closed'

type Values = readonly (string | number)[]

/** The tables of comments. */
export type CommentTable = ReturnType<typeof createCommentTable>

/** Opens the tables. */
export function createCommentTable(database: SqlStorage) {
  const sql = tablesOf(database, 'comments')
  const heads = (where: string, ...values: Values) => readHeads(sql, where, values)
  return {
    sql,
    /** Whether there ever was a comment. */
    exists: () => hasTables(database, 'comments'),
    /** Lists the threads that follow `WHERE`. */
    heads,
    withComments: (head: ThreadHead): Thread => ({ ...head, comments: readComments(sql, head.id) }),
    /** Counts the rows of a table that follow `FROM`. */
    count: (rows: string, ...values: Values): number =>
      sql.exec<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`, ...values).one().count,
    open: (id: string, thread: NewThread, at: number) => insertThread(sql, id, thread, at),
    add: (id: string, comment: NewComment, at: number) => insertComment(sql, id, comment, at),
    /** Returns the thread of a comment; null if there is no such comment. */
    headOf: (comment: string): ThreadHead | null =>
      heads('id = (SELECT thread FROM comments WHERE id = ?)', comment)[0] ?? null,
    /** Moves a thread to the applied file. With a `reader`, no other agent may read it. */
    moveToFile: (id: string, reader: string | null): void =>
      void sql.exec(
        'UPDATE comment_threads SET draft = NULL, reader = ? WHERE id = ?',
        ...[reader, id],
      ),
    /** Records that the draft of a thread was decided without it. */
    close: (id: string, at: number): void =>
      void sql.exec('UPDATE comment_threads SET closed = ? WHERE id = ?', at, id),
    /** When the first thread was closed that is still kept; null without one. */
    firstClosed: (): number | null =>
      sql.exec<{ at: number | null }>('SELECT min(closed) AS at FROM comment_threads').one().at,
    /** Lists paths of applied files with threads, in order, after one. */
    pathsAfter: (path: string, most: number): StorePath[] =>
      sql
        .exec<{ path: string }>(
          `SELECT DISTINCT path FROM comment_threads
           WHERE draft IS NULL AND path > ? ORDER BY path LIMIT ?`,
          ...[path, most],
        )
        .toArray()
        .map((row) => storedPath(row.path)),
    removeThread: (id: string): void => {
      sql.exec('DELETE FROM comments WHERE thread = ?', id)
      sql.exec('DELETE FROM comment_threads WHERE id = ?', id)
    },
  }
}

function readHeads(sql: Tables, where: string, values: Values): ThreadHead[] {
  const query = `SELECT ${COLUMNS} FROM comment_threads WHERE ${where}`
  return Array.from(sql.exec<ThreadRow>(query, ...values), headOf)
}

function headOf(row: ThreadRow): ThreadHead {
  const { id, draft, reader, at, resolved, closed } = row
  const isRequest = row.request === 1
  return { id, draft, reader, anchor: anchorOf(row), isRequest, at, resolved, closed }
}

function anchorOf({
  path,
  side,
  content,
  first,
  last,
  quote,
  cut,
}: ThreadRow): CommentAnchor | null {
  if (path === null) return null
  return {
    path: storedPath(path),
    side: side === 'before' ? 'before' : 'after',
    blob: content,
    lines: { first, last },
    quote,
    isCut: cut === 1,
  }
}

/** Only this module writes the rows, with parsed paths. */
const storedPath = (path: string) => path as StorePath

function readComments(sql: Tables, thread: string): Comment[] {
  const rows = sql.exec<CommentRow>(
    `SELECT id, text, agent, principal, email, session, label, at
     FROM comments WHERE thread = ? ORDER BY seq`,
    thread,
  )
  return Array.from(rows, ({ id, text, at, agent, ...by }) => ({
    ...{ id, text, at },
    by: { ...by, isAgent: agent === 1 },
  }))
}

function insertThread(
  sql: Tables,
  id: string,
  { draft, reader, anchor, isRequest }: NewThread,
  at: number,
): void {
  sql.exec(
    `INSERT INTO comment_threads (${COLUMNS})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)`,
    ...[id, draft, reader, anchor?.path ?? null, anchor?.side ?? 'after', anchor?.blob ?? 0],
    ...[anchor?.lines.first ?? 0, anchor?.lines.last ?? 0, anchor?.quote ?? ''],
    ...[anchor?.isCut ? 1 : 0, isRequest ? 1 : 0, at],
  )
}

function insertComment(
  sql: Tables,
  id: string,
  { thread, reader, text, by, budget }: NewComment,
  at: number,
): void {
  const { isAgent, principal, email, session, label } = by
  sql.exec(
    `INSERT INTO comments
       (id, thread, text, agent, principal, email, session, label, budget, at, owner, reported)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, thread, text, isAgent ? 1 : 0, principal, email, session, label, budget, at],
    ...[reader, reader === null ? 1 : 0],
  )
}

interface NewsColumns extends Record<string, SqlStorageValue> {
  id: number
  mark: number
  text: string
  draft: string | null
  path: string | null
  request: number
}

/** Reads the comments that follow `WHERE`, as news. The first one of a thread may request changes. */
export function readNews(sql: Tables, where: string, owner: string): NewsRow<CommentNews>[] {
  const rows = sql.exec<NewsColumns>(
    `SELECT comments.seq AS id, comments.reported AS mark, comments.text, thread.draft, thread.path,
       thread.request = 1 AND thread.id = comments.id AS request
     FROM comments JOIN comment_threads thread ON thread.id = comments.thread WHERE ${where}`,
    owner,
  )
  return Array.from(rows, ({ id, mark, text, draft, path, request }) => ({
    ...{ id, mark },
    one: { draft, path: path === null ? null : storedPath(path), text, isRequest: request === 1 },
  }))
}

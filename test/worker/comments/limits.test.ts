/** The limits of comments, each at its edge. */

import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { parsePath } from '#core/path.ts'
import type { Thread } from '#worker/access/comment.ts'
import { followThreads } from '#worker/comments/follow.ts'
import type { FileEntry } from '#worker/store/store.ts'
import {
  MAX_COMMENT_LENGTH,
  MAX_DRAFT_THREADS,
  MAX_FOLLOWED_BYTES,
  MAX_FOLLOWED_IN_ALL,
  MAX_LISTED_THREADS,
  MAX_PATH_THREADS,
  MAX_QUOTE_LENGTH,
  MAX_SENT_REPLIES,
  MAX_THREAD_COMMENTS,
  MAX_THREAD_REPLIES,
  MAX_WORKSPACE_COMMENTS,
} from '#worker/comments/limits.ts'
import { held } from '../../support/worker/held-draft.ts'
import { newStub } from '../../support/worker/object-life.ts'
import {
  agentOf,
  commentOn,
  openTestComments,
  OWNER,
  readComments,
  sendAct,
  threadOn,
  threadsOf,
} from '../../support/worker/comments.ts'

type Comments = ReturnType<typeof openTestComments>

const withComments = (work: (comments: Comments, sql: SqlStorage) => void) =>
  runInDurableObject(newStub(), (_, { storage }) => work(openTestComments(storage), storage.sql))

const fullOf = (of: string, limit: number) => ({
  error: { reason: 'comments_full', of, limit },
})

it('MAX_DRAFT_THREADS and MAX_PATH_THREADS: one draft, and one path beside all drafts', () =>
  withComments((comments) => {
    const begin = (path: string, draft: string | null = null) =>
      comments.begin(threadOn(path, draft), 'Why?', OWNER)
    for (let count = 0; count < MAX_DRAFT_THREADS; count++)
      expect(begin('/a', 'd')).toMatchObject({ ok: true })
    expect(begin('/a', 'd')).toMatchObject(fullOf('draft', MAX_DRAFT_THREADS))
    for (let count = 0; count < MAX_PATH_THREADS; count++)
      expect(begin('/a')).toMatchObject({ ok: true })
    expect(begin('/a')).toMatchObject(fullOf('file', MAX_PATH_THREADS))
    expect(begin('/b')).toMatchObject({ ok: true })
    expect(begin('/a', 'e')).toMatchObject({ ok: true })
  }))

it('MAX_WORKSPACE_COMMENTS: threads and replies of the owner together, and no reply of an agent', () =>
  withComments((comments, sql) => {
    const begun = comments.begin(threadOn('/a'), 'Why?', OWNER)
    const thread = begun.ok ? comments.threadOf(begun.value) : null
    if (!thread) throw new Error('Expected a thread')
    sql.exec(
      `INSERT INTO comments (id, thread, text, agent, principal, budget, at, reported)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT 'c' || i, 't' || i, 'x', 0, 'owner', '', 0, 1 FROM n`,
      MAX_WORKSPACE_COMMENTS - 2,
    )
    expect(comments.reply(thread, 'And?', OWNER)).toMatchObject({ ok: true })
    const full = fullOf('workspace', MAX_WORKSPACE_COMMENTS)
    expect(comments.reply(thread, 'And?', OWNER)).toMatchObject(full)
    expect(comments.begin(threadOn('/b'), 'Why?', OWNER)).toMatchObject(full)
    expect(comments.reply(thread, 'So.', agentOf('p'))).toMatchObject({ ok: true })
  }))

it('MAX_THREAD_COMMENTS and MAX_THREAD_REPLIES: agents lose their oldest, and never those of others', () =>
  withComments((comments) => {
    const begun = comments.begin(threadOn('/a'), 'Why?', OWNER)
    const thread = begun.ok ? comments.threadOf(begun.value) : null
    if (!thread) throw new Error('Expected a thread')
    for (let count = 1; count < MAX_THREAD_COMMENTS; count++)
      expect(comments.reply(thread, 'And?', OWNER)).toMatchObject({ ok: true })
    const full = fullOf('thread', MAX_THREAD_COMMENTS)
    expect(comments.reply(thread, 'And?', OWNER)).toMatchObject(full)
    comments.reply(thread, 'of another', agentOf('other'))
    for (let count = 0; count <= MAX_THREAD_REPLIES; count++)
      comments.reply(thread, `reply ${count}`, agentOf('flood', `session ${count}`))
    const replies = comments.withComments(thread).comments.filter(({ by }) => by.isAgent)
    expect(replies).toHaveLength(MAX_THREAD_REPLIES)
    expect(replies[0]?.text).toBe('of another')
    expect(replies.at(-1)?.text).toBe(`reply ${MAX_THREAD_REPLIES}`)
    expect(comments.withComments(thread).comments[0]?.text).toBe('Why?')
  }))

it('MAX_COMMENT_LENGTH and MAX_QUOTE_LENGTH: a long comment is refused, a long quote is cut', async () => {
  const long = 'x'.repeat(MAX_QUOTE_LENGTH)
  const workspace = await held({ '/a.md': `${long}\n${long}y\n` }, {})
  const send = (text: string, line = 1) =>
    sendAct(workspace, '/comments', { text, on: { path: '/a.md', first: line, last: line } })
  const text = 'x'.repeat(MAX_COMMENT_LENGTH)
  expect(await send(`${text}x`)).toMatchObject({ status: 400 })
  expect(await send(' ')).toMatchObject({ status: 400 })
  expect(await send(text)).toMatchObject({ status: 200, quote: long })
  expect(await send(text, 2)).toMatchObject({ status: 200, quote: long, first: 2 })
  // What was cut is not looked for: its beginning is at one place, and the line is gone.
  await workspace.call('write_file', { path: '/a.md', content: `${long}\n${long}z\n` })
  expect(await threadsOf(workspace)).toMatchObject([{ first: null }, { first: 1 }])
  const comment = await commentOn(workspace, '/a.md', [1])
  const reply = { comment, text: 'x'.repeat(MAX_COMMENT_LENGTH + 1) }
  const refused = await workspace.call('respond_to_review', { replies: [reply] })
  expect(refused.result).toMatchObject({ isError: true })
})

it('MAX_SENT_REPLIES: of one call', async () => {
  const workspace = await held({ '/a.md': 'one\n' }, {})
  const comment = await commentOn(workspace, '/a.md', [1])
  const send = (count: number) =>
    workspace.call('respond_to_review', { replies: Array(count).fill({ comment, text: 'So.' }) })
  expect((await send(MAX_SENT_REPLIES)).result).not.toMatchObject({ isError: true })
  for (const count of [0, MAX_SENT_REPLIES + 1])
    expect((await send(count)).result).toMatchObject({ isError: true })
})

it('MAX_LISTED_THREADS: a page of the owner, and the resource of an agent', async () => {
  const workspace = await held({ '/a.md': 'one\n' }, {})
  for (let count = 0; count <= MAX_LISTED_THREADS; count++) await commentOn(workspace, '/a.md', [1])
  expect(await threadsOf(workspace, '?path=/a.md')).toHaveLength(MAX_LISTED_THREADS)
  expect(await threadsOf(workspace, `?path=/a.md&offset=${MAX_LISTED_THREADS}`)).toHaveLength(1)
  const { comments, left } = await readComments(workspace)
  expect([comments.length, left]).toEqual([MAX_LISTED_THREADS, 1])
})

it('MAX_FOLLOWED_BYTES: lines of a larger file are outdated, and cannot be commented on', async () => {
  const body = 'x'.repeat(MAX_FOLLOWED_BYTES - 4)
  const workspace = await held({ '/a.md': `one\n${body}` }, {})
  await commentOn(workspace, '/a.md', [1])
  const put = async (text: string) =>
    (await workspace.fetch('/files/a.md', { method: 'PUT', body: text })).text()
  await put(`one\n${body.slice(1)}y`)
  expect(await threadsOf(workspace)).toMatchObject([{ first: 1 }])
  await put(`one\n${body}y`)
  expect(await threadsOf(workspace)).toMatchObject([{ first: null }])
  const on = { path: '/a.md', first: 1, last: 1 }
  const refused = await sendAct(workspace, '/comments', { text: 'Why?', on })
  expect(refused).toMatchObject({ status: 413 })
})

it('MAX_FOLLOWED_IN_ALL: in further texts lines are outdated, and two texts are compared once', async () => {
  const lines = { first: 1, last: 1 }
  const size = MAX_FOLLOWED_BYTES
  const most = MAX_FOLLOWED_IN_ALL / size
  const on = (id: string, blob: number): Thread => ({
    ...{
      id,
      thread: id,
      draft: null,
      reader: null,
      isRequest: false,
      resolved: null,
      closed: null,
    },
    anchor: { path: parsePath(`/${blob}`), side: 'after', blob, lines, quote: 'a', isCut: false },
    ...{ at: 0, comments: [] },
  })
  const file = (blob: number): FileEntry => ({
    ...{ type: 'file', path: parsePath(`/${blob}`), size, mime: 'text/plain', blob: blob + 10 },
    ...{ mtime: 0, version: 1 },
  })
  const readTexts: number[] = []
  const blobText = (blob: number) => {
    readTexts.push(blob)
    return Promise.resolve(blob < 10 ? 'a\n' : 'new\na\n')
  }
  const blobs = Array.from({ length: most + 1 }, (_, at) => at + 1)
  const threads = [on('again', 1), ...blobs.map((blob) => on(`${blob}`, blob))]
  const found = await followThreads(threads, ({ blob }) => file(blob), { blobText })
  const moved = blobs.map((blob) => (blob > most ? null : { first: 2, last: 2 }))
  expect(found.map((one) => one.lines)).toEqual([{ first: 2, last: 2 }, ...moved])
  expect(readTexts).toHaveLength(2 * most)
})

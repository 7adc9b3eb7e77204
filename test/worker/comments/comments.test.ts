/** Comments from the owner's page to the agent and back: on applied files, on drafts, replies, resolved. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import { makePdf, pageOf } from '../../support/worker/make-archive.ts'
import { held, listOf, read, show, write } from '../../support/worker/held-draft.ts'
import {
  commentOn,
  commentOnDraft,
  readComments,
  sendAct,
  statusComments,
  threadsOf,
} from '../../support/worker/comments.ts'

const REVIEW = { approval: 'review' }

const textsOf = (result: { content: { text?: string }[] } | undefined) =>
  (result?.content ?? []).map(({ text }) => text ?? '').join('\n')

describe('a comment on an applied file', () => {
  it('quotes the lines, and follows them', async () => {
    const workspace = await held({ '/a.md': 'one\ntwo\nthree\n' }, {})
    const id = await commentOn(workspace, '/a.md', [2, 3])
    const before = { id, path: '/a.md', draft: null, first: 2, last: 3, quote: 'two\nthree' }
    expect(await threadsOf(workspace, '?path=/a.md')).toMatchObject([before])
    await write(workspace, '/a.md', 'zero\none\ntwo\nthree\nfour\n')
    expect(await threadsOf(workspace)).toMatchObject([{ ...before, first: 3, last: 4 }])
    const { comments } = await readComments(workspace)
    expect(comments).toMatchObject([{ id, first_line: 3, last_line: 4, text: 'Why?' }])
    await write(workspace, '/a.md', 'zero\none\nTWO\nthree\n')
    const outdated = { ...before, first: null, last: null }
    expect(await threadsOf(workspace, '?path=/a.md')).toMatchObject([outdated])
    expect((await readComments(workspace)).comments).toMatchObject([{ outdated: true }])
  })

  it('is on the text of a document, and follows it', async () => {
    const workspace = await held({}, {})
    const put = (...lines: readonly string[]) =>
      workspace.put('/a.pdf', makePdf([{ data: pageOf(...lines) }]))
    await put('one', 'two')
    const id = await commentOn(workspace, '/a.pdf', [2])
    const before = { id, path: '/a.pdf', first: 2, last: 2, quote: 'two' }
    expect(await threadsOf(workspace, '?path=/a.pdf')).toMatchObject([before])
    await put('zero', 'one', 'two')
    expect(await threadsOf(workspace)).toMatchObject([{ ...before, first: 3, last: 3 }])
    await put('zero', 'one')
    expect(await threadsOf(workspace)).toMatchObject([{ ...before, first: null, last: null }])
  })

  it('gets replies of agents and of the owner, is resolved and opened again', async () => {
    const workspace = await held({ '/a.md': 'one\n' }, {})
    const comment = await commentOn(workspace, '/a.md', [1])
    const replied = await workspace.call('respond_to_review', {
      replies: [{ comment, text: ' Because. ' }],
    })
    expect(replied.result?.structuredContent).toEqual({ replies: 1 })
    await sendAct(workspace, `/comments/${comment}/replies`, { text: 'I see.' })
    const [thread] = await threadsOf(workspace)
    expect(listOf(thread?.['comments'])).toMatchObject([
      { text: 'Why?', agent: false },
      { text: 'Because.', agent: true },
      { text: 'I see.', agent: false },
    ])
    expect((await readComments(workspace)).comments).toMatchObject([
      {
        replies: [
          { by: 'agent', text: 'Because.' },
          { by: 'user', text: 'I see.' },
        ],
      },
    ])
    expect(await sendAct(workspace, `/comments/${comment}/resolve`)).toMatchObject({ status: 204 })
    expect(await threadsOf(workspace)).toEqual([])
    expect((await readComments(workspace)).comments).toEqual([])
    expect(await threadsOf(workspace, '?path=/a.md')).toHaveLength(1)
    await sendAct(workspace, `/comments/${comment}/reopen`)
    expect(await threadsOf(workspace)).toHaveLength(1)
  })

  it('is deleted by the owner alone, with its replies', async () => {
    const workspace = await held({ '/a.md': 'one\n' }, {})
    const comment = await commentOn(workspace, '/a.md', [1])
    await workspace.call('respond_to_review', { replies: [{ comment, text: 'Because.' }] })
    const [thread] = await threadsOf(workspace)
    const reply = String(listOf(thread?.['comments'])[1]?.['id'])
    expect(await sendAct(workspace, `/comments/${reply}`, null, 'DELETE')).toMatchObject({
      status: 404,
    })
    expect(await sendAct(workspace, `/comments/${comment}`, null, 'DELETE')).toMatchObject({
      status: 204,
    })
    expect(await threadsOf(workspace, '?path=/a.md')).toEqual([])
    const again = await workspace.call('respond_to_review', { replies: [{ comment, text: 'No.' }] })
    expect(errorOf(again.result)).toMatchObject({ code: 'COMMENT_NOT_FOUND' })
  })
})

describe('a comment on a draft', () => {
  it('is in the next result, in the status and in the resource of its agent', async () => {
    const workspace = await held({ '/a.md': 'one\ntwo\n' }, REVIEW)
    await write(workspace, '/a.md', 'one\n2\n')
    const on = { path: '/a.md', first: 2, last: 2 }
    await commentOnDraft(workspace, 'Write it as a word.', on)
    await commentOnDraft(workspace, 'And this?', { ...on, side: 'before' })
    const next = await workspace.call('list_roots', {})
    const { path } = await show(workspace)
    const draft = path.slice('/drafts/'.length)
    expect(textsOf(next.result)).toContain(
      `The user wrote 2 comments on draft ${draft}; draft_status lists the comments.`,
    )
    expect(textsOf((await workspace.call('list_roots', {})).result)).not.toContain('comment')
    expect(await statusComments(workspace)).toMatchObject([
      { text: 'And this?', path: '/a.md', first_line: 2, quote: 'two' },
      { text: 'Write it as a word.', path: '/a.md', first_line: 2, quote: '2' },
    ])
    expect((await readComments(workspace)).comments).toHaveLength(2)
  })

  it('follows its lines through later changes of the draft', async () => {
    const workspace = await held({ '/a.md': 'one\ntwo\n' }, REVIEW)
    await write(workspace, '/a.md', 'one\n2\n')
    await commentOnDraft(workspace, 'Why?', { path: '/a.md', first: 2, last: 2 })
    await write(workspace, '/a.md', 'zero\none\n2\n')
    expect(await statusComments(workspace)).toMatchObject([{ first_line: 3 }])
    const { path } = await show(workspace)
    const query = `?draft=${path.slice('/drafts/'.length)}`
    expect(await threadsOf(workspace, query)).toMatchObject([{ first: 3, last: 3 }])
  })

  it('is refused if the lines are not those that were shown, or are none', async () => {
    const workspace = await held({ '/a.md': 'one\n', '/bin': '\0\0' }, REVIEW)
    await write(workspace, '/a.md', 'two\n')
    const { path } = await show(workspace)
    const draft = path.slice('/drafts/'.length)
    const diff = recordOf(await read(workspace, `${path}/diff?path=/a.md`))
    const send = (on: object) => sendAct(workspace, '/comments', { text: 'Why?', draft, on })
    const on = { path: '/a.md', first: 1, last: 1 }
    expect(await send({ ...on, digest: diff['digest'] })).toMatchObject({ status: 200 })
    await write(workspace, '/a.md', 'three\n')
    expect(await send({ ...on, digest: diff['digest'] })).toMatchObject({ status: 409 })
    expect(await send({ ...on, last: 2 })).toMatchObject({ status: 409 })
    expect(await send({ ...on, first: 0 })).toMatchObject({ status: 400 })
    expect(await send({ ...on, path: '/none' })).toMatchObject({ status: 404 })
    const bare = (body: object) => sendAct(workspace, '/comments', { text: 'Why?', ...body })
    expect(await bare({ on: { ...on, path: '/bin' } })).toMatchObject({ status: 409 })
    expect(await bare({ on: { ...on, version: 99 } })).toMatchObject({ status: 412 })
    expect(await bare({})).toMatchObject({ status: 400 })
    expect(await bare({ draft: 'none' })).toMatchObject({ status: 404 })
  })
})

describe('a request for changes', () => {
  it('leaves the draft open, and reaches its agent with the note', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    const { path } = await show(workspace)
    const asked = await sendAct(workspace, `${path}/request-changes`, { text: 'Shorter.' })
    expect(asked).toMatchObject({ status: 200, request: true, path: null })
    const draft = path.slice('/drafts/'.length)
    const { result } = await workspace.call('list_roots', {})
    expect(textsOf(result)).toContain(`The user requests changes to draft ${draft}: "Shorter.";`)
    expect((await show(workspace)).changes).toHaveLength(1)
    expect(await statusComments(workspace)).toMatchObject([{ text: 'Shorter.' }])
    const { entries } = recordOf(await read(workspace, '/audit'))
    expect(listOf(entries)[0]).toMatchObject({
      tool: 'request_changes',
      intent: `Request changes to draft ${draft}: "Shorter."`,
    })
  })

  it('ends the wait of draft_status', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    const { path } = await show(workspace)
    const waiting = workspace.call('draft_status', { wait_seconds: 30 })
    await sendAct(workspace, `${path}/request-changes`, { text: 'Shorter.' })
    expect(textsOf((await waiting).result)).toContain('"Shorter."')
  })
})

it('is written and read by pages of this origin alone', async () => {
  const { fetch } = freshWorkspace()
  const body = JSON.stringify({ text: 'Why?' })
  for (const path of ['/comments', '/comments/x/replies', '/comments/x/resolve'])
    expect((await fetch(path, { method: 'POST', body })).status, path).toBe(403)
  expect((await fetch('/drafts/x/request-changes', { method: 'POST', body })).status).toBe(403)
  expect((await fetch('/comments/x', { method: 'DELETE' })).status).toBe(403)
  expect((await fetch('/comments')).status).toBe(200)
})

/** What becomes of the comments of a draft that was decided, and of those on files that are gone. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { recordOf } from '#core/json.ts'
import { MAX_CLOSED_COMMENT_DAYS } from '#worker/comments/limits.ts'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import {
  approve,
  decide,
  groupOf,
  held,
  idOf,
  read,
  show,
  write,
  type Workspace,
} from '../../support/worker/held-draft.ts'
import {
  commentOn,
  commentOnDraft,
  readComments,
  OWNER,
  openTestComments,
  statusComments,
  threadOn,
  threadsOf,
} from '../../support/worker/comments.ts'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { newStub, stubOf } from '../../support/worker/object-life.ts'

const REVIEW = { approval: 'review' }
const LINE = { path: '/a.md', first: 1, last: 1 }

const draftOf = async (workspace: Workspace) => (await show(workspace)).path.split('/')[2] ?? ''

async function approveAll(workspace: Workspace) {
  const shown = await show(workspace)
  const { revision } = shown
  expect(await approve(workspace, shown, { revision })).toMatchObject({ status: 200 })
}

async function turnDown(workspace: Workspace) {
  const { path, revision } = await show(workspace)
  expect(await decide(workspace, `${path}/turn-down`, { revision })).toMatchObject({ status: 200 })
}

describe('the comments of an approved draft', () => {
  it('go on on the applied file, and are read by all who may read it', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    const id = await commentOnDraft(workspace, 'Fine.', LINE)
    const other = (await ownerLinkOf(workspace)).client
    expect((await readComments(other)).comments).toEqual([])
    await approveAll(workspace)
    expect(await threadsOf(workspace, '?path=/a.md')).toMatchObject([{ id, draft: null, first: 1 }])
    for (const client of [workspace, other])
      expect((await readComments(client)).comments).toMatchObject([{ id, quote: 'one' }])
    expect(await statusComments(workspace)).toEqual([])
  })

  it('stay in the draft while more waits on their path', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    await write(workspace, '/a.md', 'one\nthe password\n')
    const id = await commentOnDraft(workspace, 'Take it out.', { path: '/a.md', first: 2, last: 2 })
    const shown = await show(workspace)
    const first = idOf(shown, 0)
    const { digest } = recordOf(await read(workspace, `${shown.path}/changes/${first}`))
    const prefix = { revision: shown.revision, changes: [first], digest }
    expect(await approve(workspace, shown, prefix)).toMatchObject({ status: 200, left: 1 })
    expect(await statusComments(workspace)).toMatchObject([{ id, first_line: 2 }])
  })

  it('stay with its agent if they quote what was never applied', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'the password\n')
    const id = await commentOnDraft(workspace, 'Remove it.', LINE)
    await write(workspace, '/a.md', 'one\n')
    await approveAll(workspace)
    const other = (await ownerLinkOf(workspace)).client
    expect((await readComments(other)).comments).toEqual([])
    expect((await readComments(workspace)).comments).toMatchObject([{ id, outdated: true }])
    expect(await threadsOf(workspace, '?path=/a.md')).toMatchObject([{ id, first: null }])
  })

  it('stay with its agent if it has replied', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    const id = await commentOnDraft(workspace, 'Why?', LINE)
    const replies = [{ comment: id, text: 'Because of /private/key.' }]
    await workspace.call('respond_to_review', { replies })
    await approveAll(workspace)
    const other = (await ownerLinkOf(workspace)).client
    expect((await readComments(other)).comments).toEqual([])
    expect((await readComments(workspace)).comments).toMatchObject([{ id, replies: [{}] }])
  })

  it('stay in the draft on what was not approved with it', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    await write(workspace, '/b.md', 'one\n')
    const whole = await commentOnDraft(workspace, 'All of it.')
    const onB = await commentOnDraft(workspace, 'Why?', { ...LINE, path: '/b.md' })
    const onA = await commentOnDraft(workspace, 'Why?', LINE)
    const shown = await show(workspace)
    expect(await approve(workspace, shown, groupOf(shown, 0))).toMatchObject({ status: 200 })
    const ids = (threads: { [name: string]: unknown }[]) => threads.map(({ id }) => id)
    expect(ids(await statusComments(workspace))).toEqual([onB, whole])
    expect(ids(await threadsOf(workspace, '?path=/a.md'))).toEqual([onA])
  })
})

describe('the comments of a draft that was turned down', () => {
  afterEach(() => void vi.useRealTimers())

  it('stay with the decision for a while, and are no longer open', async () => {
    const workspace = await held({}, REVIEW)
    await write(workspace, '/a.md', 'one\n')
    await commentOnDraft(workspace, 'No.', LINE)
    await commentOnDraft(workspace, 'None of it.')
    const draft = await draftOf(workspace)
    await turnDown(workspace)
    expect(await threadsOf(workspace)).toEqual([])
    expect((await readComments(workspace)).comments).toEqual([])
    const kept = await threadsOf(workspace, `?draft=${draft}`)
    expect(kept.map(({ closed }) => typeof closed)).toEqual(['number', 'number'])
    const days = (count: number) => Date.now() + count * 24 * 60 * 60 * 1000
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(days(MAX_CLOSED_COMMENT_DAYS - 1))
    await runDurableObjectAlarm(stubOf(workspace))
    expect(await threadsOf(workspace, `?draft=${draft}`)).toHaveLength(2)
    vi.setSystemTime(days(2))
    await runDurableObjectAlarm(stubOf(workspace))
    expect(await threadsOf(workspace, `?draft=${draft}`)).toEqual([])
  })
})

describe('the comments of a file that is gone', () => {
  it('are outdated while history has its content', async () => {
    const workspace = await held({ '/a.md': 'one\n' }, {})
    await commentOn(workspace, '/a.md', [1])
    await workspace.call('delete_file', { path: '/a.md' })
    await runDurableObjectAlarm(stubOf(workspace))
    expect(await threadsOf(workspace)).toMatchObject([{ first: null, quote: 'one' }])
  })

  it('are dropped with it, some paths at each alarm', () =>
    runInDurableObject(newStub(), (_, { storage }) => {
      const comments = openTestComments(storage)
      for (let path = 0; path < 60; path++) comments.begin(threadOn(`/${path}`), 'Why?', OWNER)
      comments.begin(threadOn('/a', 'draft'), 'Why?', OWNER)
      comments.expire(0)
      expect(comments.open()).toHaveLength(11)
      comments.expire(0)
      expect(comments.open()).toMatchObject([{ draft: 'draft' }])
    }))
})

describe('the comments of a draft that another connection has now', () => {
  it('are reported to it, and read by it alone', () =>
    runInDurableObject(newStub(), (_, { storage }) => {
      const comments = openTestComments(storage)
      comments.begin(threadOn('/a', 'd'), 'Why?', OWNER)
      const owner = { key: 'owner of d', principal: 'p', session: null, label: null, budget: 'p' }
      const draft = { ...NO_CHANGES, name: 'd', owner }
      comments.move(draft, 'next')
      expect(comments.takeNews('owner of d')).toEqual([])
      expect(comments.takeNews('next')).toMatchObject([{ text: 'Why?' }])
      expect(comments.ofDraft('d')).toMatchObject([{ reader: 'next' }])
    }))
})

const NO_CHANGES = {
  ...{ id: 1, credential: null, opened: 0, touched: 0, changes: 1, bytes: 0, length: 0 },
}

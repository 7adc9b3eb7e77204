/** The review of a draft is built once for what a page asks for, and again whenever something changes. */

import { runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, it, vi } from 'vitest'
import type { Review } from '#worker/drafts/review.ts'
import { onlyDraft, outcomeOf, REVIEW } from '../../support/worker/draft-tools.ts'
import { configure, held, show, write } from '../../support/worker/held-draft.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { openToolContext, type TestContext } from '../../support/worker/tool-context.ts'

afterEach(() => void vi.useRealTimers())

const reviewOf = (context: TestContext, last?: number): Promise<Review> =>
  context.drafts.review(onlyDraft(context), (review) => review, last)

/** A draft of two files. */
const withDraft = (test: (context: TestContext) => Promise<void>) =>
  runInDurableObject(newStub(), async (_, { storage }) => {
    const context = openToolContext(storage, REVIEW)
    for (const path of ['/a', '/b'])
      await outcomeOf(context, 'write_file', { path, content: 'new' })
    await test(context)
  })

it('is given again while nothing changes', () =>
  withDraft(async (context) => {
    const first = await reviewOf(context)
    expect(await reviewOf(context)).toBe(first)
    const last = Number.parseInt(first.revision, 10)
    expect(await reviewOf(context, last)).toBe(first)
    expect((await reviewOf(context, last - 1)).changes).toHaveLength(1)
    expect(await reviewOf(context)).toBe(first)
  }))

it.each<readonly [string, (context: TestContext) => Promise<unknown>]>([
  [
    'a change that joins',
    (context) => outcomeOf(context, 'write_file', { path: '/c', content: '' }),
  ],
  ['a write to the workspace', ({ write }) => write({ '/other': 'text' })],
  ['a write to one of its files', ({ write }) => write({ '/a': 'text' })],
])('is another one after %s', (_, change) =>
  withDraft(async (context) => {
    const first = await reviewOf(context)
    await change(context)
    expect(await reviewOf(context)).not.toBe(first)
  }),
)

it('is another one after a few seconds', () =>
  withDraft(async (context) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const first = await reviewOf(context)
    vi.advanceTimersByTime(5_000)
    expect(await reviewOf(context)).not.toBe(first)
  }))

it('has the levels of the rules of now', async () => {
  const workspace = await held({}, REVIEW)
  await write(workspace, '/a', 'new')
  expect((await show(workspace)).changes).toMatchObject([{ level: 'review' }])
  await configure(workspace, { approval: 'confirm' })
  expect((await show(workspace)).changes).toMatchObject([{ level: 'confirm' }])
})

/** The reason that an agent gives for its draft: whose it is, who reads it, and that it decides nothing. */

import { describe, expect, it } from 'vitest'
import { isRecord, recordOf } from '#core/json.ts'
import { MAX_REASON_LENGTH } from '#worker/drafts/limits.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import {
  approveAll,
  onlyDraft,
  outcomeOf,
  REVIEW,
  shown,
} from '../../support/worker/draft-tools.ts'
import { approve, held, listOf, read, show, write } from '../../support/worker/held-draft.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

const REASON = 'The release moved to Friday.'

const propose = (context: TestContext, path = '/a') =>
  outcomeOf(context, 'write_file', { path, content: 'new' })

const explain = (context: TestContext, reason: string) =>
  outcomeOf(context, 'respond_to_review', { reason })

const statusOf = async (context: TestContext) => {
  const { content, structuredContent } = await outcomeOf(context, 'draft_status', {})
  return { text: content[0], draft: structuredContent?.['draft'] }
}

const codeOf = (outcome: Awaited<ReturnType<typeof explain>>) =>
  recordOf(outcome._meta?.['dev.edgewise/error'])['code']

describe('the reason of a draft', () => {
  it('is in the status of its agent, and replaced by the next one', () =>
    withToolContext(REVIEW, async (context) => {
      await propose(context)
      expect(await statusOf(context)).toMatchObject({ draft: { changes: 1 } })
      const first = await explain(context, 'First.')
      const { name } = onlyDraft(context)
      expect(first.structuredContent).toEqual({ draft: name, reason: 'First.' })
      await explain(context, REASON)
      expect(await statusOf(context)).toMatchObject({
        draft: { id: name, changes: 1, reason: REASON },
        text: { text: expect.stringContaining(JSON.stringify(REASON)) },
      })
    }))

  it('stays with what is left of the draft, and is not that of the next one', () =>
    withToolContext(REVIEW, async (context) => {
      await propose(context, '/a')
      await propose(context, '/b')
      await explain(context, REASON)
      expect(await approveAll(context, { groups: [0] })).toMatchObject({ ok: true })
      expect(await statusOf(context)).toMatchObject({ draft: { changes: 1, reason: REASON } })
      expect(await approveAll(context)).toMatchObject({ ok: true })
      await propose(context)
      expect((await statusOf(context)).draft).not.toHaveProperty('reason')
    }))

  it('is refused without a draft of the caller, whatever others have', () =>
    withToolContext(REVIEW, async (context) => {
      expect(codeOf(await explain(context, REASON))).toBe('DRAFT_NOT_FOUND')
      await propose(context)
      const { caller, services } = context
      const other = { ...caller, principal: 'other', budget: 'other' }
      const theirs = services.openFor(other.access, other).draft
      expect(theirs.explain('Mine now.')).toBeNull()
      expect(theirs.status().reason).toBe('')
      expect(context.drafts.reasonOf(onlyDraft(context))).toBe('')
    }))

  it('makes no version, and alters neither what is decided nor its digest', () =>
    withToolContext(REVIEW, async (context) => {
      await propose(context)
      const [draft, before] = [onlyDraft(context), await shown(context)]
      const { version } = context.store.totals
      await explain(context, REASON)
      expect(context.store.totals.version).toBe(version)
      expect(onlyDraft(context)).toBe(draft)
      expect(await shown(context)).toEqual(before)
      const [entry] = context.store.audit.find({ limit: 1 })
      expect(entry).toMatchObject({ tool: 'respond_to_review', outcome: 'proposed', version: null })
      expect(entry?.intent).toContain(REASON)
    }))

  it.each([
    [{}, 'MISSING_REASON'],
    [{ reason: '' }, 'MISSING_REASON'],
    [{ reason: ' \n ' }, 'EMPTY_REASON'],
    [{ reason: 'x'.repeat(MAX_REASON_LENGTH + 1) }, 'INVALID_REASON'],
    [{ reason: 'half \ud800' }, 'INVALID_REASON'],
    [{ reason: REASON, replies: [] }, 'EMPTY_REPLIES'],
    [{ reason: REASON, replies: [{ comment: 'none', text: 'x' }] }, 'COMMENT_NOT_FOUND'],
  ])('is a sentence of limited length: %o', (args, code) =>
    withToolContext(REVIEW, async (context) => {
      await propose(context)
      await explain(context, REASON)
      expect(codeOf(await outcomeOf(context, 'respond_to_review', args))).toBe(code)
      expect(context.drafts.reasonOf(onlyDraft(context))).toBe(REASON)
      await explain(context, 'x'.repeat(MAX_REASON_LENGTH))
      expect(context.drafts.reasonOf(onlyDraft(context))).toHaveLength(MAX_REASON_LENGTH)
    }),
  )

  it('has a code that a model can mend', async () => {
    const { call } = freshWorkspace()
    expect(errorOf((await call('respond_to_review', { reason: REASON })).result)).toMatchObject({
      code: 'DRAFT_NOT_FOUND',
    })
  })

  it('is listed and shown to the owner as it was sent', async () => {
    const { fetch, call } = freshWorkspace()
    const config = JSON.stringify(REVIEW)
    await (await fetch('/config', { method: 'PUT', body: config })).text()
    await call('write_file', { path: '/a', content: 'new' })
    const reason = 'Approve </q><script>alert(1)</script> \u202e now'
    await call('respond_to_review', { reason })
    const { drafts } = recordOf(await (await fetch('/drafts')).json())
    const [draft] = Array.isArray(drafts) ? drafts.filter(isRecord) : []
    expect(draft).toMatchObject({ reason, changes: 1 })
    expect(await (await fetch(`/drafts/${String(draft?.['id'])}`)).json()).toMatchObject({ reason })
  })
})

it('is kept with the decision only as it was shown', async () => {
  const workspace = await held({}, { approval: 'review' })
  await write(workspace, '/a.md', 'a\n')
  await workspace.call('respond_to_review', { reason: 'Fix a typo.' })
  const shown = await show(workspace)
  await workspace.call('respond_to_review', { reason: 'The owner asked for it.' })
  const { revision } = shown
  const done = await approve(workspace, shown, { revision, reason: 'Fix a typo.' })
  expect(done).toMatchObject({ status: 200 })
  const { entries } = recordOf(await read(workspace, '/audit'))
  const entry = listOf(entries).find(({ tool }) => tool === 'approve_draft')
  expect(recordOf(entry?.['review'])).toMatchObject({ reason: '' })
})

/** Handing a draft over: what the page of a draft shows of it, and what a press sends. */

import { HandOver } from '#host/console/drafts/hand-over.tsx'
import { DraftActor, DraftTimes } from '#host/console/drafts/draft-facts.tsx'
import type { DraftFacts } from '#core/owner/answers/drafts.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'

const root = document.createElement('main')
let sent: readonly SentAct[]

beforeEach(() => {
  document.body.append(root)
  sent = fakeOwner({ hand_over_draft: () => null })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

it('is there only where another connection could have the draft', () => {
  render(<HandOver contents={{ id: 'd', receivers: [] }} done={() => {}} />, root)
  expect(root.textContent).toBe('')
})

it('sends the connection that was chosen, by a press alone', async () => {
  const done = vi.fn()
  const receivers = ['one', 'two'].map((session) => ({ session, label: `"${session}`, created: 0 }))
  render(<HandOver contents={{ id: 'd', receivers }} done={done} />, root)
  await userEvent.click(root.querySelector('summary') ?? root)
  const [, second] = root.querySelectorAll('button')
  if (!second) throw new Error('Expected two buttons')
  second.click()
  expect(sent).toEqual([])
  await pressDecision(() => second)
  await expect.poll(() => done.mock.calls.length).toBe(1)
  expect(sent).toMatchObject([{ name: 'hand_over_draft', body: { session: 'two' } }])
})

it('a draft that may be from several programs says so, with the name that they claim', () => {
  const facts: DraftFacts = {
    ...{ id: 'd', actor: 'local', principal: 'local', session: null, label: null, client: 'foo' },
    ...{ reason: '', opened: 0, touched: 0, expires: 0, shared: true, ended: false },
  }
  const show = (draft: DraftFacts) =>
    render([<DraftActor key="a" draft={draft} />, <DraftTimes key="t" draft={draft} />], root)
  show(facts)
  expect(root.textContent).toContain('(client foo)')
  expect(root.textContent).toContain('may be from several programs')
  show({ ...facts, session: 's', label: 'foo', client: null, shared: false })
  expect(root.textContent).not.toContain('several')
})

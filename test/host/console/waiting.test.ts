/** What waits, in words: every kind by its own name, because a person decides on each in another way. */

import { describeWaiting, onlyDraftOf } from '#host/console/drafts/describe-waiting.ts'
import type { DraftSummary, WaitingList } from '#core/owner/answers/drafts.ts'
import { expect, it } from 'vitest'

const list = (changes: number, requests: number, apps: number, skills = 0): WaitingList => ({
  waiting: changes + requests + apps + skills,
  requests,
  apps,
  skills,
  drafts: [],
})

it.each([
  [list(1, 0, 0), '1 change waits for you'],
  [list(2, 0, 0), '2 changes wait for you'],
  [list(0, 1, 0), '1 access request waits for you'],
  [list(0, 0, 2), '2 apps wait for you'],
  [list(0, 0, 0, 1), '1 skill waits for you'],
  [list(11, 3, 1), '11 changes, 3 access requests and 1 app wait for you'],
])('%j', (waiting, sentence) => {
  expect(describeWaiting(waiting)).toBe(sentence)
})

const draft = (id: string, changes: number): DraftSummary => ({
  ...{ id, changes, actor: id, principal: id, session: null, label: null, client: null },
  ...{ reason: '', opened: 0, touched: 0, expires: 0, shared: false, ended: false },
})

it('names a draft only while nothing else waits', () => {
  const only = draft('a', 2)
  expect(onlyDraftOf({ ...list(2, 0, 0), drafts: [only] })).toBe(only)
  expect(onlyDraftOf({ ...list(2, 1, 0), drafts: [only] })).toBeNull()
  expect(onlyDraftOf({ ...list(3, 0, 0), drafts: [only, draft('b', 1)] })).toBeNull()
  expect(onlyDraftOf(list(0, 1, 0))).toBeNull()
})

/** Agents of one name in the list of what waits: each card says which one it is, and moves nothing for a new one. */

import type { DraftSummary } from '#core/owner/answers/drafts.ts'
import type { WaitingRequest } from '#core/owner/answers/requests.ts'
import { DraftCard } from '#host/console/drafts/draft-card.tsx'
import { AccessRequests } from '#host/console/requests/access-requests.tsx'
import { useNames } from '#host/console/ui/same-name.tsx'
import { fakeOwner } from '../../support/host/fake-owner.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const FIRST = 'aaaaaaaa-1111-4111-8111-111111111111'
const SECOND = 'bbbbbbbb-2222-4222-8222-222222222222'

const DRAFT: DraftSummary = {
  ...{ id: 'one', actor: 'claude for owner', principal: 'owner', session: FIRST, label: 'claude' },
  ...{
    client: null,
    reason: '',
    opened: 1_000,
    touched: 1_000,
    expires: 9_000,
    ended: false,
    shared: false,
  },
  changes: 1,
}

const REQUEST: WaitingRequest = {
  ...{
    id: 'r',
    actor: '',
    tool: 'read_file',
    intent: 'Read /a',
    principal: 'owner',
    opened: 2_000,
  },
  ...{ session: SECOND, label: 'claude', client: null, paths: [], scopes: [], expires: 9_000 },
  ...{ ended: false, can: [], roots: [] },
}

const root = document.createElement('main')
let requests: readonly WaitingRequest[]

beforeEach(() => {
  document.body.append(root)
  requests = []
  fakeOwner({
    sum_up_draft: { files: 0, risky: 0, added: 0, removed: 0, first: [] },
    list_requests: () => ({ waiting: requests.length, requests, allowed: [] }),
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

function List({ drafts }: { readonly drafts: readonly DraftSummary[] }) {
  useNames('drafts', drafts)
  return (
    <>
      {drafts.map((draft) => (
        <DraftCard key={draft.id} draft={draft} isGone={false} />
      ))}
      <AccessRequests base="/w/x" />
    </>
  )
}

const notes = () => [...root.querySelectorAll('.samename')].map((one) => one.textContent ?? '')

it.each<[string, Partial<DraftSummary>]>([
  ['the same', {}],
  ['the same in other letters', { label: ' CLAUDE' }],
  ['the same with a character that is not seen', { label: 'clau\u200bde' }],
])('tells two drafts apart whose agents have a name that is %s', async (_, other) => {
  const drafts = [DRAFT, { ...DRAFT, id: 'two', session: SECOND, opened: 2_000, ...other }]
  render(<List drafts={drafts} />, root)
  await expect.poll(notes).toHaveLength(2)
  const [first = '', second = ''] = notes()
  expect([first.includes('aaaaaaaa'), second.includes('bbbbbbbb')]).toEqual([true, true])
  expect(first).not.toContain(FIRST)
})

it('tells a draft apart from the request of another agent', async () => {
  requests = [REQUEST]
  render(<List drafts={[DRAFT]} />, root)
  await expect.poll(notes).toHaveLength(2)
  expect(root.querySelector('.request .samename')?.textContent).toContain('bbbbbbbb')
})

it('says nothing where one agent has a name, also for its draft and its request', async () => {
  requests = [{ ...REQUEST, session: FIRST }]
  const other = { ...DRAFT, id: 'two', session: SECOND, label: 'codex' }
  const client = { ...DRAFT, id: 'three', session: SECOND, client: 'claude' }
  render(<List drafts={[DRAFT, other, client]} />, root)
  await expect.poll(() => root.querySelector('.request')).not.toBeNull()
  expect(notes()).toEqual([])
})

/** Applied changes that are listed until they were seen: a press marks those that were shown, and no others. */

import { NotifiedChanges } from '#host/console/drafts/notified-changes.tsx'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const changeOf = (version: number) => ({
  ...{ id: `c${version}`, version, tool: 'write_file', intent: `Write /${version}` },
  ...{ at: new Date(0).toISOString(), actor: 'helper', principal: 'owner', session: 's' },
})

const root = document.createElement('main')
let sent: readonly SentAct[]

beforeEach(() => {
  document.body.append(root)
  const unseen = { count: 60, dropped: 202, changes: [changeOf(9), changeOf(7)] }
  const none = { count: 0, dropped: 0, changes: [] }
  sent = fakeOwner({
    list_notices: () => (sent.length > 0 ? none : unseen),
    dismiss_notices: none,
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

it('marks what was shown, and says how much was not', async () => {
  render(<NotifiedChanges />, root)
  await expect.poll(() => root.textContent).toContain('58 earlier changes')
  expect(root.textContent).toContain('202 more changes')
  const seen = () => root.querySelector<HTMLElement>('header .button')
  expect(seen()?.textContent).toContain('Mark these as seen')
  await pressDecision(seen)
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ versions: [9, 7], dropped: 202 }])
})

/** Leases on the sessions page of the console: what is listed, and its end. */

import type { ShownLease } from '#core/owner/answers/leases.ts'
import { AllLeases } from '#host/console/leases/lease-list.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'

const root = document.createElement('main')
let sent: readonly SentAct[]
let leases: ShownLease[]

const LEASE: ShownLease = {
  ...{ id: 'l1', kind: 'lease', path: '/f', deep: true, principal: 'owner', session: 's' },
  ...{ label: 'You', client: 'a "b"', note: 'until 2099\u202e', taken: 0 },
  until: Date.now() + 3_600_000,
}

const LOCK: ShownLease = {
  ...{ ...LEASE, id: 'l2', kind: 'lock', path: '/g/report.docx' },
  ...{ session: null, label: null, client: null, note: '' },
}

beforeEach(() => {
  document.body.append(root)
  leases = [LEASE, LOCK]
  sent = fakeOwner({
    list_leases: () => ({ leases: [...leases] }),
    end_lease: ({ url }) => {
      leases = leases.filter(({ id }) => !url.endsWith(id))
      return null
    },
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

it('lists each with its path, its holder as a claim, its note and the time left', async () => {
  render(<AllLeases />, root)
  await expect.poll(() => root.querySelectorAll('li').length).toBe(2)
  const [first, second] = root.querySelectorAll('li')
  expect(first?.textContent).toContain('/f by ')
  expect(first?.textContent).toContain('lease, 1 hour left')
  // The label, the client and the note are what an agent says, and marked so.
  expect(first?.querySelectorAll('q.claimed')).toHaveLength(3)
  expect(first?.textContent).toContain('RLO')
  expect(second?.textContent).toContain('WebDAV lock')
  expect(second?.querySelectorAll('q.claimed')).toHaveLength(1)
})

it('ends one, by the keyboard as well, and the focus stays in the list', async () => {
  render(<AllLeases />, root)
  await expect.poll(() => root.querySelectorAll('li').length).toBe(2)
  root.querySelector<HTMLButtonElement>('[data-end-lease="l1"]')?.focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => root.querySelectorAll('li').length).toBe(1)
  expect(sent.map(({ name }) => name)).toEqual(['end_lease'])
  expect(document.activeElement?.getAttribute('data-end-lease')).toBe('l2')
})

it('shows nothing without any', async () => {
  leases = []
  render(<AllLeases />, root)
  await userEvent.keyboard('{Tab}')
  expect(root.textContent).toBe('')
})

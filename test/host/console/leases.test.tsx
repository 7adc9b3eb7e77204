/** Leases on the sessions page of the console: what is listed, and its end. */

import type { ShownLease } from '#core/owner/answers/leases.ts'
import { AllLeases } from '#host/console/leases/lease-list.tsx'
import { toasts } from '#host/console/ui/toasts.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'

const root = document.createElement('main')
let sent: readonly SentAct[]
let leases: ShownLease[]
let refuses = false

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
  refuses = false
  toasts.value = []
  sent = fakeOwner({
    list_leases: () => ({ leases: [...leases] }),
    end_lease: ({ url }) => {
      if (refuses) return Response.json({ message: 'Not now.' }, { status: 503 })
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

it('says why one was not ended, and shows it on', async () => {
  refuses = true
  render(<AllLeases />, root)
  await expect.poll(() => root.querySelectorAll('li').length).toBe(2)
  await userEvent.click(page.getByRole('button', { name: 'End now the lease of /f' }))
  await expect.poll(() => toasts.value.at(-1)?.text).toContain('Not now.')
  expect(toasts.value.at(-1)?.tone).toBe('danger')
  expect(root.querySelectorAll('li')).toHaveLength(2)
  // The same key would end the other one.
  expect(document.activeElement?.getAttribute('data-end-lease')).toBe('l1')
})

it('shows nothing without any', async () => {
  leases = []
  render(<AllLeases />, root)
  await userEvent.keyboard('{Tab}')
  expect(root.textContent).toBe('')
})

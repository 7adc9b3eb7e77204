/** Changes that were approved together: one row, which opens and is undone as a whole, and the entry of their decision. */

import { Changes } from '#host/console/activity/change-list.tsx'
import { AuditEntries } from '#host/console/activity/audit-list.tsx'
import { readEntries } from '#host/console/activity/audit.ts'
import { parseChanges } from '#host/console/activity/changes.ts'
import { connectionStatus, tools } from '#host/console/connect/connection.ts'
import { parseTools } from '#host/mcp/parse.ts'
import type { AuditEntry } from '#core/owner/answers/audit.ts'
import { fakeConnection } from '../../support/host/fake-connection.ts'
import { fakeOwner } from '../../support/host/fake-owner.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'

const AT = '2026-11-29T10:00:00.000Z'

const changeOf = (version: number, approval?: string) => ({
  ...{ id: `c${version}`, version, tool: 'write_file', intent: `Write /${version}`, at: AT },
  ...{ actor: '"claude" for local', label: 'claude', principal: 'local', session: 's' },
  ...(approval !== undefined && { approval, approved_by: 'local' }),
})

const ENTRY: AuditEntry = {
  ...{ seq: 9, at: AT, outcome: 'applied', id: 'first', tool: 'approve_draft', intent: 'Approve' },
  ...{ actor: { principal: 'local', session: null, label: null }, digest: '', hash: '' },
  decision: [{ kind: 'owner' }, { kind: 'passkey', id: 'k', label: 'Phone' }],
  ...{ version: null, paths: ['/1'] },
  review: { draft: 'd', changes: 5, note: 'Good.', reason: 'Free\u202e\n<b>text</b>' },
}

const root = document.createElement('main')
let asked: Readonly<Record<string, string>>[]

beforeEach(() => {
  asked = []
  document.body.append(root)
  const listed = [{ name: 'undo_change', inputSchema: { type: 'object' } }]
  tools.value = parseTools({ tools: listed }).items
  connectionStatus.value = { state: 'ready', connection: fakeConnection() }
  fakeOwner({
    read_audit: ({ query }) => {
      asked.push(query)
      return { entries: [{ ...ENTRY, seq: 10, id: 'other' }, ENTRY], next: null }
    },
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  tools.value = []
  connectionStatus.value = { state: 'connecting' }
  vi.unstubAllGlobals()
})

const show = (hasOlder = false, most?: number) => {
  const made = [changeOf(8), changeOf(7, 'first'), changeOf(6, 'first'), changeOf(5, 'first')]
  const list = parseChanges([
    ...made,
    changeOf(4, 'single'),
    changeOf(3, 'old'),
    changeOf(2, 'old'),
  ])
  render(<Changes changes={list} hasOlder={hasOlder} {...(most !== undefined && { most })} />, root)
  return [...root.querySelectorAll<HTMLElement>(':scope > .changes > li')]
}

it('are one row, each with its own undo of all', async () => {
  const rows = show()
  expect(rows).toHaveLength(4)
  expect(rows.map(({ innerText }) => innerText)).toEqual([
    expect.stringMatching(/^Write \/8/),
    expect.stringMatching(/^Approved 3 changes of claude by you/),
    expect.stringMatching(/^Write \/4/),
    expect.stringMatching(/^Approved 2 changes of claude by you/),
  ])
  const all = page.getByRole('button', { name: /^Undo all: Approval of 3 changes of/ })
  await expect.element(all).toBeVisible()
  expect(asked).toEqual([])
})

it('open, with what was written about the decision, drawn as text', async () => {
  show()
  root.querySelector<HTMLElement>('.approved summary')?.click()
  await expect.element(page.getByText('Good.')).toBeVisible()
  const row = root.querySelector<HTMLElement>('.approved')
  expect(row?.querySelector('dl .claimed')?.textContent).toContain('<b>text</b>')
  expect(row?.querySelector('dl b')).toBeNull()
  expect(row?.querySelectorAll('dl .hidden-char').length).toBeGreaterThan(0)
  expect(row?.innerText).toContain('you, by hand and the passkey “Phone”')
  expect(row?.innerText).toContain('3 of 5 are listed here')
  expect(row?.querySelectorAll('.changes a')).toHaveLength(3)
  expect(asked).toMatchObject([{ since: AT, outcome: 'applied' }])
})

it('name the owner by the address that Cloudflare Access has proved', async () => {
  const actor = { ...ENTRY.actor, principal: 'owner', email: 'ada@example.com' }
  fakeOwner({ read_audit: () => ({ entries: [{ ...ENTRY, actor }], next: null }) })
  show()
  root.querySelector<HTMLElement>('.approved summary')?.click()
  const decided = page.getByText('ada@example.com, by hand and the passkey “Phone”')
  await expect.element(decided).toBeVisible()
})

it('say that there may be more of them where the history goes on', () => {
  expect(show(true).at(-1)?.innerText).toMatch(/^Approved 2 changes or more of/)
  expect(show(true).at(1)?.innerText).toMatch(/^Approved 3 changes of/)
})

it('count as one row of few', () => {
  expect(show(false, 2)).toHaveLength(2)
})

it('are a decision in the audit log, with note and reason, and no page of a change', async () => {
  const { entries } = await readEntries('', {})
  render(<AuditEntries entries={entries} among={entries} />, root)
  const row = root.querySelector('.changes > li')
  expect(row?.textContent).toContain('Note: Good.')
  expect(row?.querySelector('.claimed')?.textContent).toContain('<b>text</b>')
  expect(row?.querySelector('a, b')).toBeNull()
})

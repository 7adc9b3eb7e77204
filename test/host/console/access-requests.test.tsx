/** The list of access requests: what it shows, and that only a real click decides. */

import { AccessRequests } from '#host/console/requests/access-requests.tsx'
import { revision } from '#host/console/connect/connection.ts'
import { newRowCount, showNewRows } from '#host/console/ui/held.ts'
import type { AllowedCall, WaitingRequest } from '#core/owner/answers/requests.ts'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const ROW: WaitingRequest = {
  ...{ id: 'one', actor: 'helper for owner', tool: 'read_file', intent: 'Read /other/a' },
  ...{ principal: 'owner', session: 's', label: 'helper', client: null, paths: ['/other/a'] },
  ...{ scopes: ['read:file:/other'], opened: 1_000, expires: 9_000, ended: false },
  can: ['call', 'session', 'rules'],
  roots: [{ path: '/other', immutable: ['**'] }],
}

const root = document.createElement('main')
let sent: readonly SentAct[]
let rows: readonly WaitingRequest[]
let allowed: readonly AllowedCall[]

/** Takes the requests out of the list, as the server does when one was decided. */
function decided<T>(answer: T): T {
  rows = []
  return answer
}

beforeEach(() => {
  document.body.append(root)
  rows = [ROW]
  allowed = []
  sent = fakeOwner({
    list_requests: () => ({ waiting: rows.length, requests: rows, allowed }),
    allow_access: () => decided({ id: 'one', state: 'allowed', for: 'call' }),
    refuse_access: () => decided({ id: 'one', state: 'refused' }),
    take_back_call: () => decided(null),
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

async function show(): Promise<void> {
  render(<AccessRequests base="/w/x" />, root)
  await expect.poll(() => root.textContent).toContain('Read /other/a')
}

function button(label: string): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find((one) => one.textContent === label)
  if (!found) throw new Error(`No button ${label}`)
  return found
}

const isOff = (one: HTMLElement) => one.getAttribute('aria-disabled') === 'true'

const press = (label: string) => pressDecision(() => button(label))

it('shows the call, its caller, its files, and what it would open for longer', async () => {
  await show()
  for (const text of ['helper', '/other/a', 'read everything in /other'])
    expect(root.textContent).toContain(text)
})

it('names every file and every scope of a call that is allowed once, however many there are', async () => {
  const paths = Array.from({ length: 99 }, (_, index) => `/pub/${'x'.repeat(200)}${index}`)
  const scopes = Array.from({ length: 20 }, (_, index) => `read:file:/private/${index}`)
  const row: WaitingRequest = { ...ROW, session: null, can: ['call'], roots: [] }
  rows = [{ ...row, paths: [...paths, '/private/payroll.csv'], scopes }]
  await show()
  const listed = [...root.querySelectorAll('.paths li')]
  expect(listed.map((one) => one.textContent)).toEqual([...paths, '/private/payroll.csv'])
  const last = listed.at(-1)?.getBoundingClientRect()
  const card = root.querySelector('.request')?.getBoundingClientRect()
  // It is drawn above the buttons, and nothing has to be scrolled within the card.
  expect(last?.bottom).toBeLessThan(button('Allow once').getBoundingClientRect().top)
  expect(last?.height).toBeGreaterThan(0)
  expect(card?.bottom).toBeGreaterThan(button('Allow once').getBoundingClientRect().bottom)
  const extent = [...root.querySelectorAll('.extent li')].map((one) => one.textContent)
  expect(extent).toEqual(scopes.map((_, index) => `read everything in /private/${index}`))
  expect(root.querySelector('.extent')?.textContent).toContain('For this call, it may')
})

it.each([
  ['read:file', 'read everything in the workspace'],
  ['write:file:/', 'change everything in the workspace'],
  ['write', 'change everything in the workspace'],
  ['write:file:/docs', 'change everything in /docs'],
  ['send:mail', 'send:mail'],
])('says what the scope %s opens', async (scope, words) => {
  rows = [{ ...ROW, scopes: [scope] }]
  await show()
  expect(root.querySelector('.extent')?.textContent).toContain(words)
})

it('shows what an agent wrote as text, with its invisible characters', async () => {
  rows = [{ ...ROW, intent: 'Read /other/a <b>\u202e</b>' }]
  await show()
  expect(root.querySelector('b')).toBeNull()
  expect(root.textContent).not.toContain('\u202e')
})

it.each([
  ['Allow once', '/w/x/requests/one/allow', { for: 'call' }],
  ['Allow for this session', '/w/x/requests/one/allow', { for: 'session' }],
  ['Refuse', '/w/x/requests/one/refuse', { note: '' }],
])(
  '%s is sent for a click of the user, and the request keeps its place',
  async (label, url, body) => {
    await show()
    await press(label)
    await expect.poll(() => sent).toMatchObject([{ url, body }])
    expect(sent[0]?.headers.get('x-edgewise-console')).toBe('1')
    await expect.poll(() => document.activeElement?.className).toBe('outcome')
    expect(root.textContent).toContain('Read /other/a')
    expect([...root.querySelectorAll('button')]).toEqual([])
  },
)

it('allows in the rules after it has shown exactly what is added', async () => {
  await show()
  await press('Allow in the rules…')
  expect(sent).toEqual([])
  const dialog = root.querySelector('dialog')
  expect(dialog?.textContent).toContain('{"path":"/other","immutable":["**"]}')
  expect(dialog?.textContent).toContain('read, and not change, everything in /other')
  await press('Add to the rules')
  const body = { for: 'rules', roots: ROW.roots }
  await expect.poll(() => sent).toMatchObject([{ url: '/w/x/requests/one/allow', body }])
  expect(sent[0]?.body).toEqual(body)
})

it('moves no request when another comes or one goes', async () => {
  rows = [{ ...ROW, id: 'two', intent: 'Read /other/b' }, ROW]
  await show()
  const headings = () => [...root.querySelectorAll('h3')].map((one) => one.textContent)
  expect(headings()).toEqual(['Read /other/a', 'Read /other/b'])
  const height = root.querySelector('li')?.getBoundingClientRect().height
  rows = [
    { ...ROW, id: 'three', intent: 'Read /other/c' },
    { ...ROW, id: 'two', intent: 'Read /other/b' },
  ]
  revision.value++
  await expect.poll(() => newRowCount.value).toBe(1)
  expect(headings()).toEqual(['Read /other/a', 'Read /other/b'])
  expect(root.querySelector('li')?.textContent).toContain('It no longer waits.')
  expect(root.querySelector('li')?.getBoundingClientRect().height).toBe(height)
  showNewRows()
  await expect.poll(headings).toEqual(['Read /other/b', 'Read /other/c'])
})

it('takes back an allowed call that was not made yet', async () => {
  allowed = [{ ...ROW, id: 'used', until: Date.now() + 60_000 }]
  await show()
  await press('Take back')
  await expect.poll(() => sent).toMatchObject([{ url: '/w/x/requests/used' }])
})

it('takes no click that was meant for what was there before', async () => {
  const begun = performance.now()
  // Seen at once, however late this page is.
  const states: boolean[] = []
  const watch = new MutationObserver(() => {
    const allow = [...root.querySelectorAll('button')].find(
      (one) => one.textContent === 'Allow once',
    )
    if (allow) states.push(isOff(allow))
  })
  watch.observe(root, { subtree: true, childList: true, attributes: true })
  await show()
  await expect.poll(() => isOff(button('Allow once'))).toBe(false)
  watch.disconnect()
  expect(states[0]).toBe(true)
  expect(performance.now() - begun).toBeGreaterThan(450)
})

it('sends nothing for a click of a script', async () => {
  await show()
  await expect.poll(() => isOff(button('Allow once'))).toBe(false)
  for (const label of ['Allow once', 'Allow for this session', 'Refuse', 'Allow in the rules…'])
    button(label).click()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent).toEqual([])
})

it('offers nothing but a refusal where the session is over', async () => {
  rows = [{ ...ROW, can: [] }]
  await show()
  expect([...root.querySelectorAll('button')].map((one) => one.textContent)).toEqual(['Refuse'])
})

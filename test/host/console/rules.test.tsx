/** The rules page: what it shows, asks and sends, beside a server whose rules others change as well. */

import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { DEFAULT_CONFIG, formatConfig, readConfig, type Config } from '#core/config.ts'
import { connectionStatus } from '#host/console/connect/connection.ts'
import { Rules } from '#host/console/rules/rules.tsx'
import { queue } from '#host/console/questions/queue.ts'
import { Questions } from '#host/console/questions/questions.tsx'
import { toasts, Toasts } from '#host/console/ui/toasts.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeConnection } from '../../support/host/fake-connection.ts'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'

const root = document.createElement('main')
let held: Config
let flags: Record<string, unknown>
let sent: readonly SentAct[]
/** What the server waits for before it stores the rules. */
let gate: Promise<void>

/** Replaces fields of the rules as another window does. */
function setRules(given: unknown): void {
  const read = readConfig(given, DEFAULT_CONFIG)
  if (!read.ok) throw new Error(read.error[0].message)
  held = read.value
}

const tagOf = () => JSON.stringify(JSON.stringify(formatConfig(held)))

const answer = () => Response.json(formatConfig(held), { headers: { etag: tagOf() } })

/** Stores rules under the conditions of the Worker, with the parser of the Worker. */
function configure({ body, headers }: SentAct): Response {
  const read = readConfig(body, DEFAULT_CONFIG)
  if (!read.ok) {
    const refusal = { code: 'INVALID_CONFIG', message: read.error[0].message, problems: read.error }
    return Response.json(refusal, { status: 400 })
  }
  if (headers.get('if-match') !== tagOf())
    return Response.json({ code: 'VERSION_CONFLICT', message: 'changed' }, { status: 412 })
  held = read.value
  return answer()
}

beforeEach(() => {
  document.body.append(root)
  setRules({})
  flags = {}
  gate = Promise.resolve()
  sent = fakeOwner({
    read_config: answer,
    read_flags: () => flags,
    configure,
    list_trust: { trusts: [] },
    list_passkeys: {
      ...{ passkeys: [], rule: 'none', host: location.hostname },
      ...{ needs_secret: false, removal_seconds: 60 },
    },
  })
  const owner = fetch
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.startsWith('/files/?'))
      return Response.json({ entries: [{ name: 'docs', type: 'folder' }] })
    if (init?.method === 'PUT') await gate
    return owner(url, init)
  })
  const connection = fakeConnection({ configSchema: { ...CONFIG_SCHEMA } })
  connectionStatus.value = { state: 'ready', connection }
})

afterEach(() => {
  render(null, root)
  root.remove()
  queue.value = []
  toasts.value = []
  connectionStatus.value = { state: 'connecting' }
  vi.unstubAllGlobals()
})

const level = () => page.getByLabelText('Approval', { exact: true })
const question = () => page.getByRole('alertdialog')
const shown = () => root.textContent

async function show(): Promise<void> {
  render(
    <>
      <Rules />
      <Questions />
      <Toasts />
    </>,
    root,
  )
  await expect.poll(() => level().query()).not.toBeNull()
}

function button(label: string | RegExp): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find(({ textContent }) =>
    typeof label === 'string' ? textContent.trim() === label : label.test(textContent),
  )
  if (!found) throw new Error(`No button ${label}`)
  return found
}

const press = (label: string | RegExp) => pressDecision(() => button(label))

/** Presses Save in the form by the keyboard, which opens the question. */
async function openQuestion(): Promise<void> {
  button('Save…').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => question().query()).not.toBeNull()
}

async function save(): Promise<void> {
  await openQuestion()
  await press('Save')
}

const isSaved = () => expect.poll(shown).toContain('The rules were saved')

it('leaves what was saved in another window meanwhile', async () => {
  await show()
  await level().selectOptions('review')
  setRules({ read_only: true })
  await save()
  await isSaved()
  expect(held).toMatchObject({ read_only: true, approval: 'review' })
  await expect.poll(shown).toContain('Nothing may be changed.')
})

it('asks about the rules as they are by then', async () => {
  await show()
  await level().selectOptions('review')
  setRules({ approval: 'confirm' })
  await openQuestion()
  expect(shown()).toContain('approval: confirm → review')
})

it('names every pattern that changes, by folder and rule, and none that stays', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `private-${at}/**`)
  setRules({ roots: [{ path: '/', deny: [...many, 'payroll.csv'] }] })
  await show()
  const last = [...root.querySelectorAll('input')].find(({ value }) => value === 'payroll.csv')
  if (!last) throw new Error('No field for the last pattern')
  await userEvent.fill(last, 'payroll.txt')
  await openQuestion()
  const lines = question().query()?.querySelector('.plainbox')?.textContent
  expect(lines).toContain('roots / deny payroll.csv: set → not set')
  expect(lines).toContain('roots / deny payroll.txt: not set → set')
  expect(lines).not.toContain('private-')
})

it('asks again where they change while it asks', async () => {
  await show()
  await level().selectOptions('review')
  await openQuestion()
  expect(question().query()?.textContent).toContain('1 rule changes.')
  setRules({ read_only: true, approval: 'confirm' })
  await press('Save')
  await expect.poll(shown).toContain('The rules were changed elsewhere meanwhile. 1 rule changes.')
  expect(shown()).toContain('approval: confirm → review')
  expect(held).toMatchObject({ read_only: true, approval: 'confirm' })
  await press('Save')
  await isSaved()
  expect(held).toMatchObject({ read_only: true, approval: 'review' })
})

it('saves once, and keeps what is edited while it saves', async () => {
  await show()
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  await level().selectOptions('review')
  await save()
  await expect.poll(shown).toContain('Saving…')
  button('Saving…').focus()
  await userEvent.keyboard('{Enter}')
  const passkey = page.getByLabelText('Passkey', { exact: true })
  await passkey.selectOptions('all')
  resolve()
  await isSaved()
  await expect.poll(shown).toContain('1 rule changes.')
  expect(sent.filter(({ name }) => name === 'configure')).toHaveLength(1)
  expect(passkey.element().querySelector('option:checked')?.textContent).toBe('all')
  expect(held).toMatchObject({ approval: 'review', passkey: 'confirm' })
})

it('leaves the focus on Save', async () => {
  await show()
  await level().selectOptions('review')
  await save()
  await expect.poll(shown).toContain('No changes')
  expect(document.activeElement).toBe(button('Save…'))
})

it('offers an approval level for a folder', async () => {
  await show()
  await page.getByLabelText('Approval in this folder').first().selectOptions('review')
  expect(shown()).toContain('In /, changes wait until you approve them.')
  await openQuestion()
  expect(question().query()?.textContent).toContain('roots / approval: not set → review')
  await press('Save')
  await isSaved()
  expect(held).toMatchObject({ roots: [{ path: '/', approval: 'review' }] })
})

it('forbids changes in a folder with one click, and folds the limits', async () => {
  await show()
  await press('Forbid changes in /')
  await expect.poll(() => question().query()).not.toBeNull()
  await press('Save')
  await isSaved()
  expect(formatConfig(held)).toMatchObject({ roots: [{ path: '/', immutable: ['**'] }] })
  await expect.poll(shown).toContain('Allow changes in /')
  const limit = page.getByLabelText('Size of a file', { exact: true })
  expect(limit.element().checkVisibility()).toBe(false)
  await userEvent.click(page.getByText('Limits', { exact: true }))
  await limit.fill('1000')
  await expect.poll(shown).toContain('A file may have up to 1 kB.')
  expect(shown()).toContain('All files together may have up to 10 GiB.')
})

it('asks in one folder by one click, and keeps the lists of the entry around it', async () => {
  const around = { path: '/', deny: ['private/**'] }
  setRules({ roots: [around] })
  await show()
  await press(/^Ask me first ?, before .* in \/docs changes$/)
  await expect.poll(() => question().query()).not.toBeNull()
  await press('Save')
  await isSaved()
  expect(shown()).toContain('Changes in /docs wait for you.')
  expect(formatConfig(held)).toMatchObject({
    roots: [around, { path: '/docs', approval: 'review' }],
  })
})

it('shows the refusal of the server at the form', async () => {
  await show()
  await page.getByLabelText('Path', { exact: false }).first().fill('/bad/\u0007')
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  await save()
  // No server answers before the question has gone, which gives the focus back.
  await expect.poll(() => question().query()).toBeNull()
  resolve()
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toMatch(/path/)
  await expect.poll(() => document.activeElement?.ariaInvalid).toBe('true')
  expect(document.activeElement).toHaveProperty('value', '/bad/\u0007')
})

it('lists the flags of the server, which restrict the rules', async () => {
  flags = { read_only: true, roots: [{ path: '/notes', deny: ['private/**'] }], find_limit: 5 }
  await show()
  await expect.poll(shown).toContain('Flags of the server restrict these rules.')
  const list = root.querySelector('[data-testid=flags]')
  expect(list?.querySelectorAll('li').length).toBeGreaterThan(2)
  for (const text of ['/notes', 'private/**', 'read_only', '5'])
    expect(list?.textContent).toContain(text)
})

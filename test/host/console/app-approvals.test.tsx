/** Apps that wait for the owner: what each asks for, and that only a real click decides on what is shown. */

import { AppApprovals } from '#host/console/app-approvals/app-approvals.tsx'
import { APP_ACTS } from '#host/console/approved/acts.ts'
import { FolderFiles } from '#host/console/approved/folder-files.tsx'
import type { ShownApp, ShownManifest } from '#core/owner/answers/apps.ts'
import { fakeOwner, type Answers, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'

const MANIFEST: ShownManifest = {
  ...{ title: 'Board', description: 'All tasks', entrypoint: 'index.html', template: null },
  config: {},
  csp: {
    ...{ connectDomains: ['https://api.example.com'], resourceDomains: [] },
    ...{ frameDomains: [], baseUriDomains: [] },
  },
  permissions: ['camera'],
  prefersBorder: true,
  domain: 'board.example.com',
  forTool: null,
  data: ['board.md'],
  write: ['tasks/*.md'],
}

const APP: ShownApp = {
  ...{ name: 'board', revision: 'r1', problems: [], decided: null, manifest: MANIFEST },
  state: 'waiting',
  files: [{ path: '/.apps/board/index.html', size: 12, change: 'added' }],
}

const APPROVED: ShownApp['decided'] = { state: 'approved', at: 0, manifest: null }

const root = document.createElement('main')
let sent: readonly SentAct[]
let apps: readonly ShownApp[]
let left: number

/** Answers a decision, after which the app is no longer listed. */
function decided<T>(answer: T): T {
  apps = []
  return answer
}

/** What the server answers, unless a test has another answer. */
const ANSWERS: Answers = {
  list_apps: () => ({ waiting: apps.length, left, apps }),
  approve_app: () => decided(APP),
  turn_down_app: () => decided(APP),
  withdraw_app: () => decided({ name: 'board', state: 'waiting' }),
}

beforeEach(() => {
  document.body.append(root)
  apps = [APP]
  left = 0
  sent = fakeOwner(ANSWERS)
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

async function show(text = 'Board'): Promise<void> {
  render(<AppApprovals base="/w/x" />, root)
  await expect.poll(() => root.textContent).toContain(text)
}

function button(label: string): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find((one) =>
    one.textContent.startsWith(label),
  )
  if (!found) throw new Error(`No button ${label}`)
  return found
}

const isOff = (one: HTMLElement) => one.getAttribute('aria-disabled') === 'true'

const press = (label: string) => pressDecision(() => button(label))

it('names the manifest of a folder of mcp-bash where it has problems', async () => {
  const problems = [{ pointer: '/for', message: 'is not the tool of its folder, read_file' }]
  apps = [{ ...APP, name: 'tools/read_file/ui', state: 'invalid', manifest: null, problems }]
  await show('ui.meta.json/for is not the tool of its folder, read_file')
  apps = [{ ...APP, state: 'invalid', manifest: null, problems }]
  render(null, root)
  await show('app.json/for')
})

it('names the tool whose results an app shows', async () => {
  apps = [{ ...APP, manifest: { ...MANIFEST, forTool: 'search_files', data: [] } }]
  await show()
  const terms = [...root.querySelectorAll('dt')].map((term) => term.textContent)
  expect(terms).not.toContain('Declares to show')
  const term = [...root.querySelectorAll('dt')].find(
    (one) => one.textContent === 'Shows each result of',
  )
  expect(term?.nextElementSibling?.textContent).toBe('search_files')
})

it('shows what the app shows, changes, reaches and asks for, and its files', async () => {
  await show()
  for (const text of [
    ...['All tasks', 'board.md', 'tasks/*.md', 'https://api.example.com', 'camera'],
    ...['/.apps/board/index.html', 'its own, which is code', 'board.example.com'],
  ])
    expect(root.textContent).toContain(text)
})

it('states what code can do beyond what it declares', async () => {
  await show()
  expect(root.textContent).toContain(
    'It can read and change every file that the session which opens it can, as far as the rules allow, and send what it reads to https://api.example.com.',
  )
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
  const manifest = { ...MANIFEST, data: [], write: [] }
  apps = [{ ...APP, revision: 'r2', manifest: { ...manifest, csp } }]
  render(null, root)
  await show()
  expect(root.textContent).toContain('What it declares is not enforced.')
  expect(root.textContent).toContain('Declares to showno file')
  apps = [{ ...APP, revision: 'r3', manifest: { ...manifest, template: 'kanban' } }]
  render(null, root)
  await show()
  expect(root.textContent).not.toContain('This page is code')
  expect(root.textContent).toContain('Showsno file')
})

it('shows what an agent wrote as text, with its invisible characters', async () => {
  const manifest = { ...MANIFEST, title: 'Board <b>\u202e</b>' }
  apps = [{ ...APP, manifest }]
  await show()
  expect(root.querySelector('h3 b')).toBeNull()
  expect(root.textContent).not.toContain('\u202e')
})

it('warns that an approved app has changed', async () => {
  apps = [{ ...APP, decided: APPROVED }]
  await show('have changed since you approved it')
})

it('shows the problems of an app with their places, and no button to approve it', async () => {
  const problems = [{ pointer: '/data/0', message: 'leaves the workspace' }]
  apps = [{ ...APP, state: 'invalid', manifest: null, problems }]
  await show('app.json/data/0 leaves the workspace')
  expect(root.textContent).not.toContain('Approve the app')
  expect(root.textContent).not.toContain('Take back the approval')
})

it('lets the user take back the approval of an app that is invalid now', async () => {
  apps = [{ ...APP, state: 'invalid', manifest: null, decided: APPROVED }]
  await show('have changed since you approved it')
  await press('Take back the approval')
  await expect.poll(() => sent).toMatchObject([{ url: '/w/x/apps/board/withdraw', body: {} }])
})

it.each<[ShownApp['state'], string, string, object]>([
  ['waiting', 'Approve the app', 'approve', { revision: 'r1' }],
  ['waiting', 'Turn down', 'turn-down', { revision: 'r1' }],
  ['approved', 'Take back the approval', 'withdraw', {}],
  ['turned_down', 'Decide again', 'withdraw', {}],
])('%s: "%s" is sent for a click of the user', async (state, label, what, body) => {
  apps = [{ ...APP, state }]
  await show()
  await press(label)
  await expect.poll(() => sent).toMatchObject([{ url: `/w/x/apps/board/${what}`, body }])
  expect(sent[0]?.headers.get('x-edgewise-console')).toBe('1')
})

it('asks before files are approved whose content cannot be shown as text, and names them', async () => {
  const path = '/.apps/board/code.wasm'
  apps = [{ ...APP, files: [...APP.files, { path, size: 4, change: 'added', unseen: true }] }]
  await show('not shown in full')
  await press('Approve the app')
  const question = page.getByRole('alertdialog')
  await expect.poll(() => question.query()?.textContent).toContain(path)
  expect(question.query()?.textContent).not.toContain('/.apps/board/index.html')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(sent).toEqual([])
  await press('Approve the app')
  const yes = question.getByRole('button', { name: 'Approve without seeing' })
  await expect.poll(() => yes.query()?.getAttribute('aria-disabled')).toBe('false')
  await yes.click()
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ revision: 'r1', unseen: [path] }])
})

it('sends nothing for a click of a script', async () => {
  await show()
  await expect.poll(() => isOff(button('Approve the app'))).toBe(false)
  for (const label of ['Approve the app', 'Turn down']) button(label).click()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent).toEqual([])
})

it('takes no second click of a double click, when a button has become another one', async () => {
  apps = [{ ...APP, state: 'turned_down' }]
  await show()
  await expect.poll(() => isOff(button('Decide again'))).toBe(false)
  let wasEarly = false
  const watch = new MutationObserver(() => {
    const approve = [...root.querySelectorAll('button')].find((one) =>
      one.textContent.startsWith('Approve the app'),
    )
    wasEarly ||= approve !== undefined && !isOff(approve) && performance.now() - pressed < 500
  })
  watch.observe(root, { subtree: true, childList: true, attributes: true })
  fakeOwner({
    ...ANSWERS,
    list_apps: { waiting: 1, left: 0, apps: [APP] },
  })
  const pressed = performance.now()
  await press('Decide again')
  await expect.poll(() => root.textContent).toContain('Approve the app')
  await expect.poll(() => isOff(button('Approve the app'))).toBe(false)
  watch.disconnect()
  expect(wasEarly).toBe(false)
})

/** The difference of a new file of one line. */
const FILE = {
  from: null,
  to: '/.apps/board/index.html',
  hunks: [
    {
      ...{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 },
      lines: [{ kind: 'insert', text: '<p>Hello' }],
    },
  ],
}

describe('the difference of a file', () => {
  /** The revision of the files on the server, and the addresses that were read. */
  let current: string
  let read: string[]

  beforeEach(() => {
    current = 'r1'
    read = []
    fakeOwner({
      ...ANSWERS,
      compare_app_file({ url, query: { revision = '' } }) {
        read.push(url)
        if (revision === current) return { revision, file: FILE, forgotten: false }
        return Response.json({ message: `no longer ${revision}` }, { status: 409 })
      },
    })
  })

  const address = (revision: string) =>
    `/w/x/apps/board/diff?path=%2F.apps%2Fboard%2Findex.html&revision=${revision}`
  const open = () => userEvent.click(button('/.apps/board/index.html'))
  const views = () => root.querySelectorAll('.difflines').length

  it('is of the files that its card decides on, and of no others that are there meanwhile', async () => {
    await show()
    current = 'r2'
    await open()
    await expect.poll(() => root.textContent).toContain('no longer r1')
    expect(views()).toBe(0)
    current = 'r1'
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(views).toBe(1)
    expect(read).toEqual([address('r1'), address('r1')])
    const link = root.querySelector('a[target="_blank"]')
    expect(link?.getAttribute('href')).toBe(
      `${address('r1').replace('/diff?', '/file?')}&side=after`,
    )
  })

  it('is read again when its card has other files', async () => {
    render(<FolderFiles base="/w/x" row={APP} acts={APP_ACTS} />, root)
    await open()
    await expect.poll(views).toBe(1)
    render(<FolderFiles base="/w/x" row={{ ...APP, revision: 'r2' }} acts={APP_ACTS} />, root)
    // The old difference is gone at once, and not when the new one was read.
    expect(views()).toBe(0)
    await expect.poll(() => root.textContent).toContain('no longer r2')
    expect(read).toEqual([address('r1'), address('r2')])
  })
})

it('counts the folders that are not listed', async () => {
  left = 3
  await show('3 more folders of apps not listed.')
  expect(root.querySelectorAll('article')).toHaveLength(1)
})

/** Comments on the review page: where threads are drawn, whose words they are, and what is sent. */

import { FileComments } from '#host/console/comments/file-comments.tsx'
import { revision } from '#host/console/connect/connection.ts'
import { DraftPage } from '#host/console/drafts/draft.tsx'
import type { ChangedFile, DraftContents } from '#core/owner/answers/drafts.ts'
import type { CommentThread } from '#core/owner/answers/comments.ts'
import { diffTexts } from '#core/diff/hunks.ts'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'

const FILE: ChangedFile = {
  ...{ path: '/a.md', type: 'file', change: 'changed', before: 4, after: 5, group: 0, digest: 'd' },
  ...{ mark: ''.padEnd(64, '0'), added: 1, removed: 1, risks: [] },
}

const CONTENTS: DraftContents = {
  ...{ id: 'd1', actor: 'Agent', principal: 'local', session: 's', label: 'Agent', client: null },
  ...{ reason: '', opened: 0, touched: 0, expires: 9e12, ended: false, shared: false },
  ...{ receivers: [], revision: 'r1', changes: [], changes_left_out: 0, files: [FILE] },
  ...{ files_left_out: 0, risky: 0, added: 1, removed: 1 },
}

const threadOf = (id: string, more: Partial<CommentThread> = {}): CommentThread => ({
  ...{ id, draft: 'd1', path: '/a.md', side: 'after', first: 2, last: 2, quote: 'TWO' },
  ...{ request: false, resolved: null, closed: null },
  comments: [{ id, text: `text of ${id}`, agent: false, actor: 'local', email: null, at: 0 }],
  ...more,
})

const root = document.createElement('main')
let sent: readonly SentAct[]
/** How often the threads were read. */
let reads = 0

interface More {
  readonly left?: number
  readonly contents?: DraftContents
}

function show(
  threads: readonly CommentThread[],
  { left = 0, contents = CONTENTS }: More = {},
): void {
  const { hunks } = diffTexts('one\ntwo\nthree\n', 'one\nTWO\nthree\n')
  sent = fakeOwner({
    show_draft: contents,
    list_comments: () => {
      reads++
      return { threads, left }
    },
    compare_draft_file: { file: { from: '/a.md', to: '/a.md', hunks }, digest: 'shown' },
    add_comment: threadOf('new'),
    request_changes: threadOf('new'),
    reply_to_comment: threadOf('new'),
    resolve_comment: null,
    delete_comment: null,
  })
  render(<DraftPage id="d1" />, root)
}

beforeEach(() => {
  localStorage.clear()
  document.body.append(root)
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

const rowOf = (text: string) =>
  [...root.querySelectorAll('.diffblock tr')].find((row) => row.textContent?.includes(text))

const bodies = () => sent.map(({ name, body }) => [name, body])

it('draws a thread below its line, an outdated one above the lines with its quote', async () => {
  show([threadOf('inline'), threadOf('old', { first: null, last: null, quote: 'gone line' })])
  await expect.poll(() => rowOf('TWO')?.nextElementSibling?.textContent).toContain('text of inline')
  const commented = root.querySelector('.commented')
  expect(commented?.firstElementChild?.textContent).toContain('gone line')
  expect(commented?.firstElementChild?.textContent).toContain('text of old')
})

it('draws a thread below the lines where its line is not drawn, and elsewhere with the draft', async () => {
  show([
    threadOf('far', { first: 900, last: 900 }),
    threadOf('whole', { path: null, first: null, last: null }),
    threadOf('other', { path: '/gone.md' }),
  ])
  await expect
    .poll(() => root.querySelector('.commented')?.lastElementChild?.textContent)
    .toContain('text of far')
  const ofDraft = root.querySelector('.draftcomments')?.textContent
  expect(ofDraft).toContain('text of whole')
  expect(ofDraft).toContain('text of other')
  expect(ofDraft).not.toContain('text of far')
})

it('draws the words of an agent as its claim, and those of the person plainly', async () => {
  const forged = { agent: true, actor: 'You', text: 'Approved\u202e by you', email: null, at: 0 }
  show([threadOf('t', { comments: [{ ...forged, id: 'r' }] })])
  await expect.poll(() => root.querySelectorAll('.comment q.claimed').length).toBe(2)
  expect(root.querySelector('.comment')?.textContent).toContain('RLO')
})

it('opens a form below the line whose number is pressed, and sends its lines', async () => {
  show([])
  await expect.poll(() => rowOf('TWO')).toBeDefined()
  rowOf('TWO')?.querySelector<HTMLElement>('.n:not(:empty)')?.click()
  const field = page.getByRole('textbox', { name: 'Comment on line 2', exact: true })
  await expect.element(field).toHaveFocus()
  expect(rowOf('TWO')?.nextElementSibling?.classList.contains('commentrow')).toBe(true)
  await field.fill(' Why? ')
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  const on = { path: '/a.md', digest: 'shown', side: 'after', first: 2, last: 2 }
  await expect.poll(bodies).toEqual([['add_comment', { text: 'Why?', draft: 'd1', on }]])
  await expect.poll(() => root.querySelector('.commentrow')).toBeNull()
})

it('opens the form by C on a change, and closes it by Escape', async () => {
  show([])
  await expect.poll(() => root.querySelector('tr[data-change]')).not.toBeNull()
  root.querySelector<HTMLElement>('tr[data-change]')?.focus()
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }))
  await expect.poll(() => root.querySelector('.commentrow textarea')).not.toBeNull()
  root
    .querySelector('.commentrow textarea')
    ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  await expect.poll(() => root.querySelector('.commentrow')).toBeNull()
  expect(sent).toEqual([])
})

it('reads the threads of a draft again with its lines, when the person has the current state shown', async () => {
  show([threadOf('inline')])
  await expect.poll(() => root.textContent).toContain('text of inline')
  const comments = [...threadOf('inline').comments, ...threadOf('reply').comments]
  const contents = { ...CONTENTS, revision: 'r2' }
  show([threadOf('inline', { comments })], { contents })
  const before = reads
  revision.value++
  const current = page.getByRole('button', { name: 'Show the current state' })
  await expect.element(current).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([reads, root.textContent?.includes('text of reply')]).toEqual([before, false])
  await current.click()
  await expect.poll(() => root.textContent).toContain('text of reply')
})

it('requests changes with the text of the box, and decides nothing', async () => {
  show([])
  const field = page.getByRole('textbox', { name: 'Comment on the draft' })
  await field.fill('Shorter.')
  await page.getByRole('button', { name: 'Request changes' }).click()
  await expect.poll(bodies).toEqual([['request_changes', { text: 'Shorter.' }]])
  await expect.element(field).toHaveValue('')
})

it('replies to a thread, resolves and deletes it', async () => {
  show([threadOf('t', { path: null, first: null, last: null })])
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('I see.')
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect
    .poll(() => sent.map(({ name }) => name))
    .toEqual(['reply_to_comment', 'resolve_comment', 'delete_comment'])
})

it('lists the threads on applied files by file, and comments on lines that are named', async () => {
  show([threadOf('inline', { draft: null }), threadOf('drafted')])
  render(<FileComments path="/b.md" />, root)
  root.querySelector('summary')?.click()
  await expect.poll(() => root.querySelector('section')?.textContent).toContain('text of inline')
  expect(root.textContent).toContain('/a.md')
  expect(root.textContent).not.toContain('text of drafted')
  await page.getByRole('spinbutton', { name: 'From line' }).fill('3')
  await page.getByRole('textbox', { name: 'Comment on these lines' }).fill('Why?')
  await page.getByRole('button', { name: 'Comment', exact: true }).last().click()
  const on = { path: '/b.md', side: 'after', first: 3, last: 3 }
  await expect.poll(bodies).toEqual([['add_comment', { text: 'Why?', on }]])
})

it('says of the applied files how many threads are not listed', async () => {
  show([threadOf('inline', { draft: null })], { left: 12 })
  render(<FileComments />, root)
  await expect.poll(() => root.querySelector('summary')?.textContent).toBe('Comments (1 or more)')
  expect(root.textContent).toContain('12 earlier comments not shown.')
})

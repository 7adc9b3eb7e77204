/** The review page of a draft, over a server that answers what a test has: what a row says, what the bar counts, and its place. */

import { DraftPage } from '#host/console/drafts/draft.tsx'
import type { ChangedFile, DraftContents } from '#core/owner/answers/drafts.ts'
import { diffTexts } from '#core/diff/hunks.ts'
import { fakeOwner } from '../../support/host/fake-owner.ts'
import { render } from 'preact'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'

const fileOf = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{ path, type: 'file', change: 'changed', before: 4, after: 5, group: 0, digest: path },
  ...{ mark: path.padEnd(64, '0'), added: 1, removed: 1, risks: [] },
  ...more,
})

const contentsOf = (files: readonly ChangedFile[], more: Partial<DraftContents> = {}) => ({
  ...{ id: 'd1', actor: 'Agent', principal: 'local', session: 's', label: 'Agent', client: null },
  ...{
    reason: '',
    opened: 0,
    touched: 0,
    expires: 9e12,
    ended: false,
    shared: false,
    receivers: [],
    revision: 'r1',
  },
  ...{ changes: [], changes_left_out: 0, files, files_left_out: 0, risky: 0, added: 1, removed: 1 },
  ...more,
})

const root = document.createElement('main')

const style = Object.assign(document.createElement('link'), {
  ...{ rel: 'stylesheet', href: '/host/console/style.css' },
})

beforeAll(async () => {
  const loaded = new Promise((resolve) => style.addEventListener('load', resolve))
  document.head.append(style)
  await loaded
})

afterAll(() => style.remove())

beforeEach(() => {
  localStorage.clear()
  document.body.append(root)
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

/** Shows a draft. No difference arrives before the function that it returns is called. */
function show(contents: DraftContents): () => void {
  const gate = Promise.withResolvers<void>()
  fakeOwner({ show_draft: contents, list_comments: { threads: [], left: 0 } })
  const answer = fetch
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (!url.includes('/diff')) return answer(url, init)
    await gate.promise
    const { hunks } = diffTexts('one\n', `${'a line\n'.repeat(30)}`)
    return Response.json({ file: { from: '/a', to: '/a', hunks }, digest: 'd' })
  })
  render(<DraftPage id="d1" />, root)
  return gate.resolve
}

const headOf = (path: string) => root.querySelector(`[data-path="${path}"] .filehead`)?.textContent

it('says in the row of a file what becomes of its executable bit', async () => {
  const modes = (before: boolean, after: boolean) => ({ executable: { before, after } })
  show(
    contentsOf([
      fileOf('/run.sh', { ...modes(false, true), risks: ['executable'], before: 4, after: 4 }),
      fileOf('/stop.sh', modes(true, false)),
      fileOf('/same.sh', { ...modes(true, true), risks: ['executable'] }),
      fileOf('/text.md'),
    ]),
  )
  await expect.poll(() => headOf('/run.sh')).toContain('becomes executable')
  expect(headOf('/run.sh')).not.toContain('runs as a program')
  expect(headOf('/stop.sh')).toContain('no longer executable')
  expect(headOf('/same.sh')).toMatch(/(?<!becomes )executable/)
  expect(headOf('/text.md')).not.toContain('executable')
})

const approve = () => root.querySelector<HTMLElement>('[data-approve]')

it('counts files that are not loaded as not viewed', async () => {
  show(contentsOf([fileOf('/a'), fileOf('/b')], { files_left_out: 9_998 }))
  await expect.poll(() => approve()?.textContent).toContain('10,000 not viewed')
  await page.getByRole('checkbox', { name: 'Viewed /a' }).click()
  await expect.poll(() => approve()?.textContent).toContain('9,999 not viewed')
  await page.getByRole('checkbox', { name: 'Select /b' }).click()
  await expect.poll(() => approve()?.textContent).toContain('Approve selected')
  expect(approve()?.textContent).toContain('1 not viewed')
})

it.each([1, 3])(
  'keeps the place of the buttons when the differences of %s files arrive',
  async (count) => {
    const release = show(contentsOf(Array.from({ length: count }, (_, at) => fileOf(`/${at}`))))
    await expect.poll(() => approve()?.textContent).toContain('Approve all')
    const topOf = () => approve()?.getBoundingClientRect().top ?? Number.NaN
    const before = topOf()
    release()
    await expect.poll(() => root.querySelectorAll('.difflines tr').length).toBe(31 * count)
    expect(Math.abs(topOf() - before)).toBeLessThan(1)
    scrollTo(0, document.documentElement.scrollHeight)
    expect(Math.abs(topOf() - before)).toBeLessThan(1)
  },
)

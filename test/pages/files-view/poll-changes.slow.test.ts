/** Changes by others: the tree updates by itself, the text on request. */

import type { Frame, Page } from 'playwright'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFiles } from '../../support/e2e/files.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { callTool, useFilesView, useHostPage } from '../../support/pages/files-view.ts'

const host = useHostPage()
const server = useServer(() => ({ EDGEWISE_ORIGINS: host.origin }))
const browser = useBrowser()
const { put } = createFiles(server)
const { show } = useFilesView(server, browser, host)

/** Longer than the first polling interval. */
const SOON = { timeout: 60_000 }

let page: Page
let view: Frame

beforeEach(async () => {
  await put('/notes.md', 'as it was\n')
  ;({ page, view } = await show())
  await row('notes.md').click()
  await view.getByText('as it was').waitFor()
})
afterEach(() => page.context().close())

const row = (name: string) => view.getByRole('treeitem', { name })
const news = () => view.locator('.news')

const polls = async () =>
  (await page.evaluate<string[]>('host.calls.map(({ name }) => name)')).filter(
    (name) => name === 'list_changes',
  ).length

/** Waits for the first poll, so that later changes are detected. */
const firstPoll = () => expect.poll(polls, SOON).toBeGreaterThan(0)

it('shows new files by itself, and an edit on request', async () => {
  await firstPoll()
  await put('/new.md', 'new\n')
  await callTool(server, 'write_file', { path: '/notes.md', content: 'as it is\n' })
  await row('new.md').waitFor(SOON)
  await news().getByText('This file has changed.').waitFor(SOON)
  expect(await view.locator('.code').innerText()).toContain('as it was')
  await news().getByRole('button', { name: 'Reload' }).click()
  await view.getByText('as it is').waitFor()
  expect(await news().count()).toBe(0)
})

it('reports that the file was deleted, and keeps its text', async () => {
  await firstPoll()
  await callTool(server, 'delete_file', { path: '/notes.md' })
  await news().getByText('This file was deleted.').waitFor(SOON)
  expect(await view.locator('.code').innerText()).toContain('as it was')
})

it('does not poll while the page is hidden', async () => {
  await firstPoll()
  await view.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const before = await polls()
  await page.waitForTimeout(6_000) // The next poll would come after four seconds.
  expect(await polls()).toBe(before)
  await view.evaluate(() => {
    Reflect.deleteProperty(document, 'hidden')
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(polls, SOON).toBeGreaterThan(before)
})

it('stops polling after a failure', async () => {
  await page.evaluate(() => {
    Reflect.set(Reflect.get(globalThis, 'host'), 'gate', ({ name }: { name: string }) => {
      if (name === 'list_changes') throw new Error('Denied by the user')
    })
  })
  await firstPoll()
  const before = await polls()
  await put('/later.md', 'later\n')
  await page.waitForTimeout(7_000) // The next poll would come after six seconds.
  expect(await polls()).toBe(before)
})

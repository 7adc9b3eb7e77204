/** What others change, as somebody sees it who only looks: the tree follows, the text waits for them. */

import type { Frame, Page } from 'playwright'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFiles } from '../e2e/files.ts'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { callTool, useFilesView, useHostPage } from './files-view.ts'

const host = useHostPage()
const server = useServer(() => ({ EDGEWISE_ORIGINS: host.origin }))
const browser = useBrowser()
const { put } = createFiles(server)
const { show } = useFilesView(server, browser, host)

/** Longer than the view waits before it looks. */
const SOON = { timeout: 20_000 }

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

const looks = async () =>
  (await page.evaluate<string[]>('host.calls.map(({ name }) => name)')).filter(
    (name) => name === 'list_changes',
  ).length

/** Waits until the view knows how things are, so that what comes next is news to it. */
const looked = () => expect.poll(looks, SOON).toBeGreaterThan(0)

it('shows new files by itself, and an edit when the reader wants it', async () => {
  await looked()
  await put('/new.md', 'new\n')
  await callTool(server, 'write_file', { path: '/notes.md', content: 'as it is\n' })
  await row('new.md').waitFor(SOON)
  await news().getByText('Somebody has changed this file.').waitFor(SOON)
  expect(await view.locator('.code').innerText()).toContain('as it was')
  await news().getByRole('button', { name: 'Show' }).click()
  await view.getByText('as it is').waitFor()
  expect(await news().count()).toBe(0)
})

it('says when the file is gone, and keeps what was read', async () => {
  await looked()
  await callTool(server, 'delete_file', { path: '/notes.md' })
  await news().getByText('This file is gone.').waitFor(SOON)
  expect(await view.locator('.code').innerText()).toContain('as it was')
})

it('asks for nothing while nobody looks', async () => {
  await looked()
  await view.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const before = await looks()
  await page.waitForTimeout(6_000) // The next look would come after four seconds.
  expect(await looks()).toBe(before)
  await view.evaluate(() => {
    Reflect.deleteProperty(document, 'hidden')
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(looks, SOON).toBeGreaterThan(before)
})

it('does not ask again where it was refused', async () => {
  await page.evaluate(() => {
    Reflect.set(Reflect.get(globalThis, 'host'), 'gate', ({ name }: { name: string }) => {
      if (name === 'list_changes') throw new Error('The person says no')
    })
  })
  await looked()
  const before = await looks()
  await put('/later.md', 'later\n')
  await page.waitForTimeout(7_000) // The next look would come after six seconds.
  expect(await looks()).toBe(before)
})

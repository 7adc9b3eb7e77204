/** What a change is, and what became of it, is stated once: by the page or by the diff in it, and not by both. */

import type { Page } from 'playwright'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { inDiff, putFile, sees, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', '# Guide\n\nOne line.\n')
  await putFile(server.url, '/docs/notes/todo.md', '- one\n')
})

/** The visible text of the page, with the difference in it. */
async function shownText(page: Page): Promise<string> {
  await inDiff(page).locator('.path').first().waitFor()
  return page.locator('main').innerText()
}

const times = (text: string, what: RegExp) => [...text.matchAll(new RegExp(what, 'gi'))].length

const EDIT = { path: '/docs/guide.md', edits: [{ find: 'One', replace: 'Another' }] }

it('states the sentence, the state and the counts of a change once', async () => {
  const page = await visit(browser.open, server.url, toolLink('edit_file', EDIT))
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, WORDS.previewed)
  // The counts come with the difference, after the sentence.
  await expect.poll(async () => times(await shownText(page), /\+1/)).toBe(1)
  const previewed = await shownText(page)
  expect(times(previewed, /nothing (is applied|changed|has changed|has been changed)/)).toBe(1)
  expect(times(previewed, /Edit \/docs\/guide.md/)).toBe(1)
  expect(times(previewed, /\bedit_file\b/)).toBe(await toolNames(page))

  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, WORDS.applied)
  expect(times(await shownText(page), /\bapplied\b/)).toBe(1)
  await page.getByRole('link', { name: WORDS.seeChange }).click()
  await page.getByRole('heading', { name: 'Edit /docs/guide.md', level: 1 }).waitFor()
  const made = await shownText(page)
  expect(times(made, /Edit \/docs\/guide.md/)).toBe(1)
  expect(times(made, /\bedit_file\b/)).toBe(1)
  expect(times(made, /You or a local agent/)).toBe(1)
  await page.context().close()
})

/** How often the page itself names the tool: in the list beside it, and in its head. */
const toolNames = async (page: Page) =>
  times(await page.locator('main').innerText(), /\bedit_file\b/)

it('states once what deleting a folder removes', async () => {
  const page = await visit(browser.open, server.url, toolLink('delete_file', { path: '/docs' }))
  await page.getByRole('button', { name: 'Preview' }).click()
  const text = await shownText(page)
  expect(times(text, /2 files/)).toBe(1)
  await page.context().close()
})

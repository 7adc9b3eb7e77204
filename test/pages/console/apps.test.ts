import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, goTo, inApp, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

it('finds the applications, and asks the person before an app changes files', async () => {
  const page = await visit(browser.open, server.url, '#/apps')
  allowReads(page)
  await page.getByRole('button', { name: /ui:\/\/edgewise\/files/ }).click()
  const app = inApp(page)
  await app.getByRole('button', { name: 'New folder' }).click()
  await app.getByRole('textbox').last().fill('plans')
  await app.getByRole('button', { name: 'Continue' }).click()
  await app.getByRole('button', { name: /^(Apply|Create)/ }).click()

  const question = page.getByRole('alertdialog', { name: 'Allow “Create a folder”?' })
  await question.waitFor()
  expect(await question.textContent()).toContain('The app “Files”')
  expect(await folders()).toEqual([])
  await question.getByRole('button', { name: /^(Apply|Allow)/ }).click()
  await expect.poll(folders).toEqual(['plans'])
  await page.getByLabel('Events of the app').getByText('create_folder').first().waitFor()
  await page.context().close()
})

async function folders(): Promise<unknown[]> {
  const page: unknown = await (await fetch(`${server.url}/files/`)).json()
  const entries: unknown = Reflect.get(Object(page), 'entries')
  return Array.isArray(entries) ? entries.map((entry) => Reflect.get(Object(entry), 'name')) : []
}

/** Reports the end of an app through the log of the browser, which works in every frame. */
const REPORTS_END = `addEventListener('message', ({ data }) => {
  if (data?.method === 'ui/resource-teardown') console.debug(data.method)
})`

it('asks an app to end before its frame is removed, and opens, reloads and closes several', async () => {
  const page = await visit(browser.open, server.url, '#/apps', { init: REPORTS_END })
  allowReads(page)
  let ended = 0
  page.on('console', (message) => void (ended += message.text() === 'ui/resource-teardown' ? 1 : 0))
  const open = async () => {
    await page.getByRole('button', { name: /ui:\/\/edgewise\/files/ }).click()
    await page.locator('.window').getByText('ready', { exact: true }).waitFor()
  }
  // The page of the sandbox and the app in it.
  for (const [close, heard] of [
    [() => page.locator('.window').getByRole('button', { name: 'Close' }).click(), 2],
    [() => goTo(page, '#/tools'), 4],
  ] as const) {
    await open()
    await close()
    await expect.poll(() => ended).toBe(heard)
    await expect.poll(() => page.locator('mcp-view').count()).toBe(0)
  }

  await goTo(page, '#/apps')
  const card = page.getByRole('button', { name: /ui:\/\/edgewise\/files/ })
  await card.click()
  await card.click()
  const windows = page.locator('.window')
  await expect.poll(() => windows.getByText('ready', { exact: true }).count()).toBe(2)
  await windows.first().getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => windows.getByText('ready', { exact: true }).count()).toBe(2)
  await windows.first().getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.locator('mcp-view').count()).toBe(1)
  await page.context().close()
})

import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, inApp, visit } from '../../support/pages/console-actions.ts'

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

it('opens several apps at once, reloads and closes them', async () => {
  const page = await visit(browser.open, server.url, '#/apps')
  allowReads(page)
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

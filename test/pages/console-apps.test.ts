import { expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { inApp, sees, visit } from './console-visit.ts'

const server = useServer()
const browser = useBrowser()

it('finds the applications, and puts the person between an app and what it changes', async () => {
  const page = await visit(browser.open, server.url, '#/apps')
  await page.getByRole('button', { name: /ui:\/\/edgewise\/files/ }).click()
  const app = inApp(page)
  await app.getByRole('button', { name: 'New folder' }).click()
  await app.getByRole('textbox').last().fill('plans')
  await app.getByRole('button', { name: 'Continue' }).click()
  await app.getByRole('button', { name: /^(Apply|Create)/ }).click()

  const question = page.getByRole('alertdialog', { name: 'Shall “Create a folder” be done?' })
  await question.waitFor()
  expect(await question.textContent()).toContain('The app “Files”')
  expect(await folders()).toEqual([])
  await question.getByRole('button', { name: /^(Apply|Allow)/ }).click()
  await expect.poll(folders).toEqual(['plans'])
  await sees(page, 'create_folder')
  await page.context().close()
})

async function folders(): Promise<unknown[]> {
  const page: unknown = await (await fetch(`${server.url}/files/`)).json()
  const entries: unknown = Reflect.get(Object(page), 'entries')
  return Array.isArray(entries) ? entries.map((entry) => Reflect.get(Object(entry), 'name')) : []
}

it('opens several apps at once, reloads and closes them', async () => {
  const page = await visit(browser.open, server.url, '#/apps')
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

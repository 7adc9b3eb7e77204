/** Settings of the app host: how many apps are open at once, and how long each may take. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { startHere } from '../../support/e2e/product.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, goTo, sees, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

const attributeOf = (page: Page, name: string) =>
  page.locator('mcp-view').first().getAttribute(name)

it('are the defaults where something else is stored, keep their bounds, and apply to the next app and visit', async () => {
  const page = await visit(browser.open, server.url, '#/')
  await page.evaluate(() =>
    localStorage.setItem('edgewise.console.app-host', '{"max_apps":1000,"app_start_seconds":"x"}'),
  )
  await page.reload()
  allowReads(page)
  await goTo(page, '#/apps')
  await page.getByText('Settings of apps').click()
  expect(await page.getByTestId('max_apps').inputValue()).toBe('10')
  expect(await page.getByTestId('app_start_seconds').inputValue()).toBe('30')

  for (const text of ['0', '21', '-1', '1.5', '1e1', '', 'x', '99999999999999999999']) {
    await page.getByTestId('max_apps').fill(text)
    await sees(page, 'Not saved. Enter a number from 1 to 20.')
  }
  await page.reload()
  await page.getByText('Settings of apps').click()
  expect(await page.getByTestId('max_apps').inputValue()).toBe('10')

  await page.getByTestId('max_apps').fill('2')
  await page.getByTestId('app_start_seconds').fill('45')
  await page.getByTestId('app_call_seconds').fill('90')
  await page.reload()
  const card = page.getByRole('button', { name: /ui:\/\/edgewise\/files/ })
  for (let opened = 0; opened < 3; opened++) await card.click()
  await expect.poll(() => page.locator('.window').count()).toBe(2)
  await expect.poll(() => attributeOf(page, 'init-timeout')).toBe('45000')
  expect(await attributeOf(page, 'call-timeout')).toBe('90000')
  await page.getByText('Settings of apps').click()
  expect(await page.getByTestId('max_apps').inputValue()).toBe('2')
  await page.context().close()
})

it('are no more than flags of the server permit', async () => {
  const EDGEWISE_APP_HOST = '{"max_apps":3,"app_call_seconds":60}'
  const data = temporaryFolder()
  const running = await startHere(data, { EDGEWISE_APP_HOST })
  try {
    const page = await visit(browser.open, running.url, '#/apps')
    await page.getByText('Settings of apps').click()
    expect(await page.getByTestId('max_apps').inputValue()).toBe('3')
    await page.getByTestId('max_apps').fill('4')
    await sees(page, 'Not saved. Enter a number from 1 to 3.')
    await page.getByRole('button', { name: /ui:\/\/edgewise\/files/ }).click()
    await expect.poll(() => attributeOf(page, 'call-timeout')).toBe('60000')
    await page.context().close()
  } finally {
    await running.stop()
    removeFolder(data)
  }
})

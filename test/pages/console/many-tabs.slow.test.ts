/**
 * Many tabs of the console in one browser, which opens six connections to a host over HTTP/1.1: hidden ones leave them
 * to the one that is shown, and a tab that is shown again has missed nothing.
 */

import type { BrowserContext, Page } from 'playwright'
import { it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { putFile, sees } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

/** More than a browser opens connections to a host. */
const TABS = 7

const ready = (page: Page) => page.locator('.dot.ready').first().waitFor({ state: 'attached' })

/** Hides or shows a tab. A headless browser shows all of its tabs at the same time. */
const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    (value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )

/** Opens a tab, and hides it when it is ready. */
async function openAndHide(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/#/tools`)
  await ready(page)
  await setVisible(page, false)
  return page
}

it('opens another tab beside many hidden ones', async () => {
  const first = await browser.open(server.url)
  for (let count = 1; count < TABS; count++) await openAndHide(first.context())
  await first.context().close()
})

it('opens many tabs in the background at once', async () => {
  const first = await browser.open(server.url)
  const context = first.context()
  await context.addInitScript(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  )
  const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()))
  await Promise.all(pages.map((page) => page.goto(server.url)))
  await Promise.all(pages.map(ready))
  await context.close()
})

it('shows what changed while the tab was hidden, and what changes after that', async () => {
  const page = await browser.open(`${server.url}/#/explorer`)
  await ready(page)
  await setVisible(page, false)
  await putFile(server.url, '/while-hidden.txt', 'x')
  await setVisible(page, true)
  await sees(page, 'while-hidden.txt')
  await putFile(server.url, '/after.txt', 'x')
  await sees(page, 'after.txt')
})

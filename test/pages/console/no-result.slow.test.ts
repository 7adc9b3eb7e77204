/** HTTP responses that end without the result of their request: the page says so at once, long before the timeout. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

/** A request of the console is given up after a minute; this is well before that. */
const AT_ONCE = { timeout: 30_000 }

const OTHER = JSON.stringify({ jsonrpc: '2.0', id: 'another', result: {} })

/** Answers every list of resources with this body; returns what ends it. */
async function answerList(page: Page, contentType: string, body: string, status = 200) {
  let isOn = true
  await page.route(/\/mcp$/, (route) =>
    isOn && route.request().postData()?.includes('"resources/list"')
      ? route.fulfill({ status, contentType, body })
      : route.continue(),
  )
  return () => void (isOn = false)
}

it.each([
  ['an empty list', 'application/json', '[]', 200],
  ['the result of another request', 'application/json', OTHER, 200],
  ['nothing', 'application/json', '', 202],
  ['an empty stream', 'text/event-stream', '', 200],
  ['a stream with the result of another request', 'text/event-stream', `data: ${OTHER}\n\n`, 200],
])('%s is an error', async (_name, contentType, body, status) => {
  const page = await visit(browser.open, server.url, '#/tools')
  await answerList(page, contentType, body, status)
  await goTo(page, '#/explorer')
  const fault = page.getByRole('alert').filter({ hasText: 'Cannot list the resources' })
  await fault.waitFor(AT_ONCE)
  expect(await fault.textContent()).toContain('The server’s response ended without a result.')
  await page.context().close()
})

it('a list can be read again after such a response', async () => {
  const page = await visit(browser.open, server.url, '#/tools')
  const mend = await answerList(page, 'application/json', '[]')
  await goTo(page, '#/explorer')
  const fault = page.getByRole('alert').filter({ hasText: 'Cannot list the resources' })
  await fault.waitFor(AT_ONCE)
  mend()
  await fault.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => fault.count()).toBe(0)
})

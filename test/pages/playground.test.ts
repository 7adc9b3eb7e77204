/** The playground at `/playground`, and the panel of `data-devtools` in it. */

import axe from 'axe-core'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../support/e2e/server.ts'
import { answer, question } from '../support/pages/approval-dialog.ts'
import { useBrowser } from '../support/pages/browser.ts'
import { NOT_NATIVE } from '../support/pages/chromium.ts'

const server = useServer()
const browser = useBrowser(NOT_NATIVE)

async function open(options = {}): Promise<Page> {
  const page = await browser.open(`${server.url}/playground`, options)
  await page.locator('#tool-book_tasting').waitFor()
  return page
}

it('lets a script buy tea, asked at each level', async () => {
  const page = await open()
  expect(await page.locator('.tool code').allTextContents()).toEqual([
    'book_tasting',
    'change_cart',
    'find_teas',
    'pay',
    'set_headline',
  ])
  await page.getByRole('button', { name: 'Buy two packets of tea' }).click()
  expect((await question(page)).text).toContain('+2 × Sencha')
  await answer(page, 'Allow once')
  await expect.poll(async () => (await question(page)).text).toContain('Pay for the cart by card')
  await answer(page, 'Allow once')
  await page.getByText('Paid 18 EUR by card.').waitFor()
  expect(
    await page.locator('#log li').evaluateAll((rows) => rows.map((row) => row.className)),
  ).toEqual(['ran', 'ran', 'ran', 'ran'])
  expect(await page.locator('h2').first().textContent()).toBe('Teas for a rainy day')
})

it('shows what an agent filled in, and takes it back when the next task cancels the call', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Book a tasting' }).click()
  const form = page.locator('form.tool-form-active')
  await form.waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
  await page.getByRole('button', { name: 'Buy two packets of tea' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name').inputValue()).toBe('')
})

it('has a panel that runs a tool by hand, and logs calls with their decision', async () => {
  const page = await open()
  const panel = page.locator('webmcp-devtools')
  await panel.getByText('WebMCP · 5 tools').click()
  const row = panel
    .locator('details.row', { has: page.locator('b', { hasText: 'change_cart' }) })
    .first()
  await row.locator('summary').click()
  await row.getByLabel('Arguments').fill('{"tea": "assam", "count": 3}')
  await row.getByRole('button', { name: 'Run' }).click()
  expect((await question(page)).text).toContain('+3 × Assam')
  await answer(page, 'Deny')
  const call = panel.locator('li').first()
  await call.getByText('denied', { exact: true }).waitFor()
  await call.getByText('by the person').waitFor()
  expect(await call.textContent()).toContain('"tea": "assam"')
  await row.getByLabel('Arguments').fill('[')
  await row.getByRole('button', { name: 'Run' }).click()
  await expect.poll(() => row.locator('output').textContent()).toContain('JSON')
})

it.each(['light', 'dark'] as const)('has no barrier that axe finds, %s', async (colorScheme) => {
  const page = await open({ colorScheme, viewport: { width: 400, height: 800 }, bypassCSP: true })
  await page.locator('webmcp-devtools summary').first().click()
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, 'axe').run(document)
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
      id,
      nodes.map(({ html }) => html.slice(0, 100)),
    ])
  })
  expect(found).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

/**
 * Questions of a server that one of its apps shows: the app fills in the answer, a person sends it, and
 * whatever fails leads to the form.
 */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { startAppElicitationServer } from '../../support/pages/app-elicitation-server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import {
  appears,
  goTo,
  inApp,
  readQuestion,
  sees,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()
const painter = use(() => startAppElicitationServer())
const quiet = use(() => startAppElicitationServer(false))

async function ask(url: string, tool: string, options = {}): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/connect', options)
  await page.getByLabel('Address').fill(`${url}/mcp`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /Painter/ }).waitFor()
  await goTo(page, toolLink(tool, {}))
  await page.getByRole('button', { name: /^Run/ }).click()
  await question(page).getByText('Which colour?').first().waitFor()
  return page
}

const question = (page: Page) => page.getByRole('dialog', { name: /asks you for information/ })
const press = (page: Page, name: string) => question(page).getByRole('button', { name }).click()

it('sends what the app filled in when the person presses the button', async () => {
  const page = await ask(painter().url, 'fills')
  await inApp(page).getByRole('button', { name: 'Red' }).click()
  await question(page).getByRole('region', { name: 'Answer of the app' }).getByText('red').waitFor()
  const send = question(page).getByRole('button', { name: WORDS.sendAnswer })
  await expect.poll(() => send.isEnabled()).toBe(true)
  await send.evaluate((each) => each instanceof HTMLElement && each.click())
  await page.waitForTimeout(300)
  expect(await question(page).count()).toBe(1)
  await press(page, WORDS.sendAnswer)
  await sees(page, /"action":"accept","content":\{"colour":"red"\}/)
  await page.context().close()
})

it.each([
  ['errs', /an invalid answer \(\/colour/],
  ['talks', /too long to be shown/],
  ['fails', /could not be used: broken/],
  ['ignores', /could not be used: Method not found/],
])('uses the form if the app %s', async (tool, reason) => {
  const page = await ask(painter().url, tool)
  await question(page).getByText(reason).waitFor()
  await question(page).getByLabel('Colour').selectOption('green')
  await press(page, WORDS.sendAnswer)
  await sees(page, /"action":"accept","content":\{"colour":"green"\}/)
  await page.context().close()
})

it('shows what the app asks above the dialog in which it waits', async () => {
  const page = await ask(painter().url, 'reads')
  const read = readQuestion(page)
  await read.getByText('Returns the favourite').first().waitFor()
  expect(await question(page).count()).toBe(1)
  await read.getByRole('button', { name: 'Allow' }).click()
  await question(page)
    .getByRole('region', { name: 'Answer of the app' })
    .getByText('green')
    .waitFor()
  await press(page, WORDS.sendAnswer)
  await sees(page, /"action":"accept","content":\{"colour":"green"\}/)
  await page.context().close()
})

it('leaves it to the person to decline', async () => {
  const page = await ask(painter().url, 'declines')
  await question(page).getByText('The app proposes to decline.').waitFor()
  expect(await question(page).getByRole('button', { name: WORDS.sendAnswer }).isDisabled()).toBe(
    true,
  )
  await press(page, 'Decline')
  await sees(page, /"action":"decline"/)
  await page.context().close()
})

it('lets the person use the form instead', async () => {
  const page = await ask(painter().url, 'fills')
  await press(page, 'Use the form instead')
  await question(page).getByLabel('Colour').selectOption('green')
  await press(page, WORDS.sendAnswer)
  await sees(page, /"colour":"green"/)
  await page.context().close()
})

it('shows no app of a server that does not declare it', async () => {
  const page = await ask(quiet().url, 'fills')
  await question(page).getByLabel('Colour').waitFor()
  expect(await page.locator('mcp-view').count()).toBe(0)
  await page.context().close()
})

it.each(['light', 'dark'] as const)('is accessible and fits in %s', async (colorScheme) => {
  const page = await ask(painter().url, 'fills', {
    colorScheme,
    viewport: { width: 400, height: 800 },
  })
  await appears(inApp(page).getByRole('button', { name: 'Red' }))
  await page.waitForTimeout(700)
  expect(await faultsOf(page)).toEqual([])
  await inApp(page).getByRole('button', { name: 'Red' }).click()
  await question(page).getByRole('region', { name: 'Answer of the app' }).waitFor()
  await page.waitForTimeout(700)
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400)
  await page.context().close()
})

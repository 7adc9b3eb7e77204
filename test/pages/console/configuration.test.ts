/** The configuration that a foreign server reads from its clients, as a form of the console. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { startConfigServer } from '../../support/pages/config-server.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { goTo, sees, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()
const lenient = use(() => startConfigServer())
const strict = use(() => startConfigServer(true))

async function connectTo(url: string, options = {}): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/connect', options)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  return page
}

const form = (page: Page) => page.getByRole('form', { name: 'Configuration' })
const send = (page: Page) =>
  form(page).getByRole('button', { name: 'Connect with this configuration' }).click()

it('sends what the form holds in the handshake, and nothing before', async () => {
  const page = await connectTo(lenient().url)
  const region = form(page).getByLabel('Region')
  await region.waitFor()
  expect(lenient().received).toEqual([undefined])
  expect(await form(page).getByLabel('Limit of one call').count()).toBe(0)
  expect(await form(page).getByLabel('Access key').getAttribute('type')).toBe('password')

  await send(page)
  await expect.poll(() => region.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => region.evaluate((each) => each === document.activeElement)).toBe(true)
  expect(lenient().received).toHaveLength(1)

  await region.selectOption('north')
  await form(page).getByLabel('Rows').fill('20')
  await send(page)
  await sees(page, 'Connected with a configuration.')
  expect(lenient().received.at(-1)).toEqual({ region: 'north', rows: 20 })

  await page.reload()
  await sees(page, 'Connected with a configuration.')
  await expect.poll(() => region.inputValue()).not.toBe('')
  await form(page).getByRole('button', { name: 'Connect without it' }).click()
  await expect.poll(() => lenient().received.at(-1)).toBe(undefined)
  await goTo(page, '#/rules')
  await page.getByRole('link', { name: 'Servers', exact: true }).last().waitFor()
  await page.context().close()
})

it('can be corrected when the server refuses it', async () => {
  const page = await connectTo(lenient().url)
  await form(page).getByLabel('Region').selectOption('moon')
  await send(page)
  await sees(page, /The server refuses the configuration: Cannot serve this region/)
  await form(page).getByLabel('Region').selectOption('south')
  await send(page)
  await sees(page, 'Connected with a configuration.')
  expect(lenient().received.at(-1)).toEqual({ region: 'south' })
  await page.context().close()
})

it('is offered for a server that refuses clients without one', async () => {
  const page = await connectTo(strict().url)
  await form(page).getByLabel('Region').selectOption('south')
  await send(page)
  await sees(page, 'Connected with a configuration.')
  expect(strict().received.at(-1)).toEqual({ region: 'south' })
  await page.context().close()
})

it('is not offered for a workspace of this server, which has rules', async () => {
  const page = await visit(browser.open, server.url, '#/connect')
  await page.getByRole('heading', { name: 'Another server' }).waitFor()
  expect(await form(page).count()).toBe(0)
  await page.context().close()
})

it.each(['light', 'dark'] as const)('is accessible and fits in %s', async (colorScheme) => {
  const page = await connectTo(lenient().url, {
    colorScheme,
    viewport: { width: 400, height: 800 },
  })
  await form(page).waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400)
  await page.context().close()
})

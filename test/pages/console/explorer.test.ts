/** The explorer: resources, templates with completion and prompts, of our server and of another. */

import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, putFile, sees, visit } from '../../support/pages/console-actions.ts'
import { startEverything } from '../../support/pages/reference-server.ts'

const server = useServer()
const browser = useBrowser()
const everything = use(startEverything)

it('reads resources by list, by template with suggestions, and by link', async () => {
  await putFile(server.url, '/docs/guide.md', '# A guide\n')
  const page = await visit(browser.open, server.url, '#/explorer')
  const resource = page.getByTestId('resource')
  await page.getByRole('link', { name: /file:\/\/\/docs\/guide\.md/ }).click()
  await page.locator('[data-testid=resource][data-state=done]').waitFor()
  expect(await resource.textContent()).toContain('# A guide')

  await page
    .getByRole('region', { name: 'Templates' })
    .getByRole('link', { name: /file:/ })
    .first()
    .click()
  const field = page.getByTestId('argument-path')
  await field.fill('docs')
  const list = (await field.getAttribute('list')) ?? ''
  const suggested = page.locator(`[id="${list}"] option`)
  await expect.poll(() => suggested.count()).toBeGreaterThan(0)
  await field.fill('docs/guide.md')
  await page.getByRole('button', { name: 'Read' }).click()
  await page.locator('[data-testid=resource][data-state=done]').waitFor()

  await goTo(page, `#/explorer?${new URLSearchParams({ uri: 'file:///none' }).toString()}`)
  await page.locator('[data-testid=resource][data-state=failed]').waitFor()
  await sees(page, 'Cannot read the resource')
  await page.context().close()
})

it('gets prompts of another server, with their arguments', async () => {
  const page = await browser.open(`${server.url}/#/connect`)
  await page.getByLabel('Address').fill(everything().url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /everything/i }).waitFor()
  await goTo(page, '#/explorer')
  const prompts = page.getByRole('region', { name: 'Prompts' })
  await prompts.getByRole('link', { name: /args-prompt/ }).click()
  await page.getByTestId('argument-city').fill('Oslo')
  await page.getByRole('button', { name: 'Get the prompt' }).click()
  await page.locator('[data-testid=prompt][data-state=done]').waitFor()
  expect(await page.getByTestId('prompt').textContent()).toContain('Oslo')
  await page.reload()
  await page.locator('[data-testid=prompt][data-state=done]').waitFor()
  await page.context().close()
})

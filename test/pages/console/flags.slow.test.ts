/** The flags of the server, which the console shows where it shows the rules that they restrict. */

import { expect, it } from 'vitest'
import { freePort } from '../../../scripts/port.ts'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { startProduct, useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, sees, visit } from '../../support/pages/console-actions.ts'

const flags = { read_only: true, roots: [{ path: '/notes', deny: ['private/**'] }], find_limit: 5 }
const server = useServer({ EDGEWISE_FLAGS: JSON.stringify(flags) })
const browser = useBrowser()

it('are listed where the rules are, and not saved with them', async () => {
  const page = await visit(browser.open, server.url, '#/')
  const list = page.getByTestId('flags')
  const isListed = async () => {
    await sees(page, 'Flags of the server restrict these rules.')
    expect(await list.locator('li').count()).toBeGreaterThan(2)
    for (const text of ['/notes', 'private/**', 'read_only', '5'])
      expect(await list.innerText()).toContain(text)
  }
  await isListed()
  await goTo(page, '#/rules')
  await page.getByLabel('Approval', { exact: true }).selectOption('review')
  await isListed()
  await page.locator('.savebar').getByRole('button').last().press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await sees(page, /The rules were saved/)
  const stored: unknown = await (await fetch(`${server.url}/config`)).json()
  expect(stored).toMatchObject({ approval: 'review', read_only: false, find_limit: 200 })
  await page.context().close()
})

it('--sandbox-port: an app starts in the sandbox at that port', async () => {
  const port = await freePort()
  const data = temporaryFolder()
  const running = await startProduct(data, {}, [], ['--sandbox-port', `${port}`])
  try {
    const page = await visit(browser.open, running.url, '#/apps')
    await page.getByRole('button', { name: /ui:\/\/edgewise\/files/ }).click()
    await page.locator('.window').getByText('ready', { exact: true }).waitFor()
    const hosts = page.frames().map((frame) => URL.parse(frame.url())?.host)
    expect(hosts).toContain(`127.0.0.1:${port}`)
    await page.context().close()
  } finally {
    await running.stop()
    removeFolder(data)
  }
})

/** A server that says what mcp-bash's sample says, in the console: its manifests, its six templates and its CSP. */

import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as Helpers from '../../../packages/mcp-view/server.ts'
import { buildForServers } from '../../../scripts/packages.ts'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, goTo, inApp, sees } from '../../support/pages/console-actions.ts'
import {
  startMcpBashServer,
  TEMPLATES,
  type McpBashServer,
} from '../../support/pages/mcp-bash-server.ts'

const product = useServer()
const browser = useBrowser()
const folder = temporaryFolder()
let sample: McpBashServer
let page: Page

beforeAll(async () => {
  await buildForServers('server', folder)
  const helpers: typeof Helpers = await import(join(folder, 'server.mjs'))
  sample = await startMcpBashServer(helpers.templatePage)
  page = await browser.open(`${product.url}/#/connect`)
  await page.getByLabel('Address').fill(sample.url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /sample/i }).waitFor()
})
afterAll(async () => {
  await sample.close()
  removeFolder(folder)
})

/** Goes to a page of the console, after the app of the page before has ended. */
async function open(hash: string) {
  await goTo(page, '#/connect')
  await page.locator('mcp-view').waitFor({ state: 'detached' })
  await goTo(page, hash)
}

/** Opens the page of a tool, and runs it. */
async function run(tool: string, args: object = {}) {
  const query = new URLSearchParams({ args: JSON.stringify(args) }).toString()
  await open(`#/tools/${tool}?${query}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  return inApp(page)
}

it('shows the app of a tool, which loads the official class from the origin that it declares', async () => {
  const app = await run('weather', { location: 'Oslo' })
  await app.getByText('Oslo: 7°').waitFor()
  await app.getByText('for Oslo').waitFor()
  expect(sample.requested).toEqual(['/npm/@modelcontextprotocol/ext-apps/+esm'])
  const reach = (url: string) =>
    app.locator('body').evaluate(
      (_, to) =>
        fetch(to).then(
          () => 'reached',
          () => 'blocked',
        ),
      url,
    )
  expect(await reach(`${sample.cdn}/data.json`)).toBe('reached')
  expect(await reach(`${product.url}/healthz`)).toBe('blocked')
})

it('lists both apps of the sample, and opens the one that no tool names', async () => {
  await open('#/apps')
  await sees(page, 'ui://sample/weather')
  await page.getByText('ui://sample/standalone-dashboard').first().waitFor()
})

it.each(Object.entries(TEMPLATES))(
  'shows the template of %s with its settings and its data',
  async (name, [{ config }, , shows]) => {
    const app = await run(name)
    await app.getByRole('heading', { name: String(config['title']) }).waitFor()
    await app.getByText(shows).first().waitFor()
  },
)

it('sends what a form holds, with its types, to the tool that its settings name', async () => {
  const app = await run('form')
  allowReads(page)
  await app.getByLabel('Name').fill('Ada')
  await app.getByRole('button', { name: /submit|send|save/i }).click()
  const called = page.getByRole('list', { name: 'Events of the app' }).getByText('"echo"')
  await called.first().waitFor()
  expect(await called.first().innerText()).toContain(
    '"arguments":{"list":"all","name":"Ada","kind":"work","news":false}',
  )
})

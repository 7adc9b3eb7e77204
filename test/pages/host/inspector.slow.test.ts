/** The web page of the official Inspector, a host of others, shows an app from files. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../scripts/port.ts'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { NODE, ROOT } from '../../support/e2e/run.ts'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { serveSamples } from '../../support/pages/app-samples.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { putFile } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()
const inspector = use(startInspector)

beforeAll(() => serveSamples(server))

const INSPECTOR = join(ROOT, 'node_modules/.bin/mcp-inspector')

async function startInspector() {
  const home = temporaryFolder()
  const [port, sandbox] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    HOME: home,
    MCP_STORAGE_DIR: home,
    CLIENT_PORT: String(port),
    MCP_SANDBOX_PORT: String(sandbox),
    MCP_AUTO_OPEN_ENABLED: 'false',
    DANGEROUSLY_OMIT_AUTH: 'true',
  }
  const given = ['--web', '--transport', 'http', '--server-url', `${server.url}/mcp`]
  const child = spawn(NODE, [INSPECTOR, ...given], { env, stdio: 'ignore' })
  const exit = once(child, 'exit')
  const url = `http://localhost:${port}`
  for (let attempt = 0; attempt < 150; attempt++) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) break
    await setTimeout(200)
  }
  const close = async () => {
    child.kill()
    await exit
    removeFolder(home)
  }
  return { url, close }
}

it('opens an app, which shows its files and names itself', async () => {
  // What its own page complains about is not ours.
  const page = await browser.open(inspector().url, { mayComplain: /./ })
  // The label is on a switch that is drawn by its neighbour.
  await page
    .getByLabel(/^Connect or disconnect/)
    .first()
    .click({ force: true })
  await page.getByText('Apps', { exact: true }).first().click()
  await page.getByText('Tasks', { exact: true }).first().click()
  const app = page.frameLocator('iframe').frameLocator('iframe')
  await app.getByText('Plan the trip').waitFor()
  expect(await app.getByRole('heading', { level: 1 }).innerText()).toBe('Tasks')

  await putFile(server.url, '/tasks/plan.md', '---\nstatus: done\n---\n# Pack the bags\n')
  await app.getByRole('region', { name: /^Done/ }).getByText('Pack the bags').waitFor()
  await page.context().close()
})

/** Apps that declare a `domain`, in the console: one origin for each app of each server. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { useServer } from '../../support/e2e/server.ts'
import { startSite, use } from '../../support/pages/app-servers.ts'
import { FOREIGN_HOSTS_FLAG, onForeignHost } from '../../support/pages/attack-client.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { EXECUTABLE } from '../../support/pages/chromium.ts'
import { inApp } from '../../support/pages/console-actions.ts'
import { startResourceServer } from '../../support/pages/resource-server.ts'

const server = useServer()

/** As deployed: the sandbox is a host of its own, and every name below it reaches the same server. */
const deployed = useServer((url) => ({
  SANDBOX_ORIGIN: url.replace('localhost', 'apps.localhost'),
  SANDBOX_SUBDOMAINS: '1',
  EDGEWISE_ORIGINS: url,
}))

/** An app that counts its visits, where it can, and shows its origin. */
const HTML = `<!doctype html><meta charset="utf-8"><title>Counter</title>
<p id="origin"></p><p id="visits">none</p><script>
  document.querySelector('#origin').textContent = origin
  addEventListener('message', ({ data }) => {
    if (data.id === 1)
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*')
  })
  const params = { appInfo: { name: 'Counter', version: '1' }, appCapabilities: {} }
  parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params }, '*')
  try {
    localStorage.visits = 1 + Number(localStorage.visits ?? 0)
    document.querySelector('#visits').textContent = localStorage.visits
  } catch {}
</script>`

const URIS = {
  'ui://count/own': { text: HTML, ui: { domain: 'count' } },
  'ui://count/other': { text: HTML, ui: { domain: 'count' } },
  'ui://count/none': { text: HTML },
}

const one = use(() => startResourceServer('counter', URIS))
const two = use(() => startResourceServer('counter', URIS))

async function connectTo(url: string, page: Page, at = server.url): Promise<void> {
  await page.goto(`${at}/#/connect`)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /counter/i }).waitFor()
  await page.evaluate(() => (location.hash = '#/apps'))
}

/** A browser whose user allows frames of other sites to keep data, as most do; tests' default is no. */
async function openProfile() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'Default'))
  const profile = { block_third_party_cookies: false, cookie_controls_mode: 0 }
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }))
  const args = ['--no-sandbox', '--disable-background-networking']
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: EXECUTABLE,
    args,
  })
  const close = async () => {
    await context.close()
    removeFolder(folder)
  }
  return { context, close }
}

let profile: Awaited<ReturnType<typeof openProfile>>
beforeAll(async () => {
  profile = await openProfile()
})
afterAll(() => profile.close())

/** Opens an app, and returns its origin and how often it has been opened there. */
async function openApp(page: Page, name: string): Promise<readonly string[]> {
  await page.getByRole('button', { name: `ui://count/${name}` }).click()
  await page.locator('[data-testid=view][data-state=ready]').waitFor()
  const app = inApp(page)
  const found = [await app.locator('#origin').innerText(), await app.locator('#visits').innerText()]
  await page.getByTestId('app').getByRole('button', { name: 'Close' }).click()
  await page.getByTestId('app').waitFor({ state: 'detached' })
  return found
}

it('gives each app of each server that declares a domain an origin that keeps data', async () => {
  const { context } = profile
  const page = await context.newPage()
  await connectTo(one().url, page)
  const [origin = '', first] = await openApp(page, 'own')
  const port = new URL(server.url).port
  expect(origin).toMatch(new RegExp(`^http://app-[0-9a-f]{20}\\.localhost:${port}$`))
  expect(first).toBe('1')
  await page.reload()
  expect(await openApp(page, 'own')).toEqual([origin, '2'])
  expect(await openApp(page, 'none')).toEqual(['null', 'none'])
  const [sibling, siblingVisits] = await openApp(page, 'other')
  expect(sibling).not.toBe(origin)
  expect(siblingVisits).toBe('1')

  await connectTo(two().url, page)
  const [other, visits] = await openApp(page, 'own')
  expect(other).not.toBe(origin)
  expect(visits).toBe('1')
})

const browser = useBrowser([FOREIGN_HOSTS_FLAG])

const site = use(() =>
  startSite((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>A page</title>')
  }),
)

const BLOCKED = 'chrome-error://chromewebdata/'

/** Embeds the page that runs apps in the origin of one, whose name is a hash of public names. */
async function embed(page: Page, around: (frame: string) => string): Promise<string> {
  const address = `${server.url.replace('localhost', 'app-0a1b.localhost')}/sandbox`
  const html = around(`<iframe src="${address}"></iframe>`)
  await page.evaluate((text) => document.body.insertAdjacentHTML('beforeend', text), html)
  const last = () =>
    page
      .frames()
      .findLast((frame) => frame.childFrames().length === 0)
      ?.url()
  await expect.poll(last).not.toMatch(/^(?:|about:blank|about:srcdoc)$/)
  return last() ?? ''
}

const PLAIN = (frame: string) => frame
const SANDBOXED = (frame: string) => `<iframe sandbox="allow-scripts" srcdoc='${frame}'></iframe>`

it.each([
  ['another port', () => site().url, PLAIN],
  ['another port of the other name', () => onForeignHost(site().url, '127.0.0.1'), PLAIN],
  ['another host', () => onForeignHost(site().url), PLAIN],
  ['a data: URL', () => 'data:text/html,<title>A page</title>', PLAIN],
  ['a sandboxed frame of the own port', () => `${server.url}/healthz`, SANDBOXED],
])('lets no page of %s run a script in the origin of an app', async (_, address, around) => {
  const page = await browser.open(address())
  expect(await embed(page, around)).toBe(BLOCKED)
  await page.context().close()
})

it.each(['localhost', '127.0.0.1'])('lets the own port at %s run an app', async (name) => {
  const page = await browser.open(`${onForeignHost(server.url, name)}/healthz`)
  expect(await embed(page, PLAIN)).toMatch(/app-0a1b\.localhost:\d+\/sandbox$/)
  await page.context().close()
})

it('gives them one below the sandbox of a deployment whose names all reach it', async () => {
  const { context } = profile
  const page = await context.newPage()
  await connectTo(one().url, page, deployed.url)
  const [origin = '', first] = await openApp(page, 'own')
  const port = new URL(deployed.url).port
  expect(origin).toMatch(new RegExp(`^http://app-[0-9a-f]{20}\\.apps\\.localhost:${port}$`))
  expect(first).toBe('1')
  await page.reload()
  expect(await openApp(page, 'own')).toEqual([origin, '2'])
})

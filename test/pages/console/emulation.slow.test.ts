/**
 * Apps shown as other hosts would show them: what an app of the official class gets there, and that no
 * emulated host gives an app more sandbox, policy or permissions than our own.
 */

import type { Frame, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOSTS } from '#host/console/emulation/hosts.ts'
import { useServer } from '../../support/e2e/server.ts'
import { pageOf, use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, sees } from '../../support/pages/console-actions.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { driverOf, openServer, run } from '../../support/pages/official-driver.ts'
import { startResourceServer } from '../../support/pages/resource-server.ts'

const server = useServer()
const browser = useBrowser()

const OWN = 'https://own.example'
const DECLARED = {
  csp: {
    connectDomains: [OWN],
    resourceDomains: [OWN],
    frameDomains: [OWN],
    baseUriDomains: [OWN],
  },
  permissions: { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} },
  prefersBorder: false,
}

const TOOL = { name: 'show', _meta: { ui: { resourceUri: 'ui://official/app' } } }

const official = use(async () =>
  startResourceServer(
    'official',
    { 'ui://official/app': { text: await pageOf('official-v2.ts'), ui: DECLARED } },
    [TOOL],
  ),
)

/** Shows the app as a host, by the link that the address is. */
async function showAs(page: Page, id: string): Promise<Frame> {
  await goTo(page, '#/connect')
  await page.locator('mcp-view').waitFor({ state: 'detached' })
  await goTo(page, `#/apps?uri=${encodeURIComponent('ui://official/app')}&as=${id}`)
  return driverOf(page)
}

interface Power {
  /** Flags and permissions of the outer and the inner frame. */
  readonly flags: readonly string[]
  readonly allowed: readonly string[]
  /** The origins that the policy of the sandbox page names, by directive. */
  readonly csp: Readonly<Record<string, readonly string[]>>
  readonly origin: string
}

/** What the frames of the shown app may do. */
async function powerOf(page: Page, app: Frame): Promise<Power> {
  const proxy = app.parentFrame()
  const [outer, inner] = [await proxy?.frameElement(), await app.frameElement()]
  const attributes = await Promise.all(
    [outer, inner].map(async (frame) => ({
      sandbox: (await frame?.getAttribute('sandbox')) ?? 'none',
      allow: (await frame?.getAttribute('allow')) ?? '',
    })),
  )
  const response = await page.context().request.get(proxy?.url() ?? '', {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  const policy = response.headers()['content-security-policy'] ?? ''
  const directives = policy.split(';').map((text) => text.trim().split(/\s+/))
  return {
    flags: attributes.flatMap(({ sandbox }, at) => sandbox.split(' ').map((one) => `${at} ${one}`)),
    allowed: attributes.flatMap(({ allow }, at) =>
      allow.split(';').flatMap((one) => (one.trim() ? [`${at} ${one.trim()}`] : [])),
    ),
    csp: Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources])),
    origin: await app.evaluate(() => origin),
  }
}

let page: Page
let ours: Power

beforeAll(async () => {
  page = await openServer(browser.open, server.url, official().url)
})

/** Of these one grants some of what an app declares, and one nothing. The unit test has every host. */
const IN_FRAMES = HOSTS.filter(({ id }) => ['chatgpt', 'goose'].includes(id))

describe('an emulated host', () => {
  beforeAll(async () => {
    ours = await powerOf(page, await showAs(page, ''))
  })

  it('is compared with our own, which grants what an app declares', () => {
    expect(ours.origin).toBe('null')
    expect(ours.allowed).toContain('0 camera')
    expect(ours.csp['frame-src']).toContain(OWN)
  })

  it.each(IN_FRAMES)(
    '$title grants an app no more sandbox, policy or permissions',
    async (host) => {
      const app = await showAs(page, host.id)
      const theirs = await powerOf(page, app)
      expect(theirs.origin).toBe('null')
      expect(ours.flags).toEqual(expect.arrayContaining([...theirs.flags]))
      expect(ours.allowed).toEqual(expect.arrayContaining([...theirs.allowed]))
      expect(Object.keys(theirs.csp)).toEqual(Object.keys(ours.csp))
      for (const [directive, sources] of Object.entries(theirs.csp))
        expect([...(ours.csp[directive] ?? []), "'none'", "'self'"], directive).toEqual(
          expect.arrayContaining([...sources]),
        )
      const granted = host.permissions.length
      expect(theirs.allowed.filter((one) => one.startsWith('0'))).toHaveLength(granted)
      const modes = await app.evaluate(
        () => Object(driver.app.getHostContext()).availableDisplayModes,
      )
      expect(modes).toEqual(host.modes)
    },
  )
})

it('answers what a host lacks as an unknown method, and logs it', async () => {
  const app = await showAs(page, 'goose')
  const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
  for (const [method, params] of [
    ['sendMessage', message],
    ['updateModelContext', { structuredContent: {} }],
    ['callServerTool', { name: 'show', arguments: {} }],
    ['readServerResource', { uri: 'ui://official/app' }],
    ['downloadFile', { contents: [] }],
  ] as const) {
    const failure = await run(app, method, params).catch(String)
    expect(String(failure), method).toMatch(/Method not found|does not (?:support|declare)|-32601/)
  }
  const raw = await app.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => data.id === 'raw' && resolve(data))
        const params = { role: 'user', content: [] }
        parent.postMessage({ jsonrpc: '2.0', id: 'raw', method: 'ui/message', params }, '*')
      }),
  )
  const error = { code: -32601, message: 'Method not found' }
  expect(raw).toEqual({ jsonrpc: '2.0', id: 'raw', error })
  await sees(page, /Goose does not know ui\/message/)
  expect(await page.getByTestId('message').count()).toBe(0)
})

it('has the name, the context, the capabilities and the size of the chosen host', async () => {
  const app = await showAs(page, 'vscode')
  const known = await app.evaluate(() => ({
    info: driver.app.getHostVersion(),
    context: driver.app.getHostContext(),
    capabilities: driver.app.getHostCapabilities(),
  }))
  expect(known).toMatchObject({
    info: { name: 'Visual Studio Code' },
    context: { platform: 'desktop', availableDisplayModes: ['inline'], displayMode: 'inline' },
    capabilities: { openLinks: {}, updateModelContext: { image: {} } },
  })
  expect(Object(known.context)).not.toHaveProperty('toolInfo')
  expect(Object(known.capabilities)).not.toHaveProperty('message')
  expect(Object(known.capabilities).updateModelContext).not.toHaveProperty('text')
  const { width, maxHeight } = Object(known.context).containerDimensions
  expect(width).toBeLessThanOrEqual(494)
  expect(maxHeight).toBe(720)
  expect(await run(app, 'requestDisplayMode', { mode: 'fullscreen' })).toEqual({ mode: 'inline' })
})

it('is chosen by keyboard, kept in the address, and passed on to the tools', async () => {
  await showAs(page, '')
  const choice = page.getByLabel('Show as…')
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.url()).toContain('as=claude')
  const hostName = async () => {
    const app = await driverOf(page)
    return app.evaluate(() => Object(driver.app.getHostVersion()).name).catch(() => null)
  }
  await expect.poll(hostName).toBe('Claude')
  expect(await page.locator('#showas-facts').textContent()).toContain(
    'It lacks frame and base domains',
  )
  expect(await faultsOf(page)).toEqual([])

  expect(await page.locator('.viewtools a').getAttribute('href')).toContain('as=claude')
  await goTo(page, '#/tools/show?as=claude&run=1')
  await page.getByTestId('tool').waitFor()
  const app = await driverOf(page)
  await expect
    .poll(() =>
      app.evaluate(() =>
        driver.events.map(({ event }) => event).filter((event) => event.startsWith('tool')),
      ),
    )
    .toEqual(['toolinput', 'toolresult'])
  const name = await app.evaluate(() => Object(driver.app.getHostVersion()).name)
  expect(name).toBe('Claude')
  await page.getByLabel('Show as…').selectOption('')
  await expect.poll(() => page.url()).not.toContain('as=')
})

it('is accessible in light and dark, and fits into 400 pixels', async () => {
  await page.setViewportSize({ width: 400, height: 800 })
  await showAs(page, 'slack')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await faultsOf(page), colorScheme).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(400)
  }
})

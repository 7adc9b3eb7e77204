/**
 * The features of a host of MCP Apps, as a table: each is driven in the console by apps of the official
 * `App` class (1.7.5 and 2.0.4) in the test of that name below, or by the existing test that is named beside
 * it. A feature without a test fails, and so does a named test that no longer exists.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Frame, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {} from '#host/view/element.ts'
import { ROOT } from '../../support/e2e/run.ts'
import { useServer } from '../../support/e2e/server.ts'
import { hasTest } from '../../support/house/named-test.ts'
import { pageOf, use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, goTo, sees } from '../../support/pages/console-actions.ts'
import { driverOf, openServer, run } from '../../support/pages/official-driver.ts'
import { startResourceServer } from '../../support/pages/resource-server.ts'

/** A test in another file: its file below `test/`, and its title. */
type Elsewhere = readonly [file: string, title: string]

const HERE = 'driven below'
const ELEMENT = 'pages/host/official-app.slow.test.ts'
const CONFORMANCE = 'pages/host/host-conformance.slow.test.ts'
const VIEW = 'pages/host/view.slow.test.ts'

/** Every feature, and where it is driven. */
const FEATURES: Readonly<Record<string, typeof HERE | Elsewhere>> = {
  // Handshake
  'names, capabilities and host context': HERE,
  'every requirement of the specification': [CONFORMANCE, 'covers every requirement'],
  'the official conformance page': [
    'pages/console/host-conformance.slow.test.ts',
    'passes every check, and shows what a model would receive',
  ],
  // The call that the app shows
  'tool input, then tool result': HERE,
  'partial tool input': [
    ELEMENT,
    'receives the partial input, the input and the result, each once',
  ],
  'tool cancelled': [ELEMENT, 'receives a cancellation with its reason'],
  'failed calls as results': [
    CONFORMANCE,
    'B4: a failed call is a result, a broken one never becomes a result',
  ],
  'messages held until the app is ready': [
    VIEW,
    'holds the newest notification of each kind for an app that is not ready',
  ],
  // What the app asks of the host
  openLinks: HERE,
  downloadFile: HERE,
  message: HERE,
  updateModelContext: HERE,
  logging: HERE,
  'display modes': HERE,
  sizes: HERE,
  'teardown at the request of the app': HERE,
  'sampling, answered by the person': HERE,
  // What the app asks of its server
  'serverTools, and visibility': HERE,
  'approval of tool calls': [
    'pages/console/apps.test.ts',
    'finds the applications, and asks the person before an app changes files',
  ],
  'reads asked once': [
    'pages/console/app-reads.slow.test.ts',
    'asks an app that polls once, by keyboard, and shows what it may see',
  ],
  serverResources: HERE,
  'list changed': [ELEMENT, 'receives list-changed notifications of its server'],
  // What the host tells the app
  'changes of the host context': HERE,
  'teardown announced before the app is removed': HERE,
  'the app comes back with its input and its result': [
    VIEW,
    'is reconnected when it reloads, with its input and its result',
  ],
  // Tools of the app
  'app tools': HERE,
  'app tools are confirmed': [
    'pages/console/app-tools.slow.test.ts',
    'lists them with a prefix, and confirms a call of one that does not say it only reads',
  ],
  // Sandbox
  'content security policy': HERE,
  permissions: HERE,
  'an opaque origin': HERE,
  'domain: an origin for each app of each server': [
    'pages/console/own-origin.slow.test.ts',
    'gives each app of each server that declares a domain an origin that keeps data',
  ],
  'the border setting': HERE,
  // Beyond the specification
  'older forms': ['host/console/older-forms.test.ts', 'gets the view that the older key names'],
  'other hosts emulated': [
    'pages/console/emulation.slow.test.ts',
    'has the name, the context, the capabilities and the size of the chosen host',
  ],
}

const server = useServer()
const browser = useBrowser()
const openForAll = (url: string) => browser.open(url, { isKept: true })

const UI = {
  permissions: { clipboardWrite: {} },
  csp: { connectDomains: ['https://api.example'] },
  prefersBorder: false,
}

const official = use(async () =>
  startResourceServer(
    'official',
    {
      'ui://official/v1': { text: await pageOf('official-v1.ts'), ui: UI },
      'ui://official/v2': { text: await pageOf('official-v2.ts'), ui: UI },
    },
    [
      { name: 'show_v1', _meta: { ui: { resourceUri: 'ui://official/v1' } } },
      { name: 'show_v2', _meta: { ui: { resourceUri: 'ui://official/v2' } } },
      { name: 'for_apps', _meta: { ui: { visibility: ['app'] } } },
      { name: 'for_models', _meta: { ui: { visibility: ['model'] } } },
    ],
  ),
)

/** Time after which a dialog takes a click: it must have been readable before. */
const READABLE_MS = 600

describe.each([
  ['1.7.5', 'show_v1'],
  ['2.0.4', 'show_v2'],
])('App %s in the console', (version, tool) => {
  let context: BrowserContext | undefined
  let page: Page
  let shown: Frame | undefined
  let app: Frame

  const events = () => app.evaluate(() => driver.events.map(({ event }) => event))

  /** Agrees in a dialog of the console. */
  async function agree(title: string, button: string): Promise<void> {
    const dialog = page.getByRole('alertdialog', { name: title })
    await dialog.waitFor()
    await page.waitForTimeout(READABLE_MS)
    await dialog.getByRole('button', { name: button }).click()
  }

  /** Opens the app of the tool, after one that is shown has ended. */
  async function openApp(): Promise<Frame> {
    await goTo(page, '#/connect')
    await page.locator('mcp-view').waitFor({ state: 'detached' })
    const args = encodeURIComponent(JSON.stringify({ path: '/notes' }))
    await goTo(page, `#/tools/${tool}?args=${args}&run=1`)
    return driverOf(page)
  }

  // One app serves the features that leave it as it was, until one fails or ends it.
  beforeEach(async () => {
    if (!context) {
      page = await openServer(openForAll, server.url, official().url)
      allowReads(page)
      context = page.context()
    }
    if (shown?.isDetached() !== false) shown = await openApp()
    app = shown
  })
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    await context?.close()
    context = shown = undefined
  })

  it('names, capabilities and host context', async () => {
    const known = await app.evaluate(() => ({
      info: driver.app.getHostVersion(),
      context: driver.app.getHostContext(),
      capabilities: driver.app.getHostCapabilities(),
    }))
    expect(known).toMatchObject({
      info: { name: 'edgewise', version: expect.any(String) },
      context: {
        theme: 'light',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen', 'pip'],
        toolInfo: { tool: { name: tool } },
        locale: 'en',
        platform: 'web',
        containerDimensions: { maxHeight: 4000 },
        styles: { variables: { '--color-text-primary': expect.any(String) } },
      },
      capabilities: {
        openLinks: {},
        downloadFile: {},
        message: { text: {} },
        updateModelContext: { structuredContent: {} },
        logging: {},
        serverTools: {},
        serverResources: {},
        sandbox: { permissions: { clipboardWrite: {} } },
      },
    })
    expect(await page.evaluate(() => document.querySelector('mcp-view')?.app?.info)).toEqual({
      name: 'official-app',
      version,
    })
  })

  it('tool input, then tool result', async () => {
    const received = () =>
      app.evaluate(() => driver.events.filter(({ event }) => event.startsWith('tool')))
    await expect.poll(received).toMatchObject([
      { event: 'toolinput', params: { arguments: { path: '/notes' } } },
      {
        event: 'toolresult',
        params: { structuredContent: { name: tool, arguments: { path: '/notes' } } },
      },
    ])
  })

  it('openLinks', async () => {
    const opened = run(app, 'openLink', { url: `${server.url}/healthz` })
    const popup = page.context().waitForEvent('page')
    await agree('Open this address?', 'Open the page')
    expect(await opened).toEqual({})
    await (await popup).close()
    const refused = await run(app, 'openLink', { url: 'javascript:alert(1)' })
    expect(refused).toMatchObject({ isError: true })
  })

  it('downloadFile', async () => {
    const resource = { uri: 'file:///a/report.csv', mimeType: 'text/csv', text: 'a,b' }
    const saved = run(app, 'downloadFile', { contents: [{ type: 'resource', resource }] })
    const download = page.waitForEvent('download')
    await agree('Save', 'Save')
    expect((await download).suggestedFilename()).toBe('report.csv')
    expect(await saved).toEqual({})
  })

  it('message', async () => {
    const content = [{ type: 'text', text: 'Hello from the app' }]
    expect(await run(app, 'sendMessage', { role: 'user', content })).toEqual({})
    await sees(page, 'Hello from the app')
    expect(await page.getByTestId('message').count()).toBe(1)
  })

  it('updateModelContext', async () => {
    for (const text of ['first', 'second'])
      expect(await run(app, 'updateModelContext', { content: [{ type: 'text', text }] })).toEqual(
        {},
      )
    await page.getByTestId('model-context').getByText('second').waitFor()
    expect(await page.getByTestId('model-context').count()).toBe(1)
  })

  it('logging', async () => {
    await run(app, 'sendLog', { level: 'warning', logger: 'app', data: { marker: 'a log' } })
    await sees(page, /"marker":"a log"/)
  })

  it('display modes', async () => {
    const ask = (mode: string) => run(app, 'requestDisplayMode', { mode })
    const mode = () => app.evaluate(() => Object(driver.app.getHostContext()).displayMode)
    expect(await ask('fullscreen')).toEqual({ mode: 'fullscreen' })
    await expect.poll(mode).toBe('fullscreen')
    expect(await ask('pip')).toEqual({ mode: 'fullscreen' })
    await page.locator('mcp-view').getByRole('button', { name: 'Back' }).click()
    await expect.poll(mode).toBe('inline')
  })

  it('sizes', async () => {
    const resize = (px: number) =>
      app.evaluate((height) => {
        const block =
          document.querySelector('main') ??
          document.body.appendChild(document.createElement('main'))
        block.style.height = `${height}px`
      }, px)
    await resize(333)
    await expect.poll(() => app.evaluate(() => innerHeight)).toBeGreaterThanOrEqual(333)
    await resize(111)
    await expect.poll(() => app.evaluate(() => innerHeight)).toBeLessThan(200)
  })

  it('sampling, answered by the person', async () => {
    const capabilities = await app.evaluate(() => driver.app.getHostCapabilities())
    expect(Object(capabilities)).toHaveProperty('sampling')
    const answer = app.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => data.id === 'raw' && resolve(data))
          const method = 'sampling/createMessage'
          const messages = [{ role: 'user', content: { type: 'text', text: 'Name a colour' } }]
          const params = { messages, maxTokens: 10 }
          parent.postMessage({ jsonrpc: '2.0', id: 'raw', method, params }, '*')
        }),
    )
    await page.getByLabel('Answer', { exact: true }).fill('Blue')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    expect(await answer).toMatchObject({
      result: { role: 'assistant', model: 'human', content: { type: 'text', text: 'Blue' } },
    })
  })

  it('serverTools, and visibility', async () => {
    const params = { name: 'for_apps', arguments: { marker: 'ü' } }
    expect(await run(app, 'callServerTool', params)).toMatchObject({ structuredContent: params })
    const hidden = run(app, 'callServerTool', { name: 'for_models', arguments: {} })
    await expect(hidden).rejects.toThrow(/not for apps/)
    await expect(run(app, 'callServerTool', { name: 'none', arguments: {} })).rejects.toThrow()
  })

  it('serverResources', async () => {
    const read = await run(app, 'readServerResource', { uri: 'ui://official/v2' })
    expect(read).toMatchObject({ contents: [{ uri: 'ui://official/v2' }] })
    const listed = await run(app, 'listServerResources')
    expect(Object(listed).resources).toHaveLength(2)
  })

  it('changes of the host context', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect
      .poll(() => app.evaluate(() => Object(driver.app.getHostContext()).theme))
      .toBe('dark')
    expect(await events()).toContain('hostcontextchanged')
    await page.emulateMedia({ colorScheme: null })
  })

  it('app tools', async () => {
    const offered = page.getByTestId('app-tool')
    await offered.getByRole('button', { name: 'Run' }).click()
    await agree('Run this tool of the app?', 'Run the tool')
    await offered.getByText('two', { exact: true }).waitFor()
  })

  it('content security policy', async () => {
    const blocked = await app.evaluate(async () => {
      const violated = new Promise<string>((resolve) => {
        const note = (event: SecurityPolicyViolationEvent) => resolve(event.effectiveDirective)
        document.addEventListener('securitypolicyviolation', note)
      })
      await fetch('https://elsewhere.example/').catch(() => null)
      return violated
    })
    expect(blocked).toBe('connect-src')
    const policy = new URL(app.parentFrame()?.url() ?? '').searchParams.get('csp') ?? ''
    expect(JSON.parse(policy)).toMatchObject({ connectDomains: ['https://api.example'] })
  })

  it('permissions', async () => {
    const [inner, outer] = [await app.frameElement(), await app.parentFrame()?.frameElement()]
    expect(await outer?.getAttribute('allow')).toBe('clipboard-write')
    expect(await inner.getAttribute('allow')).toBe('clipboard-write *')
  })

  it('the border setting', async () => {
    const box = page.locator('mcp-view .box')
    expect(await box.getAttribute('class')).toContain('bare')
  })

  it('an opaque origin', async () => {
    expect(await app.evaluate(() => origin)).toBe('null')
    const reached = await app.evaluate(() => {
      try {
        return typeof top?.document
      } catch (error) {
        return String(Reflect.get(Object(error), 'name'))
      }
    })
    expect(reached).toBe('SecurityError')
  })

  it('teardown at the request of the app', async () => {
    await run(app, 'requestTeardown')
    await sees(page, 'The app closed itself.')
    await expect.poll(() => app.isDetached()).toBe(true)
  })

  it('teardown announced before the app is removed', async () => {
    // The app logs its farewell when it is asked to end.
    const farewell = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.querySelector('mcp-view')?.addEventListener('mcp-log', ({ detail }) => {
            if (detail.data === 'farewell') resolve(true)
          })
        }),
    )
    await page.evaluate(() => void document.querySelector('mcp-view')?.close())
    expect(await farewell).toBe(true)
    await expect.poll(() => app.isDetached()).toBe(true)
  })
})

describe('the table of features', () => {
  const source = (file: string) => readFileSync(join(ROOT, 'test', file), 'utf8')

  it.each(Object.entries(FEATURES))('%s has its test', (feature, where) => {
    const [file, title] =
      where === HERE ? (['pages/console/features.slow.test.ts', feature] as const) : where
    expect(hasTest(file, title), `${file}: ${title}`).toBe(true)
  })

  it('names every test of this file', () => {
    const [driven = ''] = source('pages/console/features.slow.test.ts').split("describe('the table")
    const titles = [...driven.matchAll(/^ {2}it\('([^']+)'/gm)].map(([, title]) => title)
    const expected = Object.entries(FEATURES).flatMap(([name, where]) =>
      where === HERE ? [name] : [],
    )
    expect(new Set(titles)).toEqual(new Set(expected))
  })
})

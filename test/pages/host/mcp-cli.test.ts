/**
 * The lifecycle and the messages of a host as mcp-cli describes its own, against `<mcp-view>`: an app sends what mcp-cli
 * says that apps send, and the page of another site is the host. `docs/proposals.md` names what is otherwise, and why.
 */

import type { Frame, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import type {} from '#host/view/element.ts'
import { useServer } from '../../support/e2e/server.ts'
import {
  appOf,
  entriesOf,
  mount,
  startEmbedder,
  untilState,
  use,
} from '../../support/pages/app-servers.ts'
import type { ViewSpec } from '../../support/pages/apps/embed.ts'
import { useBrowser } from '../../support/pages/browser.ts'

const product = useServer()
const browser = useBrowser()
const site = use(() => startEmbedder(product.url))

const APP = `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><body><script>
const got = [], waiting = new Map()
addEventListener('message', ({ data }) => {
  got.push(data)
  if (data.method === undefined) waiting.get(data.id)?.(data)
  else if (data.id !== undefined) post({ id: data.id, result: {} })
})
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const ask = (method, params = {}) => new Promise((resolve) => {
  const id = 'app-' + waiting.size
  waiting.set(id, resolve)
  post({ id, method, params })
})
const initialize = () => ask('ui/initialize', {
  appInfo: { name: 'app', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  protocolVersion: '2026-01-26',
})
const ready = () => post({ method: 'ui/notifications/initialized', params: {} })
</script>`

let page: Page
let views = 0

beforeAll(async () => {
  page = await browser.open(site().url)
})

/** Mounts a view of the app, which is not initialized. */
async function start(more: Partial<ViewSpec> = {}): Promise<{ name: string; app: Frame }> {
  const name = `cli${views++}`
  const uri = 'ui://cli/app'
  const resources = {
    [uri]: { mimeType: 'text/html;profile=mcp-app', text: APP },
    'ui://cli/data': { mimeType: 'text/plain', text: 'data' },
  }
  const tools = [
    { name: 'show', _meta: { ui: { resourceUri: uri } } },
    { name: 'count/up-to.10' },
    { name: 'slow', behaviour: 'hangs' as const },
    { name: 'model_only', _meta: { ui: { visibility: ['model'] } } },
  ]
  await mount(page, { name, server: { resources, tools }, tool: 'show', ...more })
  return { name, app: await appOf(page, name) }
}

/** Mounts a view whose app is ready. */
async function startReady(more: Partial<ViewSpec> = {}) {
  const { name, app } = await start(more)
  await app.evaluate('initialize().then(ready)')
  await untilState(page, name, 'ready')
  const ask = (
    method: string,
    params: object = {},
  ): Promise<{ result?: unknown; error?: { code: number } }> =>
    app.evaluate(`ask(${JSON.stringify(method)}, ${JSON.stringify(params)})`)
  return { name, app, ask }
}

const received = (app: Frame, method: string): Promise<unknown[]> =>
  app.evaluate(`got.filter((message) => message.method === ${JSON.stringify(method)})`)

describe('the lifecycle', () => {
  it('begins with the answer to ui/initialize, and ends with an awaited teardown', async () => {
    const { name, app } = await start()
    await untilState(page, name, 'connecting')
    expect(await app.evaluate('initialize()')).toMatchObject({
      result: {
        protocolVersion: '2026-01-26',
        hostInfo: { name: expect.any(String), version: expect.any(String) },
        hostCapabilities: { serverTools: {}, serverResources: {}, logging: {}, sandbox: {} },
        hostContext: {
          theme: expect.stringMatching(/^(light|dark)$/),
          displayMode: 'inline',
          availableDisplayModes: expect.arrayContaining(['inline']),
          platform: 'web',
          locale: expect.any(String),
          timeZone: expect.any(String),
          userAgent: expect.any(String),
        },
      },
    })
    await app.evaluate('ready()')
    await untilState(page, name, 'ready')
    await page.evaluate((id) => lab.view(id).close(), name)
    const states = await entriesOf(page, name, 'mcp-state')
    expect(states.map(({ detail }) => detail['state'])).toEqual(
      expect.arrayContaining(['connecting', 'ready', 'closed']),
    )
  })

  it('holds the first result until the app is initialized, and sends the input before it', async () => {
    const { name, app } = await start({ properties: { toolInput: { n: 1 } } })
    await app.evaluate('initialize()')
    await page.evaluate((id) => {
      lab.view(id).toolResult = { content: [{ type: 'text', text: 'first' }] }
    }, name)
    expect(await app.evaluate('got.filter(({ method }) => method).length')).toBe(0)
    await app.evaluate('ready()')
    const methods = () => app.evaluate('got.flatMap(({ method }) => method ?? [])')
    await expect
      .poll(methods)
      .toEqual(['ui/notifications/tool-input', 'ui/notifications/tool-result'])
  })

  it('sends a further result to the app that runs', async () => {
    const { name, app } = await startReady({
      properties: { toolInput: {}, toolResult: { content: [] } },
    })
    await page.evaluate((id) => {
      lab.view(id).toolResult = { content: [{ type: 'text', text: 'second' }] }
    }, name)
    const results = () => received(app, 'ui/notifications/tool-result')
    await expect
      .poll(async () => (await results()).at(-1))
      .toMatchObject({
        params: { content: [{ text: 'second' }] },
      })
  })

  it('reports an app that is not initialized in time', async () => {
    const { name } = await start({ attributes: { 'init-timeout': '50' } })
    await expect
      .poll(async () =>
        (await entriesOf(page, name, 'mcp-error')).map(({ detail }) => detail['code']),
      )
      .toContain('APP_DOES_NOT_START')
  })
})

describe('a message of the app', () => {
  it.each([
    [
      'tools/call',
      { name: 'count/up-to.10', arguments: { n: 1 } },
      { structuredContent: { arguments: { n: 1 } } },
    ],
    ['resources/read', { uri: 'ui://cli/data' }, { contents: [{ text: 'data' }] }],
    ['ui/request-display-mode', { mode: 'pip' }, { mode: 'inline' }],
    ['ping', {}, {}],
  ])('%s %j is answered', async (method, params, result) => {
    const { ask } = await startReady()
    expect((await ask(method, params)).result).toMatchObject(result)
  })

  it.each([
    ['tools/call', { name: 'no such tool' }],
    ['tools/call', { name: 'model_only' }],
    ['tools/call', {}],
    ['resources/read', { uri: 'ui://cli/gone' }],
    ['ui/unknown', {}],
  ])('%s %j is an error', async (method, params) => {
    const { ask } = await startReady()
    const answer = await ask(method, params)
    expect(answer.result).toBeUndefined()
    expect(answer.error?.code).toBeLessThan(0)
    if (method === 'ui/unknown') expect(answer.error?.code).toBe(-32601)
  })

  it('tools/call ends at its time limit', async () => {
    const { ask } = await startReady({ attributes: { 'call-timeout': '50' } })
    expect((await ask('tools/call', { name: 'slow' })).error?.code).toBeLessThan(0)
  })

  it('that is unknown is ignored where it is a notification', async () => {
    const { app, ask } = await startReady()
    await app.evaluate(`post({ method: 'ui/notifications/unknown', params: {} })`)
    expect((await ask('ping')).result).toEqual({})
  })

  it.each(['javascript:alert(1)', 'file:///etc/hosts', 'data:text/html,x'])(
    'ui/open-link refuses %s',
    async (url) => {
      const { name, ask } = await startReady({ answers: { 'mcp-open-link': true } })
      const { result, error } = await ask('ui/open-link', { url })
      expect(Object(result).isError === true || error !== undefined).toBe(true)
      expect(await entriesOf(page, name, 'mcp-open-link')).toEqual([])
    },
  )

  it.each([
    ['ui/open-link', { url: 'https://example.com/' }, 'mcp-open-link', true],
    ['ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] }, 'mcp-message', true],
    [
      'ui/update-model-context',
      { content: [{ type: 'text', text: 'context' }] },
      'mcp-model-context',
      true,
    ],
  ])('%s reaches the page once, and is answered once', async (method, params, event, answer) => {
    const { name, app, ask } = await startReady({ answers: { [event]: answer } })
    expect((await ask(method, params)).error).toBeUndefined()
    await ask('ping')
    expect(await entriesOf(page, name, event)).toHaveLength(1)
    expect(await app.evaluate(`got.filter(({ id }) => id === 'app-1').length`)).toBe(1)
  })

  it('changes the display mode, which the next context says', async () => {
    const properties = { displayModes: ['inline', 'fullscreen'] }
    const { app, ask } = await startReady({ properties })
    expect((await ask('ui/request-display-mode', { mode: 'fullscreen' })).result).toEqual({
      mode: 'fullscreen',
    })
    await expect
      .poll(() => received(app, 'ui/notifications/host-context-changed'))
      .toContainEqual(
        expect.objectContaining({ params: expect.objectContaining({ displayMode: 'fullscreen' }) }),
      )
    expect((await ask('ui/request-display-mode', { mode: 'inline' })).result).toEqual({
      mode: 'inline',
    })
  })
})

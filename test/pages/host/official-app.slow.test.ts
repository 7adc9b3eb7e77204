/**
 * The official packages on both sides of the wire: apps of their `App` class (1.x and 2.x) inside
 * `<mcp-view>`, message by message, under the closed policy; and the product's own views inside the
 * official `AppBridge`.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Frame, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { ROOT } from '../../support/e2e/run.ts'
import {
  appOf,
  entriesOf,
  mount,
  pageOf,
  startEmbedder,
  startOfficialHost,
  untilState,
  use,
} from '../../support/pages/app-servers.ts'
import type { AppEvent } from '../../support/pages/apps/official-app.ts'
import { useBrowser } from '../../support/pages/browser.ts'

const officialHost = use(startOfficialHost)
// That host calls the product from a page of its own.
const product = useServer(() => ({ EDGEWISE_ORIGINS: new URL(officialHost().url).origin }))
const browser = useBrowser()
const embedder = use(() => startEmbedder(product.url))

const ANSWERS = {
  'mcp-open-link': true,
  'mcp-message': true,
  'mcp-model-context': true,
  'mcp-download': true,
}

describe.each([
  ['1.7.5', 'official-v1.ts'],
  ['2.0.4', 'official-v2.ts'],
])('App %s in <mcp-view>', (version, entry) => {
  let page: Page
  let app: Frame

  const run = (method: string, ...values: unknown[]) =>
    app.evaluate(([name, given]) => driver.run(name, ...given), [method, values] as const)

  const eventsNamed = (event: string): Promise<AppEvent[]> =>
    app.evaluate((name) => driver.events.filter((each) => each.event === name), event)

  const entries = (type: string) => entriesOf(page, 'app', type)

  beforeAll(async () => {
    page = await browser.open(embedder().url)
    const text = await pageOf(entry)
    const tool = { name: 'show', _meta: { ui: { resourceUri: 'ui://official/app' } } }
    const probe = { name: 'probe', _meta: { ui: { visibility: ['app'] } } }
    const server = {
      tools: [tool, probe, { name: 'failing', behaviour: 'fails' as const }],
      resources: {
        'ui://official/app': { mimeType: 'text/html;profile=mcp-app', text },
        'ui://official/note': { mimeType: 'text/plain', text: 'A note' },
      },
    }
    const properties = { toolInputPartial: { path: '/no' }, hostContext: { locale: 'rm-CH' } }
    await mount(page, { name: 'app', server, tool: 'show', properties, answers: ANSWERS })
    await untilState(page, 'app', 'ready')
    app = await appOf(page, 'app')
    await app.waitForFunction(() => driver.connected)
  })

  it('connects, and both receive the other’s name', async () => {
    const host = await app.evaluate(() => ({
      info: driver.app.getHostVersion(),
      context: driver.app.getHostContext(),
      capabilities: driver.app.getHostCapabilities(),
    }))
    expect(host).toMatchObject({
      context: { locale: 'rm-CH', displayMode: 'inline', toolInfo: { tool: { name: 'show' } } },
      capabilities: { serverTools: {}, serverResources: {}, openLinks: {}, logging: {} },
    })
    const known = await page.evaluate(() => lab.view('app').app)
    expect(known).toMatchObject({ info: { name: 'official-app', version } })
  })

  it('receives the partial input, the input and the result, each once', async () => {
    await page.evaluate(() => {
      const result = { content: [{ type: 'text', text: 'Done' }], structuredContent: { a: [1] } }
      Object.assign(lab.view('app'), { toolInput: { path: '/notes' }, toolResult: result })
    })
    await expect.poll(() => eventsNamed('toolresult')).toHaveLength(1)
    const order = await app.evaluate(() => driver.events.map(({ event }) => event))
    expect(order).toEqual(['toolinputpartial', 'toolinput', 'toolresult'])
    expect((await eventsNamed('toolinputpartial'))[0]?.params).toEqual({
      arguments: { path: '/no' },
    })
    expect((await eventsNamed('toolinput'))[0]?.params).toEqual({ arguments: { path: '/notes' } })
    expect((await eventsNamed('toolresult'))[0]?.params).toMatchObject({
      structuredContent: { a: [1] },
    })
  })

  it('receives a cancellation with its reason', async () => {
    await page.evaluate(() => lab.view('app').cancel('Enough'))
    await expect
      .poll(() => eventsNamed('toolcancelled'))
      .toMatchObject([{ params: { reason: 'Enough' } }])
  })

  it('receives changes of the host context, and merges them', async () => {
    const styles = { variables: { '--color-text-primary': 'red' } }
    await page.evaluate(
      (given) => (lab.view('app').hostContext = { locale: 'rm-CH', theme: 'dark', styles: given }),
      styles,
    )
    await expect.poll(() => eventsNamed('hostcontextchanged')).not.toEqual([])
    const context = await app.evaluate(() => driver.app.getHostContext())
    expect(context).toMatchObject({ theme: 'dark', locale: 'rm-CH', styles })
  })

  it('calls tools of its server, also one that fails', async () => {
    const params = { name: 'probe', arguments: { marker: 'ü €' } }
    expect(await run('callServerTool', params)).toMatchObject({ structuredContent: params })
    expect(await run('callServerTool', { name: 'failing', arguments: {} })).toMatchObject({
      isError: true,
    })
    await expect(run('callServerTool', { name: 'unknown', arguments: {} })).rejects.toThrow()
  })

  it('reads resources of its server', async () => {
    const read = await run('readServerResource', { uri: 'ui://official/note' })
    expect(read).toMatchObject({ contents: [{ text: 'A note' }] })
    await expect(run('readServerResource', { uri: 'ui://official/none' })).rejects.toThrow()
  })

  it('sends a message', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
    expect(await run('sendMessage', message)).toEqual({})
    expect((await entries('mcp-message')).map(({ detail }) => detail)).toMatchObject([message])
  })

  it('updates the context of the model', async () => {
    const update = { content: [{ type: 'text', text: 'Now' }], structuredContent: { at: 1 } }
    expect(await run('updateModelContext', update)).toEqual({})
    expect((await entries('mcp-model-context')).map(({ detail }) => detail)).toMatchObject([update])
  })

  it('opens a link', async () => {
    expect(await run('openLink', { url: 'https://example.com/a' })).toEqual({})
    expect(await run('openLink', { url: 'javascript:alert(1)' })).toMatchObject({ isError: true })
    expect((await entries('mcp-open-link')).map(({ detail }) => detail['url'])).toEqual([
      'https://example.com/a',
    ])
  })

  it('offers a download', async () => {
    const resource = { uri: 'file:///a/report.csv', mimeType: 'text/csv', text: 'a,b' }
    expect(await run('downloadFile', { contents: [{ type: 'resource', resource }] })).toEqual({})
    expect((await entries('mcp-download'))[0]?.detail).toMatchObject({
      files: [{ name: 'report.csv', mimeType: 'text/csv', text: 'a,b' }],
    })
  })

  it('changes its display mode and returns', async () => {
    expect(await run('requestDisplayMode', { mode: 'fullscreen' })).toEqual({ mode: 'fullscreen' })
    expect(await page.evaluate(() => lab.view('app').displayMode)).toBe('fullscreen')
    expect(await run('requestDisplayMode', { mode: 'pip' })).toEqual({ mode: 'fullscreen' })
    expect(await run('requestDisplayMode', { mode: 'inline' })).toEqual({ mode: 'inline' })
    const context = await app.evaluate(() => driver.app.getHostContext())
    expect(context).toMatchObject({ displayMode: 'inline' })
  })

  it('writes a log', async () => {
    await run('sendLog', { level: 'warning', logger: 'app', data: { a: 1 } })
    await expect
      .poll(() => entries('mcp-log').then((all) => all.map(({ detail }) => detail)))
      .toContainEqual({ level: 'warning', logger: 'app', data: { a: 1 } })
  })

  it('gets the height that it requests', async () => {
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
    expect((await entries('mcp-size')).length).toBeGreaterThan(1)
  })

  it('offers tools of its own', async () => {
    const listed = await page.evaluate(() => lab.view('app').callApp('tools/list', {}))
    expect(listed).toMatchObject({ tools: [{ name: 'double' }] })
    const params = { name: 'double', arguments: {} }
    const called = await page.evaluate(
      (given) => lab.view('app').callApp('tools/call', given),
      params,
    )
    expect(called).toMatchObject({ content: [{ text: 'two' }] })
  })

  it('receives list-changed notifications of its server', async () => {
    await app.evaluate(() => {
      addEventListener('message', ({ data }) => {
        driver.events.push({ event: String(Object(data).method), params: {} })
      })
    })
    await page.evaluate(() => lab.view('app').notify('notifications/resources/list_changed'))
    await expect.poll(() => eventsNamed('notifications/resources/list_changed')).toHaveLength(1)
  })

  it('requests its teardown, responds to it, and is removed', async () => {
    await run('requestTeardown')
    await expect.poll(() => entries('mcp-teardown-request')).toHaveLength(1)
    await page.evaluate(() => lab.view('app').close())
    await expect.poll(() => app.isDetached()).toBe(true)
    const logs = (await entries('mcp-log')).map(({ detail }) => detail['data'])
    expect(logs.filter((data) => data === 'farewell')).toHaveLength(1)
    expect(await page.evaluate(() => lab.view('app').state)).toBe('closed')
  })
})

describe('views of the product in the official AppBridge 2.0.4', () => {
  const view = (name: string) => readFileSync(join(ROOT, `dist/assets/views/${name}.html`), 'utf8')

  const hostContext = {
    theme: 'dark',
    displayMode: 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
  }

  /** Shows a view for a call that was made, as a host does. */
  async function shown(name: string, tool: string, input: object, meta = {}): Promise<Page> {
    const page = await browser.open(officialHost().url)
    const spec = { html: view(name), mcp: `${product.url}/mcp`, input, hostContext }
    await page.evaluate(
      async ([given, call]) => {
        const result: object = await official.ask(given.mcp, 'tools/call', call.name, call)
        await official.show({ ...given, result } as never)
      },
      [spec, { name: tool, arguments: input, _meta: meta }] as const,
    )
    return page
  }

  const shows = (page: Page) => () =>
    page.frames()[1]?.evaluate(() => document.body.innerText) ?? ''

  const NOTE = { path: '/notes/today.md', content: 'first line\nsecond line\n' }

  it.each([
    ['review', 'write_file', NOTE],
    ['files', 'list_roots', {}],
  ])('%s initializes, reports its size, and ends', async (name, tool, input) => {
    const page = await shown(name, tool, input)
    expect(await page.evaluate(() => official.app())).toMatchObject({
      info: { name: expect.any(String), version: expect.any(String) },
    })
    const types = () => page.evaluate(() => official.seen.map(({ type }) => type))
    await expect.poll(types).toContain('size')
    await page.evaluate(() => official.changeContext({ theme: 'light', displayMode: 'fullscreen' }))
    await page.evaluate(() => official.cancel('Enough'))
    expect(await page.evaluate(() => official.teardown())).toEqual({})
    await page.context().close()
  })

  it('review shows a preview, and its button applies just that', async () => {
    const path = '/notes/later.md'
    const page = await shown('review', 'write_file', { ...NOTE, path }, { preview: true })
    await expect.poll(shows(page)).toContain('second line')
    await setTimeout(1000) // It takes no click that comes before a person can have read it.
    await page.frames()[1]?.getByRole('button', { name: /apply/i }).click()
    const read = () => fetch(`${product.url}/files${path}`).then((answer) => answer.text())
    await expect.poll(read).toBe(NOTE.content)
    await page.context().close()
  })

  it('files navigates from the root to the text of a file', async () => {
    const page = await shown('files', 'list_roots', {})
    await expect.poll(shows(page)).toContain('notes')
    const frame = page.frames()[1]
    await frame?.getByText('notes', { exact: true }).first().click()
    await page.keyboard.press('ArrowRight')
    await frame?.getByText('later.md').first().click()
    await expect.poll(shows(page)).toContain('second line')
    await page.context().close()
  })
})

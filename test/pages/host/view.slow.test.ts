/**
 * `<mcp-view>` in a page of another site, with the product beside it: properties, events, messages of the
 * app, and the display. The requirements of MCP Apps for hosts, by id, are in
 * `host-conformance.slow.test.ts`; hostile apps are in `test/pages/attacks`.
 */

import type { Frame, Locator, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { appOf, startSite, use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'

const product = useServer()
const browser = useBrowser()

/** An app that records its messages and sends those of the test. */
const PROBE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Probe ✓</title><body>Grüße<script>
const got = [], waiting = new Map()
let last = 0, deaf = false
addEventListener('message', ({ data }) => {
  got.push(data)
  if (data.method === undefined) waiting.get(data.id)?.(data)
  else if (data.id !== undefined && !deaf) post({ id: data.id, result: answers[data.method] ?? {} })
})
const answers = {}
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const tell = (method, params = {}) => post({ method, params })
const ask = (method, params = {}) => new Promise((resolve) => {
  waiting.set(++last, resolve)
  post({ id: last, method, params })
})
const received = (name) => got.filter(({ method }) => method === 'ui/notifications/' + name).map(({ params }) => params)
async function begin(appCapabilities = {}) {
  const appInfo = { name: 'Probe', version: '1' }
  const answer = await ask('ui/initialize', { appInfo, appCapabilities, protocolVersion: '2026-01-26' })
  tell('ui/notifications/initialized')
  return answer.result
}
</script>`

/** The same, which starts the handshake by itself. */
const EAGER = `${PROBE}<script>begin()</script>`

const EMBEDDER = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Embedder</title>
<style>body { font: 16px system-ui; max-width: 700px }</style>
<script src="{{script}}"></script><body><button id="elsewhere">Elsewhere</button><script>
const log = {}
const MIME = 'text/html;profile=mcp-app'
/** A view with the given HTML as resource of its tool, a server that notes calls, and listeners. */
function show(id, html, { attributes = {}, properties = {}, content = {}, server = {}, answers = {} } = {}) {
  const view = document.createElement('mcp-view')
  view.id = id
  log[id] = []
  for (const type of ['state', 'error', 'call', 'log', 'size', 'display-mode', 'download', 'app-tools', 'traffic'])
    view.addEventListener('mcp-' + type, ({ detail }) => {
      log[id].push({ type, ...detail })
      if (type in answers) detail.respondWith(answers[type])
    })
  for (const [name, value] of Object.entries(attributes)) view.setAttribute(name, value)
  view.server = {
    readResource: async (uri) => ({ contents: [{ uri, mimeType: MIME, text: html, ...content }] }),
    callTool: async (params) => ({ content: [], structuredContent: params }),
    ...server,
  }
  view.tool = { name: 'probe', title: 'A probe', _meta: { ui: { resourceUri: 'ui://test/probe' } } }
  Object.assign(view, properties)
  document.body.append(view)
  return view
}
const view = (id) => document.getElementById(id)
const of = (id, type) => log[id].filter((entry) => entry.type === type)
</script>`

const site = use(async () =>
  startSite(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    const script = `${product.url}/mcp-view.js`
    if (url === '/') response.end(EMBEDDER.replace('{{script}}', script))
    else if (url === '/late') response.end(LATE.replace('{{script}}', script))
    else response.end(NOT_APART)
  }),
)

/** A server that lists the site, which may then embed apps in origins of their own. */
const listing = useServer(() => ({ EDGEWISE_ORIGINS: new URL(site().url).origin }))

/** A page that creates the element before its script is loaded. */
const LATE = `<!doctype html><title>Late</title><mcp-view id="early"></mcp-view><script>
early.html = '<!doctype html><script>document.title = 1<\\/script>'
early.displayModes = ['inline', 'pip']
</script><script src="{{script}}"></script>`

/** A page that is not a sandbox page. */
const NOT_APART = `<script>parent.postMessage(
  { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')</script>`

let page: Page
let views = 0

beforeAll(async () => {
  page = await browser.open(site().url)
})

interface Shown {
  readonly id: string
  readonly host: Locator
  readonly app: () => Promise<Frame>
  readonly state: (wanted: string) => Promise<unknown>
  /** Runs code in the embedding page, where `it` is the view. */
  readonly run: (code: string) => Promise<unknown>
  readonly log: (type: string) => Promise<Record<string, unknown>[]>
}

/** Shows a view. `options` is the code of an object, because it may hold functions. */
async function shown(html: string, options = '{}'): Promise<Shown> {
  const id = `v${views++}`
  await page.evaluate(`void show('${id}', ${JSON.stringify(html)}, ${options})`)
  const host = page.locator(`#${id}`)
  await host.scrollIntoViewIfNeeded()
  return {
    id,
    host,
    app: () => appOf(page, id),
    state: (wanted) => page.waitForFunction(`view('${id}').state === '${wanted}'`),
    run: (code) => page.evaluate(`(async (it) => (${code}))(view('${id}'))`),
    log: (type) => page.evaluate(`of('${id}', '${type}')`),
  }
}

const notificationsOf = (app: Frame, name: string) => app.evaluate(`received('${name}')`)

/** An app that reports a height whenever its body has another one, as apps do that have no library for it. */
const sizedApp = (style: string, height: string) =>
  `${EAGER}<style>body { margin: 0; ${style} }</style><script>
new ResizeObserver(() => tell('ui/notifications/size-changed', { height: ${height} })).observe(document.body)
const add = (height) => document.body.append(Object.assign(document.createElement('div'), { style: 'height:' + height + 'px' }))
</script>`

describe('an app that reports its height', () => {
  it('does not grow without end when each resize makes it higher', async () => {
    const html = sizedApp(
      'min-height: 100vh; padding: 20px',
      'document.documentElement.scrollHeight',
    )
    const { app, state, run } = await shown(html)
    await state('ready')
    const frame = await app()
    const height = () => run(`it.shadowRoot.querySelector('iframe').offsetHeight`)
    const settled = async () => {
      let last: unknown
      await expect
        .poll(async () => last === (last = await height()), { interval: 1_000, timeout: 20_000 })
        .toBe(true)
      return Number(last)
    }
    expect(await settled()).toBeLessThan(600)
    await frame.evaluate('add(1500)')
    await expect.poll(height).toBeGreaterThanOrEqual(1_500)
    expect(await settled()).toBeLessThan(2_000)
  })

  it('grows line by line, and shrinks, with its content', async () => {
    const { app, state, run } = await shown(sizedApp('', 'document.body.offsetHeight'))
    await state('ready')
    const frame = await app()
    const height = () => run(`it.shadowRoot.querySelector('iframe').offsetHeight`)
    for (const count of [5, 6, 7, 18]) {
      const lines = `for (let i = 0; i < ${count}; i++) {
        add(20)
        await new Promise((resolve) => setTimeout(resolve, 30))
      }`
      await frame.evaluate(`(async () => { ${lines} })()`)
      const whole = await frame.evaluate('document.body.offsetHeight')
      await expect.poll(height).toBe(whole)
    }
    await frame.evaluate(
      `document.querySelectorAll('div').forEach((line) => line.remove()), add(100)`,
    )
    const whole = await frame.evaluate('document.body.offsetHeight')
    await expect.poll(height).toBe(whole)
  })
})

describe('a tool’s app', () => {
  it('receives its input and its result, and has a title', async () => {
    const result = { content: [{ type: 'text', text: 'Done' }], structuredContent: { n: 1 } }
    const properties = { toolInput: { a: 'ü' }, toolResult: result }
    const { app, state, log, run } = await shown(EAGER, JSON.stringify({ properties }))
    await state('ready')
    const frame = await app()
    await expect.poll(() => notificationsOf(frame, 'tool-result')).toEqual([result])
    expect(await notificationsOf(frame, 'tool-input')).toEqual([{ arguments: { a: 'ü' } }])
    expect(await log('state')).toEqual(
      ['loading', 'connecting', 'ready'].map((name) => ({ type: 'state', state: name })),
    )
    expect(await run('it.app')).toEqual({ info: { name: 'Probe', version: '1' }, capabilities: {} })
  })

  it('is read from a blob as UTF-8', async () => {
    const blob = Buffer.from(EAGER).toString('base64')
    const { app, state } = await shown('', `{ content: { text: undefined, blob: '${blob}' } }`)
    await state('ready')
    expect(await (await app()).title()).toBe('Probe ✓')
    expect(await (await app()).locator('body').innerText()).toBe('Grüße')
  })

  it.each([
    ['of another type', `{ content: { mimeType: 'text/plain' } }`, 'INVALID_RESOURCE'],
    ['that is empty', `{ content: { text: ' ' } }`, 'INVALID_RESOURCE'],
    ['that is no base64', `{ content: { text: undefined, blob: '%' } }`, 'INVALID_RESOURCE'],
    ['of the web', `{ properties: { src: 'https://example.com/' } }`, 'INVALID_RESOURCE'],
    [
      'that cannot be read',
      `{ server: { readResource: async () => { throw Error('no') } } }`,
      'READ_FAILED',
    ],
    [
      'that never comes',
      `{ attributes: { 'init-timeout': 100 }, server: { readResource: () => new Promise(() => {}) } }`,
      'READ_FAILED',
    ],
  ])('%s is refused', async (_, options, code) => {
    const { host, state, log } = await shown(EAGER, options)
    await state('failed')
    expect(await log('error')).toMatchObject([{ code, message: expect.any(String) }])
    expect(await host.locator('iframe').count()).toBe(0)
  })

  it('can be loaded again by the user', async () => {
    const server = `{ readResource: async () => { throw Error('Not yet') } }`
    const { host, state, run } = await shown(EAGER, `{ server: ${server} }`)
    await state('failed')
    expect(await host.getByRole('status').innerText()).toContain('Not yet')
    await run(`void (it.server.readResource = async (uri) => (
      { contents: [{ uri, mimeType: MIME, text: ${JSON.stringify(EAGER)} }] }))`)
    await host.getByRole('button', { name: 'Try again' }).click()
    await state('ready')
  })

  it('has the rules of its content, else those of its entry in the list, and never both', async () => {
    const entry = {
      uri: 'ui://test/probe',
      _meta: { ui: { csp: { connectDomains: ['https://list.example'] } } },
    }
    const request = `{ request: async (method, { cursor }) =>
      cursor ? { resources: [${JSON.stringify(entry)}] } : { resources: [], nextCursor: 'next' } }`
    const listed = await shown(EAGER, `{ server: ${request} }`)
    await listed.state('ready')
    expect(await listed.run('it.resourceMeta')).toMatchObject({
      csp: { connectDomains: ['https://list.example'] },
    })
    const content = { _meta: { ui: { prefersBorder: false } } }
    const own = await shown(EAGER, `{ server: ${request}, content: ${JSON.stringify(content)} }`)
    await own.state('ready')
    expect(await own.run('it.resourceMeta')).toMatchObject({
      prefersBorder: false,
      csp: { connectDomains: [] },
    })
  })

  it('has links and a history within itself', async () => {
    const { app, state, log } = await shown(`${EAGER}<a href="#there">Go</a><p id="there">There`)
    await state('ready')
    const frame = await app()
    await frame.getByRole('link').click()
    await frame.evaluate(`history.pushState({}, '', '#then')`)
    expect(await frame.evaluate('location.hash')).toBe('#then')
    await page.waitForTimeout(300)
    expect((await log('state')).at(-1)).toMatchObject({ state: 'ready' })
  })

  it('without a script is ready at once', async () => {
    const { app, state } = await shown('<!doctype html><p>Only text')
    await state('ready')
    expect(await (await app()).locator('p').innerText()).toBe('Only text')
  })

  it('has its own messages only, among ten', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        shown(EAGER, JSON.stringify({ properties: { toolInput: { index } } })),
      ),
    )
    for (const [index, { app, state }] of all.entries()) {
      await state('ready')
      expect(await notificationsOf(await app(), 'tool-input')).toEqual([{ arguments: { index } }])
    }
  })
})

it('reads properties that were set before its script was loaded', async () => {
  const late = await browser.open(`${site().url}/late`)
  await late.waitForFunction(`early.state === 'connecting'`)
  expect(await late.evaluate('early.displayModes')).toEqual(['inline', 'pip'])
  await late.context().close()
})

describe('the queue', () => {
  it('holds the newest notification of each kind for an app that is not ready', async () => {
    const { app, run, state } = await shown(PROBE)
    const frame = await app()
    await state('connecting')
    const result = (n: number) => ({ content: [], structuredContent: { n } })
    for (const n of [1, 2]) await run(`void (it.toolResult = ${JSON.stringify(result(n))})`)
    await run(`Array.from({ length: 60 }, (_, n) => void (it.toolInputPartial = { n }))`)
    await run(`Array.from({ length: 60 }, () => it.notify('notifications/tools/list_changed'))`)
    await frame.waitForFunction('document.readyState === "complete"')
    expect(await frame.evaluate('got')).toEqual([])
    await frame.evaluate('void begin()')
    const sent = () =>
      frame.evaluate(`got.flatMap(({ method = '' }) => method.match(/tool.*/) ?? [])`)
    await expect.poll(sent).toEqual(['tool-input', 'tool-result', 'tools/list_changed'])
    expect(await notificationsOf(frame, 'tool-result')).toEqual([result(2)])
  })

  it('holds the newest part of an input', async () => {
    const { app, run, state } = await shown(PROBE)
    const frame = await app()
    await state('connecting')
    await run(`Array.from({ length: 60 }, (_, n) => void (it.toolInputPartial = { n }))`)
    await frame.waitForFunction('document.readyState === "complete"')
    await frame.evaluate('void begin()')
    await expect
      .poll(() => notificationsOf(frame, 'tool-input-partial'))
      .toEqual([{ arguments: { n: 59 } }])
  })

  it('sends an input before a result that was set first', async () => {
    const { app, run, state } = await shown(EAGER)
    await state('ready')
    await run(`void (it.toolResult = { content: [] })`)
    const frame = await app()
    await expect.poll(() => notificationsOf(frame, 'tool-result')).toHaveLength(1)
    expect(await notificationsOf(frame, 'tool-input')).toEqual([{ arguments: {} }])
    await run(`void (it.toolInput = { late: true })`)
    await run(`void (it.toolResult = { content: [], structuredContent: { second: true } })`)
    await expect.poll(() => notificationsOf(frame, 'tool-result')).toHaveLength(2)
    expect(await notificationsOf(frame, 'tool-input')).toHaveLength(1)
  })

  it('sends a cancellation with its reason', async () => {
    const { app, run } = await shown(EAGER)
    await run(`it.cancel('The person stopped it')`)
    const frame = await app()
    await expect
      .poll(() => notificationsOf(frame, 'tool-cancelled'))
      .toEqual([{ reason: 'The person stopped it' }])
  })
})

describe('a lost app', () => {
  it('fails after the time limit, and is ready when it starts late', async () => {
    const { app, state, log, host } = await shown(PROBE, `{ attributes: { 'init-timeout': 1000 } }`)
    await state('failed')
    expect(await log('error')).toMatchObject([{ code: 'APP_DOES_NOT_START' }])
    await (await app()).evaluate('void begin()')
    await state('ready')
    expect(await host.getByRole('status').count()).toBe(0)
  })

  it('has an hour at most, and not the end of a timer that is too long', async () => {
    const { state, log } = await shown(EAGER, `{ attributes: { 'init-timeout': 1e12 } }`)
    await state('ready')
    expect(await log('error')).toEqual([])
  })

  it('is reconnected when it reloads, with its input and its result', async () => {
    const properties = { toolInput: { n: 1 }, toolResult: { content: [] } }
    const options = JSON.stringify({ properties, attributes: { 'retry-delay': 50 } })
    const { app, state, log } = await shown(EAGER, options)
    await state('ready')
    await (await app()).evaluate('location.reload()')
    await expect
      .poll(async () => (await log('state')).map((entry) => entry['state']))
      .toEqual(['loading', 'connecting', 'ready', 'connecting', 'ready'])
    const frame = await app()
    await expect.poll(() => notificationsOf(frame, 'tool-result').catch(() => [])).toHaveLength(1)
    expect(await notificationsOf(frame, 'tool-input')).toEqual([{ arguments: { n: 1 } }])
  })

  it.each([
    ['reloads', 'location.reload()'],
    ['sends too much', `for (let n = 0; n < 2_000; n++) tell('x')`],
  ])('is not shown again if it %s while the next one is about to start', async (_what, act) => {
    const onTeardown = `addEventListener('message', ({ data }) => {
      if (data.method !== 'ui/resource-teardown') return
      ${act}
    })`
    const first = `${PROBE}<script>deaf = true; ${onTeardown}; begin()</script>`
    const { app, state, run, log } = await shown(first, `{ attributes: { 'retry-delay': 1 } }`)
    await state('ready')
    await app()
    await run(`void (it.html = ${JSON.stringify(EAGER.replace('Grüße', 'Second'))})`)
    await expect
      .poll(async () => (await log('state')).map((entry) => entry['state']))
      .toEqual(['loading', 'connecting', 'ready', 'loading', 'connecting', 'ready'])
    expect(await (await app()).evaluate('document.body.innerText')).toBe('Second')
    expect(await log('error')).toEqual([])
  })

  it('ends when it reports its teardown in the older form', async () => {
    const { app, state, log } = await shown(EAGER)
    await state('ready')
    await (await app()).evaluate(`tell('ui/notifications/teardown')`)
    await state('closed')
    expect(await log('log')).toContainEqual({
      type: 'log',
      level: 'warning',
      logger: 'mcp-view',
      data: 'ui/notifications/teardown is read as the end of the app',
    })
  })

  it('fails after too many reloads', async () => {
    const restless = `${EAGER}<script>setTimeout(() => location.reload(), 20)</script>`
    const { state, log } = await shown(restless, `{ attributes: { 'retry-delay': 1 } }`)
    await state('failed')
    expect((await log('error')).at(-1)).toMatchObject({ code: 'APP_DOES_NOT_STAY' })
  })

  it('starts again when its element moves', async () => {
    const { app, state, run } = await shown(EAGER, `{ properties: { toolInput: { n: 2 } } }`)
    await state('ready')
    await run('void document.body.append(it)')
    await state('ready')
    const frame = await app()
    await expect
      .poll(() => notificationsOf(frame, 'tool-input').catch(() => []))
      .toEqual([{ arguments: { n: 2 } }])
  })
})

describe('a request of an app', () => {
  it('for a tool call has no grants of its own, and emits an event', async () => {
    const { app, state, log } = await shown(EAGER)
    await state('ready')
    const _meta = {
      granted_scopes: ['write'],
      allowed_scopes: 'write',
      'io.modelcontextprotocol/clientCapabilities': {},
      preview: true,
    }
    const call = { name: 'probe', arguments: { a: 1 }, _meta }
    const reply = await (await app()).evaluate(`ask('tools/call', ${JSON.stringify(call)})`)
    expect(reply).toMatchObject({
      result: {
        structuredContent: { name: 'probe', arguments: { a: 1 }, _meta: { preview: true } },
      },
    })
    expect(await log('call')).toEqual([
      {
        type: 'call',
        name: 'probe',
        arguments: { a: 1 },
        _meta: { preview: true },
        outcome: 'done',
        of: 'server',
      },
    ])
  })

  it('ends at its time limit, and at its cancellation', async () => {
    const callTool = `(params, { signal }) => new Promise((_, reject) =>
      signal.addEventListener('abort', () => { (window.aborted ??= []).push(params.name); reject(signal.reason) }))`
    const { app, state, log } = await shown(
      EAGER,
      `{ attributes: { 'call-timeout': 300 }, server: { callTool: ${callTool} } }`,
    )
    await state('ready')
    const frame = await app()
    expect(await frame.evaluate(`ask('tools/call', { name: 'slow' })`)).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('timed out') },
    })
    await frame.evaluate(`void ask('tools/call', { name: 'stopped' }),
      tell('notifications/cancelled', { requestId: last })`)
    await expect.poll(() => page.evaluate('aborted')).toEqual(['slow', 'stopped'])
    expect((await log('call')).map(({ outcome }) => outcome)).toEqual(['failed', 'cancelled'])
  })

  it('for a height is limited by the page', async () => {
    const { app, state, run, log } = await shown(EAGER, `{ attributes: { 'max-height': 300 } }`)
    await state('ready')
    const frame = await app()
    const height = () => run(`it.shadowRoot.querySelector('iframe').offsetHeight`)
    await frame.evaluate(`tell('ui/notifications/size-changed', { width: 10, height: 222.5 })`)
    await expect.poll(height).toBe(223)
    await frame.evaluate(`tell('ui/notifications/size-changed', { height: 5000 })`)
    await expect.poll(height).toBe(300)
    for (const wrong of ['-1', 'Infinity', 'NaN', '"9"', 'null'])
      await frame.evaluate(`tell('ui/notifications/size-changed', { height: ${wrong} })`)
    await frame.evaluate(`ask('ping')`)
    expect(await height()).toBe(300)
    expect((await log('size'))[0]).toEqual({ type: 'size', width: 10, height: 222.5 })
    await run(`it.setAttribute('height', 150)`)
    await expect.poll(height).toBe(150)
    await expect
      .poll(() => notificationsOf(frame, 'host-context-changed'))
      .toContainEqual({
        containerDimensions: { width: expect.any(Number), height: 150 },
      })
  })

  it('for a download needs a click of the user', async () => {
    const { app, state, host } = await shown(EAGER)
    await state('ready')
    const frame = await app()
    const contents = [
      { type: 'resource', resource: { uri: 'file:///a/r%C3%A9sum%C3%A9.txt', text: 'Olé' } },
    ]
    const ask = () =>
      frame.evaluate(
        `void (window.asked = ask('ui/download-file', ${JSON.stringify({ contents })}))`,
      )
    const dialog = host.getByRole('alertdialog')
    await ask()
    await expect.poll(() => dialog.innerText()).toContain('résumé.txt')
    await dialog
      .getByRole('button', { name: 'Save' })
      .evaluate((button) => Reflect.apply(Reflect.get(button, 'click'), button, []))
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await frame.evaluate('asked')).toMatchObject({ result: { isError: true } })
    await ask()
    const saved = page.waitForEvent('download')
    await dialog.waitFor()
    await accept(dialog)
    const file = await saved
    expect(file.suggestedFilename()).toBe('résumé.txt')
    expect(await frame.evaluate('asked')).toMatchObject({ result: {} })
  })
})

/** Presses the button of a download until the dialog takes the press. */
const accept = (dialog: Locator) =>
  expect
    .poll(async () => {
      const save = dialog.getByRole('button', { name: 'Save' })
      await save.click({ timeout: 1_000 }).catch(() => undefined)
      return dialog.isVisible()
    })
    .toBe(false)

describe('a question of the element', () => {
  const contents = [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'x' } }]
  const ask = `ask('ui/download-file', ${JSON.stringify({ contents })})`

  it('takes no click right after the window has got the focus', async () => {
    const { app, state, host, run } = await shown(EAGER)
    await state('ready')
    const dialog = host.getByRole('alertdialog')
    for (let attempt = 1; ; attempt++) {
      await run('document.hasFocus = () => false')
      const saved = (await app()).evaluate(ask)
      await dialog.waitFor()
      await page.waitForTimeout(700) // It takes no click in the first half of a second.
      const save = dialog.getByRole('button', { name: 'Save' })
      await save.click()
      expect(await dialog.isVisible()).toBe(true)
      const came = Date.now()
      await run('delete document.hasFocus')
      await save.click()
      // On a busy machine the click may come when the dialog takes one.
      const isEarly = Date.now() - came < 500
      if (isEarly) {
        expect(await dialog.isVisible()).toBe(true)
        await accept(dialog)
      }
      expect(await saved).toMatchObject({ result: {} })
      if (isEarly || attempt === 10) return
    }
  })

  it('is not asked any more after three refusals in a row, until a reload', async () => {
    const { app, state, host, run } = await shown(EAGER)
    await state('ready')
    const dialog = host.getByRole('alertdialog')
    for (let count = 0; count < 3; count++) {
      const answer = (await app()).evaluate(ask)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await answer).toMatchObject({ result: { isError: true } })
    }
    expect(await (await app()).evaluate(ask)).toMatchObject({ result: { isError: true } })
    await run('it.reload()')
    await state('ready')
    void (await app()).evaluate(ask).catch(() => {})
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('names an app without characters that are hidden or reorder text', async () => {
    const title = 'Bank\u202Efdp.exe\u200B'
    const hidden = PROBE.replace("name: 'Probe'", `name: ${JSON.stringify(title)}`)
    const { app, state, host } = await shown(`${hidden}<script>begin()</script>`)
    await state('ready')
    expect(await host.locator('header b').innerText()).toBe('Bank_fdp.exe_')
    void (await app()).evaluate(ask).catch(() => {})
    const dialog = host.getByRole('alertdialog')
    expect(await dialog.locator('p').first().innerText()).toBe('Bank_fdp.exe_ asks: Save a.txt?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('display modes', () => {
  const modes = `{ properties: { displayModes: ['inline', 'fullscreen', 'pip'] } }`

  it('fill the window without loading the app again, until Escape', async () => {
    const { app, state, host, run } = await shown(EAGER, modes)
    await state('ready')
    const frame = await app()
    await frame.evaluate('window.kept = true')
    await page.locator('#elsewhere').focus()
    const answer = frame.evaluate(`ask('ui/request-display-mode', { mode: 'fullscreen' })`)
    expect(await answer).toMatchObject({ result: { mode: 'fullscreen' } })
    expect(await host.getByRole('dialog').isVisible()).toBe(true)
    const box = await host.locator('iframe').boundingBox()
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    expect(box?.width).toBeGreaterThan(width - 40)
    expect(box?.height).toBeGreaterThan(height - 90)
    await expect
      .poll(() => notificationsOf(frame, 'host-context-changed'))
      .toContainEqual({
        displayMode: 'fullscreen',
        containerDimensions: { width: box?.width, height: box?.height },
      })
    await page.keyboard.press('Escape')
    await expect.poll(() => run('it.displayMode')).toBe('inline')
    expect(await frame.evaluate('kept')).toBe(true)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('elsewhere')
  })

  it('can be left by a button that the app cannot cover', async () => {
    const { app, state, host, run } = await shown(EAGER, modes)
    await state('ready')
    await host.getByRole('button', { name: 'Full screen' }).click()
    await expect.poll(() => run('it.displayMode')).toBe('fullscreen')
    await host.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => run('it.displayMode')).toBe('inline')
    expect(
      await (await app()).evaluate(`ask('ui/request-display-mode', { mode: 'pip' })`),
    ).toMatchObject({
      result: { mode: 'pip' },
    })
    const box = await host.locator('iframe').boundingBox()
    const bottom = (page.viewportSize()?.height ?? 0) - 40
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(bottom)
    await host.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => run('it.displayMode')).toBe('inline')
  })

  it('are known by the older name of pip', async () => {
    const begins = `begin({ availableDisplayModes: ['inline', 'picture-in-picture'] })`
    const { app, state, log, host } = await shown(EAGER.replace('begin()', begins), modes)
    await state('ready')
    const frame = await app()
    const ask = `ask('ui/request-display-mode', { mode: 'picture-in-picture' })`
    expect(await frame.evaluate(ask)).toMatchObject({ result: { mode: 'pip' } })
    expect(await log('log')).toContainEqual({
      type: 'log',
      level: 'warning',
      logger: 'mcp-view',
      data: 'picture-in-picture is read as pip',
    })
    await host.getByRole('button', { name: 'Back' }).click()
  })

  it('are refused by the page, or if the app has not declared them', async () => {
    const refusing = await shown(EAGER, `{ answers: { 'display-mode': false } }`)
    await refusing.state('ready')
    const ask = `ask('ui/request-display-mode', { mode: 'fullscreen' })`
    expect(await (await refusing.app()).evaluate(ask)).toMatchObject({ result: { mode: 'inline' } })
    const { app, state, run, host } = await shown(
      `${PROBE}<script>begin({ availableDisplayModes: ['inline'] })</script>`,
    )
    await state('ready')
    expect(await (await app()).evaluate(ask)).toMatchObject({ result: { mode: 'inline' } })
    expect(await run(`it.requestDisplayMode('fullscreen')`)).toBe('inline')
    expect(await host.getByRole('button', { name: 'Full screen' }).count()).toBe(0)
  })
})

/** Opens a modal dialog of the page, in a shadow tree, whose button covers the whole window. */
const OPEN_DIALOG = (mode: ShadowRootMode) => `{
  const host = document.body.appendChild(document.createElement('div'))
  const root = host.attachShadow({ mode: '${mode}' })
  root.innerHTML = '<dialog style="position:fixed;inset:0;margin:0;padding:0;border:0;max-width:none;max-height:none;width:100%;height:100%"><button style="width:100%;height:100%">Allow'
  const dialog = root.firstChild
  window.closeDialog = () => (dialog.close(), host.remove())
  window.isAbove = () => {
    const [x, y] = [innerWidth - 60, innerHeight - 60]
    return document.elementFromPoint(x, y) === host && root.elementFromPoint(x, y).textContent === 'Allow'
  }
  dialog.showModal()
}`

describe('a dialog of the page', () => {
  const properties = `properties: { displayModes: ['inline', 'fullscreen', 'pip'] }`
  const ask = (mode: string) => `ask('ui/request-display-mode', { mode: '${mode}' })`

  it.each(['open', 'closed'] as const)('in an %s shadow tree stays above apps', async (root) => {
    const { app, state, run } = await shown(EAGER, `{ ${properties} }`)
    await state('ready')
    const frame = await app()
    await page.evaluate(OPEN_DIALOG(root))
    for (const mode of ['pip', 'fullscreen']) {
      expect(await frame.evaluate(ask(mode))).toMatchObject({ result: { mode: 'inline' } })
      expect(await run('it.displayMode')).toBe('inline')
    }
    expect(await page.evaluate('isAbove()')).toBe(true)
    await page.evaluate('closeDialog()')
    expect(await frame.evaluate(ask('pip'))).toMatchObject({ result: { mode: 'pip' } })
    await page.evaluate(OPEN_DIALOG(root))
    expect(await page.evaluate('isAbove()')).toBe(true)
    expect(await frame.evaluate(ask('fullscreen'))).toMatchObject({ result: { mode: 'pip' } })
    expect(await page.evaluate('isAbove()')).toBe(true)
    await page.evaluate('closeDialog()')
    expect(await frame.evaluate(ask('inline'))).toMatchObject({ result: { mode: 'inline' } })
  })

  it('stays above apps if it opens while the page decides on their mode', async () => {
    const { app, state, run } = await shown(
      EAGER,
      `{ ${properties}, answers: { 'display-mode': new Promise((resolve) => (window.decide = resolve)) } }`,
    )
    await state('ready')
    const answer = (await app()).evaluate(ask('pip'))
    await page.waitForFunction('window.decide')
    await page.evaluate(OPEN_DIALOG('open'))
    await page.evaluate('decide(true)')
    expect(await answer).toMatchObject({ result: { mode: 'inline' } })
    expect(await run('it.displayMode')).toBe('inline')
    await page.evaluate('closeDialog()')
  })

  it('does not keep the app that it shows from changing its mode', async () => {
    const { app, state, id } = await shown(EAGER, `{ ${properties} }`)
    await page.evaluate(`{
      const dialog = document.body.appendChild(document.createElement('dialog'))
      window.closeDialog = () => dialog.remove()
      dialog.append(view('${id}'))
      dialog.showModal()
    }`)
    await state('ready')
    expect(await (await app()).evaluate(ask('pip'))).toMatchObject({ result: { mode: 'pip' } })
    await page.evaluate('closeDialog()')
  })
})

describe('the page around', () => {
  it('is sent with its theme, its variables and its language, then only changes', async () => {
    const { app, state, run } = await shown(PROBE)
    await run(`it.style.setProperty('--color-text-primary', 'light-dark(#111, #eee)')`)
    await run(`it.style.colorScheme = 'dark'`)
    await run(
      `(it.hostContext = { styles: { variables: { '--font-sans': 'Ours' } }, locale: 'de-AT', extra: 1 }) && 0`,
    )
    await state('connecting')
    const frame = await app()
    await frame.waitForFunction('typeof begin === "function"')
    const { hostContext } = (await frame.evaluate('begin()')) as {
      hostContext: Record<string, unknown>
    }
    expect(hostContext).toMatchObject({
      theme: 'dark',
      styles: {
        variables: { '--color-text-primary': 'light-dark(#111, #eee)', '--font-sans': 'Ours' },
      },
      locale: 'de-AT',
      extra: 1,
      platform: 'web',
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
      containerDimensions: { width: expect.any(Number), maxHeight: expect.any(Number) },
      toolInfo: { tool: { name: 'probe', inputSchema: { type: 'object' } } },
    })
    await state('ready')
    await run(`it.style.colorScheme = 'light'`)
    await expect
      .poll(() => notificationsOf(frame, 'host-context-changed'))
      .toEqual([{ theme: 'light' }])
    await run(`(it.hostContext = { ...it.hostContext }) && 0`)
    await run(`it.setAttribute('class', 'same')`)
    await frame.evaluate(`ask('ping')`)
    expect(await notificationsOf(frame, 'host-context-changed')).toHaveLength(1)
  })

  it('shows the app, its server and the origins that it may reach', async () => {
    const csp = {
      connectDomains: ['https://api.example'],
      resourceDomains: ['https://cdn.example'],
    }
    const content = { _meta: { ui: { csp } } }
    const { host, state } = await shown(
      EAGER,
      JSON.stringify({ content, attributes: { 'server-name': 'A <b>server</b>' } }),
    )
    await state('ready')
    const header = host.locator('header')
    expect(await header.innerText()).toContain('Probe')
    expect(await header.innerText()).toContain('A <b>server</b>')
    expect(await header.innerText()).toContain('https://api.example https://cdn.example')
    expect(await host.locator('iframe').getAttribute('title')).toBe('Probe')
  })

  it('lists and calls an app’s own tools, within limits', async () => {
    const { app, state, run, log } = await shown(
      `${PROBE}<script>begin({ tools: { listChanged: true } })</script>`,
      `{ server: { tools: () => [{ name: 'probe' }, { name: 'theirs' }] } }`,
    )
    await state('ready')
    const frame = await app()
    await frame.evaluate(`void Object.assign(answers, {
      'tools/list': { tools: [{ name: 'theirs' }, { name: 'no name' }, { name: 'own' }, { name: 'own' },
        ...Array.from({ length: 60 }, (_, n) => ({ name: 't' + n }))] },
      'tools/call': { content: [], structuredContent: { n: 1 } } })`)
    const { tools } = (await run(`it.callApp('tools/list')`)) as { tools: { name: string }[] }
    expect(tools).toHaveLength(50)
    expect(tools.slice(0, 2)).toEqual([{ name: 'own' }, { name: 't0' }])
    expect(await run(`it.callApp('tools/call', { name: 'own' })`)).toMatchObject({
      structuredContent: { n: 1 },
    })
    expect(await log('call')).toMatchObject([{ name: 'own', of: 'app', outcome: 'done' }])
    await frame.evaluate(`for (let n = 0; n < 5; n++) tell('notifications/tools/list_changed')`)
    await expect.poll(() => log('app-tools')).toHaveLength(1)
    await run('it.close()')
    await expect(run(`it.callApp('tools/call', { name: 'own' })`)).rejects.toThrow('not ready')
  })
})

describe('the sandbox', () => {
  it('is refused if it has the origin of the page', async () => {
    const { state, log } = await shown(EAGER, `{ attributes: { sandbox: '/fake' } }`)
    await state('failed')
    expect(await log('error')).toMatchObject([{ code: 'SANDBOX_NOT_APART' }])
  })

  it('keeps an app without an origin, also one that declares a domain', async () => {
    const content = JSON.stringify({ _meta: { ui: { domain: 'mine.example' } } })
    const { app, state } = await shown(EAGER, `{ content: ${content} }`)
    await state('ready')
    expect(await (await app()).evaluate('origin')).toBe('null')
  })

  it('gives an app an origin only if the page has named one for it', async () => {
    const own = `${listing.url.replace('localhost', 'probe.localhost')}/sandbox`
    const attributes = JSON.stringify({ 'own-sandbox': own })
    const content = JSON.stringify({ _meta: { ui: { domain: 'mine.example' } } })
    const { app, state } = await shown(EAGER, `{ attributes: ${attributes}, content: ${content} }`)
    await state('ready')
    expect(await (await app()).evaluate('origin')).toBe(new URL(own).origin)
    const plain = await shown(EAGER, `{ attributes: ${attributes} }`)
    await plain.state('ready')
    expect(await (await plain.app()).evaluate('origin')).toBe('null')
  })

  it('never gives an app the origin of a server, whatever its host requests', async () => {
    const answer = await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.src = '${product.url}/sandbox'
      addEventListener('message', ({ source, data }) => {
        if (source !== frame.contentWindow) return
        if (data.method !== 'ui/notifications/sandbox-proxy-ready') return resolve(data.origin)
        const html = '<script>parent.postMessage({ origin }, "*")<\\/script>'
        const params = { html, sandbox: 'allow-scripts allow-same-origin allow-top-navigation allow-popups' }
        const method = 'ui/notifications/sandbox-resource-ready'
        frame.contentWindow.postMessage({ jsonrpc: '2.0', method, params }, '*')
      })
      document.body.append(frame)
    })`)
    expect(answer).toBe('null')
  })
})

it('closes an app within its time limit, even one that hangs', async () => {
  // On a page of its own: frames of one site may share a process, which then hangs for all of them.
  const closeHung = async () => {
    const alone = await browser.open(site().url)
    await alone.evaluate(`void show('hung', ${JSON.stringify(EAGER)})`)
    await alone.waitForFunction(`view('hung').state === 'ready'`)
    await (await appOf(alone, 'hung')).evaluate('void setTimeout(() => { for (;;); })')
    const started = Date.now()
    await alone.evaluate(`view('hung').close()`)
    const took = Date.now() - started
    expect(await alone.evaluate(`view('hung').state`)).toBe('closed')
    expect(await alone.locator('#hung iframe').count()).toBe(0)
    await alone.context().close()
    return took
  }
  let took = await closeHung()
  // Other programs now and then stop the browser for as long.
  for (let tries = 1; tries < 3 && took >= 1800; tries++) took = await closeHung()
  expect(took).toBeLessThan(1800)
})

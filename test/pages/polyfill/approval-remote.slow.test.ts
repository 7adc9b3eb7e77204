/**
 * Remote tools in a page: the product's own, those of a server of the legacy era, and a server of the
 * SDK whose tools change while the page is open.
 */

import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Page, Route } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../scripts/port.ts'
import { NODE, ROOT } from '../../support/e2e/run.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { isYoung, NATIVE, NOT_NATIVE } from '../../support/pages/chromium.ts'
import {
  answer,
  heightOf,
  press,
  question,
  STEADY_MS,
} from '../../support/pages/approval-dialog.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const browser = useBrowser(NATIVE)
const without = useBrowser(NOT_NATIVE)
const site = useApprovalSite({
  '/bare': pageWith('<p>Files</p>').replace(/<script src[^>]*><\/script>/, ''),
})

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const names = (page: Page) =>
  run(page, 'return (await document.modelContext.getTools()).map(({ name }) => name)')

/** A page that has connected to a server. */
async function connected(
  url: string,
  prefix = 'files.',
  from = browser,
  configuration?: object,
): Promise<Page> {
  const page = await from.open(`${site.origin}/bare`, { mayComplain: /WebMCP/ })
  await run(
    page,
    `globalThis.edgewise = await import('/webmcp.mjs')
     globalThis.connection = await edgewise.connect({
       url: '${url}', prefix: '${prefix}', configuration: ${JSON.stringify(configuration)} })`,
  )
  return page
}

describe('the product', () => {
  const server = useServer(() => ({ EDGEWISE_ORIGINS: site.origin }))
  beforeAll(async () => {
    const config = JSON.stringify({ roots: [{ path: '/docs', default: true }] })
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: config }
    expect((await fetch(`${server.url}/config`, init)).status).toBe(200)
    await fetch(`${server.url}/files/docs/plan.md`, { method: 'PUT', body: 'one\ntwo\nthree\n' })
  })
  const stored = async (path: string) => {
    const found = await fetch(`${server.url}/files${path}`)
    return found.ok ? found.text() : null
  }

  it('registers its tools with their hints, without those for apps', async () => {
    const page = await connected(`${server.url}/mcp`)
    const listed = await run(
      page,
      `const tools = await document.modelContext.getTools()
       const edit = tools.find(({ name }) => name === 'files.edit_file')
       return [tools.map(({ name }) => name), edit.annotations, edit.inputSchema.required]`,
    )
    expect(listed).toMatchObject([
      expect.arrayContaining(['files.read_file', 'files.edit_file', 'files.delete_file']),
      { humanInTheLoopHint: 'review', intentTemplate: 'Edit {path}', readOnlyHint: false },
      ['path', 'edits'],
    ])
    expect(await names(page)).not.toContain('files.list_folder')
    expect(await run(page, `return call('files.read_file', { path: 'plan.md' })`)).toContain('two')
    await page.context().close()
  })

  it('has no tool whose results the page vouches for', async () => {
    const page = await connected(`${server.url}/mcp`)
    const trusted = await run(
      page,
      `const tools = await document.modelContext.getTools()
       return [tools.length > 0, tools.filter(({ annotations }) => !annotations.untrustedContentHint)]`,
    )
    expect(trusted).toEqual([true, []])
    await page.context().close()
  })

  it('shows its own preview, and applies exactly that', async () => {
    const page = await connected(`${server.url}/mcp`)
    const edit = (find: string, replace: string) =>
      `call('files.edit_file', { path: 'plan.md', edits: [{ find: '${find}', replace: '${replace}' }] })`
    await run(page, `void ${edit('two', 'zwei')}`)
    const asked = await question(page)
    expect(asked.text).toContain('− two')
    expect(asked.text).toContain('+ zwei')
    expect(asked.marks).toEqual(['plan.md'])
    expect(await stored('/docs/plan.md')).toBe('one\ntwo\nthree\n')
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await stored('/docs/plan.md')).toBe('one\nzwei\nthree\n')
    const text = String(await run(page, 'return outcome'))
    expect(text).toContain('Edited plan.md')
    expect(text).not.toContain('ui://')

    // The file was changed since the preview.
    await run(page, `void ${edit('zwei', 'deux')}`)
    await question(page)
    await fetch(`${server.url}/files/docs/plan.md`, { method: 'PUT', body: 'zwei\n' })
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return outcome')).toContain('"isError":true')
    expect(await stored('/docs/plan.md')).toBe('zwei\n')

    // A call that cannot work fails at once, without a dialog.
    expect(await run(page, `return ${edit('nowhere', 'x')}`)).toContain('"isError":true')
    await page.context().close()
  })

  it.skipIf(!isYoung)(
    'shows lines and no frame where the browser would end its call with the frame',
    async () => {
      const page = await connected(`${server.url}/mcp`)
      await page.addScriptTag({ url: `${server.url}/mcp-view.js` })
      await fetch(`${server.url}/files/docs/lines.md`, { method: 'PUT', body: 'alt\n' })
      await run(
        page,
        `void call('files.edit_file', { path: 'lines.md', edits: [{ find: 'alt', replace: 'neu' }] })`,
      )
      expect((await question(page)).text).toContain('+ neu')
      await page.waitForTimeout(1_000)
      expect(page.frames()).toHaveLength(1)
      await page.context().close()
    },
  )

  it('shows the server’s own page where the page has <mcp-view>', async () => {
    const page = await connected(`${server.url}/mcp`, 'files.', without)
    await page.addScriptTag({ url: `${server.url}/mcp-view.js` })
    await fetch(`${server.url}/files/docs/view.md`, { method: 'PUT', body: 'alt\n' })
    await run(
      page,
      `void call('files.edit_file', { path: 'view.md', edits: [{ find: 'alt', replace: 'neu' }] })`,
    )
    await question(page)
    const inner = () =>
      page.frames().map((frame) =>
        frame
          .locator('h1')
          .textContent({ timeout: 500 })
          .catch(() => null),
      )
    await expect
      .poll(async () => (await Promise.all(inner())).join())
      .toContain('Edit /docs/view.md')
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/view.png` })
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await stored('/docs/view.md')).toBe('neu\n')
    await page.context().close()
  })

  const editing = async (page: Page, file: string, sandbox: (route: Route) => unknown) => {
    await page.route('**/sandbox*', sandbox)
    await page.addScriptTag({ url: `${server.url}/mcp-view.js` })
    await fetch(`${server.url}/files/docs/${file}`, { method: 'PUT', body: 'alt\n' })
    await run(
      page,
      `void call('files.edit_file', { path: '${file}', edits: [{ find: 'alt', replace: 'neu' }] })`,
    )
    return question(page)
  }

  it('waits with an approval until its page is drawn, without an empty band', async () => {
    const page = await connected(`${server.url}/mcp`, 'files.', without)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { text } = await editing(page, 'late.md', async (route) => {
      await held
      await route.continue()
    })
    expect(text).toContain('The preview is loading')
    expect(await heightOf(page, 'SLOT')).toBeLessThan(4)
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/waiting.png` })
    await page.waitForTimeout(STEADY_MS)
    await press(page, 'Allow once')
    await page.waitForTimeout(500)
    expect(await stored('/docs/late.md')).toBe('alt\n')
    release()
    await expect.poll(() => heightOf(page, 'SLOT')).toBeGreaterThan(100)
    expect((await question(page)).text).not.toContain('The preview is loading')
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/drawn.png` })
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await stored('/docs/late.md')).toBe('neu\n')
    await page.context().close()
  })

  it('shows lines in place of a page that does not load', async () => {
    const page = await connected(`${server.url}/mcp`, 'files.', without)
    await editing(page, 'never.md', (route) => route.abort())
    await expect.poll(async () => (await question(page)).text).toContain('+ neu')
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await stored('/docs/never.md')).toBe('neu\n')
    await page.context().close()
  })

  it('asks again when the tools are those of another server', async () => {
    const page = await connected(`${server.url}/mcp`)
    const write = (content: string) =>
      `call('files.write_file', { path: 'kept.md', content: '${content}' })`
    await run(page, `void ${write('one')}`)
    await answer(page, 'Allow on this visit')
    await page.waitForFunction(`outcome !== 'waiting'`)
    await run(page, `await ${write('two')}`)
    expect(await stored('/docs/kept.md')).toBe('two')

    // The same tools at another address.
    await run(
      page,
      `connection.close()
       await edgewise.connect({ url: '${server.url}/mcp?other', prefix: 'files.' })
       void ${write('three')}`,
    )
    await question(page)
    expect(await stored('/docs/kept.md')).toBe('two')
    await page.context().close()
  })

  it('refuses a call that the user denies', async () => {
    const page = await connected(`${server.url}/mcp`)
    await fetch(`${server.url}/files/docs/keep.md`, { method: 'PUT', body: 'keep' })
    await run(page, `void call('files.delete_file', { path: 'keep.md' })`)
    await answer(page, 'Deny')
    await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
    expect(await stored('/docs/keep.md')).toBe('keep')
    await page.context().close()
  })

  it('asks for access that it needs, for that call', async () => {
    const configuration = { roots: [{ path: '/docs/drafts' }] }
    const page = await connected(`${server.url}/mcp`, 'files.', browser, configuration)
    const write = `call('files.write_file', { path: '/docs/new.md', content: 'new' })`
    await run(page, `void ${write}`)
    const { text, buttons } = await question(page)
    expect(text).toContain('Give Write a file (files.write_file) more access?')
    expect(text).toContain('write:file:/docs')
    expect(buttons).toEqual(['Deny', 'Allow once'])
    await answer(page, 'Allow once')
    await expect
      .poll(async () => (await question(page)).text)
      .toContain('Allow Write a file (files.write_file)?')
    expect(await stored('/docs/new.md')).toBeNull()
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await stored('/docs/new.md')).toBe('new')

    await run(page, `void ${write}`)
    await answer(page, 'Deny')
    await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
    await page.context().close()
  })

  it('registers no tools in a page that the operator has not listed', async () => {
    const foreign = await browser.open(`${site.other}/bare`, { mayComplain: /WebMCP|CORS|403/ })
    const refused = run(
      foreign,
      `const { connect } = await import('/webmcp.mjs')
       return connect({ url: '${server.url}/mcp' }).then(() => 'connected')`,
    )
    await expect(refused).rejects.toThrow()
    await foreign.context().close()
  })

  it('is registered by the script, and unregistered when it is closed', async () => {
    const page = await browser.open(`${site.origin}/bare`)
    await run(
      page,
      `const script = document.createElement('script')
       Object.assign(script.dataset, { mcp: '${server.url}/mcp', prefix: 'files.' })
       script.src = '/webmcp.js'
       document.head.append(script)`,
    )
    await expect.poll(() => names(page).catch(() => [])).toContain('files.read_file')
    await page.context().close()

    const other = await connected(`${server.url}/mcp`)
    expect(await run(other, 'connection.close(); return connection.tools')).toEqual([])
    expect(await names(other)).toEqual([])
    await other.context().close()
  })
})

describe('a server of the legacy era', () => {
  let child: ChildProcess | undefined
  let url = ''
  beforeAll(async () => {
    const port = await freePort()
    const script = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
    child = spawn(NODE, [script, 'streamableHttp'], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port) },
    })
    url = `http://localhost:${port}/mcp`
    await vi.waitUntil(() => isThere(url), { timeout: 60_000, interval: 100 })
  })
  afterAll(async () => {
    child?.kill()
    if (child?.exitCode === null) await once(child, 'exit')
  })

  it('is used with a handshake and a session', async () => {
    const page = await connected(url, '')
    expect(await names(page)).toContain('echo')
    expect(await run(page, `return call('echo', { message: 'hello' })`)).toContain('Echo: hello')
    await run(page, 'connection.close()')
    await page.context().close()
  })

  it('is notified when the call is aborted', async () => {
    const page = await connected(url, '')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.postData() ?? ''))
    await run(
      page,
      `globalThis.controller = new AbortController()
       void call('trigger-long-running-operation', { duration: 30, steps: 30 }, { signal: controller.signal })`,
    )
    await expect.poll(() => sent.join()).toContain('trigger-long-running-operation')
    await run(page, 'controller.abort()')
    await page.waitForFunction(`outcome.startsWith('AbortError')`)
    await expect.poll(() => sent.join()).toContain('notifications/cancelled')
    await page.context().close()
  })
})

const isThere = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

const SCHEMA: Parameters<typeof fromJsonSchema>[0] = JSON.parse(
  '{"type":"object","properties":{"place":{"type":"string","x-mcp-header":"Place"}}}',
)

describe('a server whose tools change', () => {
  const tools = new Map<string, string>([['first', 'The first']])
  const seen: string[] = []
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'changing', version: '1' })
    for (const [name, description] of tools)
      server.registerTool(
        name,
        {
          description,
          annotations: { readOnlyHint: true },
          inputSchema: fromJsonSchema(SCHEMA),
        },
        () => ({ content: [{ type: 'text', text: name }] }),
      )
    return server
  })
  let server: Server | undefined
  let url = ''
  beforeAll(async () => {
    server = createServer((request, response) => void serve(request, response)).listen(0)
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('A server has a port')
    url = `http://localhost:${address.port}/mcp`
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const place = request.headers['mcp-param-place']
    if (typeof place === 'string') seen.push(place)
    const headers = Object.entries(request.headers).map(([key, value]): [string, string] => [
      key,
      String(value),
    ])
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const init = { method: request.method ?? 'POST', headers, signal: gone.signal }
    const answered = await handler.fetch(
      new Request(url, { ...init, ...(body !== '' && { body }) }),
    )
    response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...cors })
    for await (const chunk of answered.body ?? []) response.write(chunk)
    response.end()
  }

  it('is followed', async () => {
    const page = await connected(url, 'x.')
    expect(await names(page)).toEqual(['x.first'])
    tools.set('second', 'The second')
    handler.notify.toolsChanged()
    await expect.poll(() => names(page)).toEqual(['x.first', 'x.second'])
    tools.delete('first')
    tools.set('second', 'Another second')
    handler.notify.toolsChanged()
    await expect.poll(() => names(page)).toEqual(['x.second'])
    expect(await run(page, 'return (await document.modelContext.getTools())[0].description')).toBe(
      'Another second',
    )
    await page.context().close()
  })

  it('gets the headers that its schema asks for', async () => {
    const page = await connected(url, 'x.')
    expect(await run(page, `return call('x.second', { place: 'Zürich' })`)).toContain('second')
    expect(seen).toEqual(['=?base64?WsO8cmljaA==?='])
    await page.context().close()
  })

  it('is reconnected after its stream broke', async () => {
    const page = await connected(url, 'x.')
    tools.set('third', 'The third')
    server?.closeAllConnections()
    await expect.poll(() => names(page)).toContain('x.third')
    await page.context().close()
  })
})

describe('a server that cannot be used', () => {
  it.each([
    ['no server', 'http://localhost:9/mcp'],
    ['no server of this kind', '/webmcp.mjs'],
  ])('is an error: %s', async (_, url) => {
    const page = await browser.open(`${site.origin}/bare`)
    const outcome = await run(
      page,
      `const { connect } = await import('/webmcp.mjs')
       return connect({ url: '${url}' }).then(() => 'connected', (error) => error instanceof Error)`,
    )
    expect(outcome).toBe(true)
    await page.context().close()
  })
})

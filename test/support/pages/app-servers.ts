/**
 * Servers for tests of views: apps as one HTML text, a page that embeds them, and a trap, which is an
 * origin that records every request.
 *
 * @module
 */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server as TcpServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Frame, Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import type { Entry, ToolSpec, ViewSpec } from './apps/embed.ts'
import { bundleText } from './bundle.ts'

const APPS = join(import.meta.dirname, 'apps')

/** A script with all that it imports. */
export const bundled = (entry: string) => bundleText(entry, { absWorkingDir: APPS, minify: true })

const source = (name: string) => readFileSync(join(APPS, name), 'utf8')

/** A page in a single text, as a resource has to be. */
export async function pageOf(script: string, html = BARE, style = ''): Promise<string> {
  const code = (await bundled(script)).replaceAll('</script', '<\\/script')
  return html
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script type="module">${code}</script>`)
}

const BARE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title>
<body><!-- script --></body></html>`

/** The page that judges its host. */
export async function conformancePage(config: object): Promise<string> {
  const html = await pageOf(
    'conformance/main.ts',
    source('conformance.html'),
    source('conformance/style.css'),
  )
  return html.replace('<!-- config -->', () => JSON.stringify(config))
}

/** The tools that the judging page expects of its server. */
export const CONFORMANCE_TOOLS: readonly ToolSpec[] = [
  { name: 'run_conformance', _meta: { ui: { resourceUri: 'ui://conformance/runner' } } },
  { name: 'conformance_probe', _meta: { ui: { visibility: ['app'] } } },
  { name: 'conformance_report', _meta: { ui: { visibility: ['app'] } } },
  { name: 'model_only_probe', _meta: { ui: { visibility: ['model'] } } },
  { name: 'conformance_failing', behaviour: 'fails' },
]

export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** A page on an origin of its own that shows `<mcp-view>` as the product serves it. */
export async function startEmbedder(product: string): Promise<Site> {
  const script = `${product}/mcp-view.js`
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/': ['text/html', source('embed.html').replace('{{script}}', script)],
    '/embed.css': ['text/css', source('embed.css')],
    '/embed.js': ['text/javascript', await bundled('embed.ts')],
  }
  return startSite(({ url = '' }, response) => {
    const file = files[new URL(url, 'http://page').pathname]
    const [type, body] = file ?? ['text/plain', '']
    response.writeHead(file ? 200 : 404, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policyOf(product),
    })
    response.end(body)
  })
}

/** As strict as a page can be that shows views: they need neither inline styles nor eval in it. */
function policyOf(product: string): string {
  const sandbox = product.replace('localhost', '127.0.0.1')
  return [
    "default-src 'none'",
    `script-src 'self' ${product}`,
    "style-src 'self'",
    `frame-src ${sandbox}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** An origin of its own, answering as the listener does. */
export async function startSite(listener: RequestListener, port = 0): Promise<Site> {
  const server = createServer(listener).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://localhost:${portOf(server)}`, close: () => closed(server) }
}

async function closed(server: TcpServer): Promise<void> {
  if ('closeAllConnections' in server) Reflect.apply(Object(server.closeAllConnections), server, [])
  server.close()
  await once(server, 'close')
}

function portOf(server: TcpServer): number {
  return (server.address() as AddressInfo).port
}

/** An origin that serves one resource of each kind and records every request. */
export interface Trap extends Site {
  readonly port: number
  /** Requests, as `GET /path`, then `connection` for a bare TCP connection and `datagram` for UDP. */
  readonly visits: string[]
}

export async function startTrap(): Promise<Trap> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    const [type, body] = contentFor(new URL(request.url ?? '/', 'http://trap').pathname)
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' })
    response.end(body)
  }).listen(0, '127.0.0.1')
  server.on('connection', () => visits.push('connection'))
  server.on('upgrade', ({ url }, socket) => {
    visits.push(`UPGRADE ${url}`)
    socket.destroy()
  })
  await once(server, 'listening')
  const port = portOf(server)
  const udp = createSocket('udp4').bind(port, '127.0.0.1')
  udp.on('message', () => visits.push('datagram'))
  const close = async () => {
    udp.close()
    await closed(server)
  }
  return { url: `http://localhost:${port}`, port, visits, close }
}

function contentFor(path: string): readonly [string, string | Buffer] {
  if (path.endsWith('.json')) return ['application/json', '{"reached":true}']
  if (path.endsWith('.svg')) return ['image/svg+xml', SVG]
  if (path.endsWith('.js')) return ['text/javascript', 'globalThis.reached = true']
  if (path.endsWith('.css')) return ['text/css', 'body { --reached: 1 }']
  if (path.endsWith('.wav')) return ['audio/wav', silence()]
  if (path.endsWith('.ttf')) return ['font/ttf', Buffer.alloc(0)]
  return ['text/html', '<!doctype html><title>Reached</title>Reached']
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** A hundredth of a second of silence, 8 kHz, 8 bit. */
function silence(): Buffer {
  const samples = 80
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}

/** Something that is started before the tests of a file and closed after them. */
export function use<T extends { close(): Promise<void> }>(start: () => Promise<T>): () => T {
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started?.close())
  return () => {
    if (started === undefined) throw new Error('It runs in tests and hooks only')
    return started
  }
}

/** A page on an origin of its own with the official host in it. */
export async function startOfficialHost(): Promise<Site> {
  const script = (await bundled('official-host.ts')).replaceAll('</script', '<\\/script')
  const page = `<!doctype html><meta charset="utf-8"><title>Official host</title>
<body><script type="module">${script}</script></body>`
  return startSite(({ url }, response) => {
    response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    response.end(url === '/' ? page : '')
  })
}

/** Mounts a view in the embedding page, where it can be seen: browsers let hidden frames wait. */
export function mount(page: Page, spec: ViewSpec): Promise<void> {
  return page.evaluate(async (given) => {
    await lab.mount(given)
    lab.view(given.name).scrollIntoView()
  }, spec)
}

/** The sandbox frame of a view: the page between host and app. */
export async function proxyOf(page: Page, name: string): Promise<Frame> {
  return found(async () => {
    for (const frame of page.mainFrame().childFrames())
      if ((await ownerOf(frame)) === name) return frame
    return undefined
  })
}

/** The frame in which the app of a view runs. */
export async function appOf(page: Page, name: string): Promise<Frame> {
  const proxy = await proxyOf(page, name)
  const app = await found(async () => proxy.childFrames()[0])
  await app.waitForLoadState()
  return app
}

/** The id of the element whose shadow root contains a frame. */
async function ownerOf(frame: Frame): Promise<string | undefined> {
  const element = await frame.frameElement()
  return element.evaluate((node) => {
    const root = node.getRootNode()
    return root instanceof ShadowRoot ? root.host.id : node.parentElement?.id
  })
}

const PATIENCE_MS = 30_000

async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const value = await look().catch(() => undefined)
    if (value !== undefined) return value
    await setTimeout(20)
  }
  throw new Error('It did not come')
}

/** Waits until a view is in a state. */
export function untilState(page: Page, name: string, state: string): Promise<unknown> {
  return page.waitForFunction((given) => lab.view(given.name).state === given.state, {
    name,
    state,
  })
}

export const entriesOf = (page: Page, name: string, type?: string): Promise<Entry[]> =>
  page.evaluate((given) => lab.entries(given.name, given.type), { name, ...(type && { type }) })

/** An unprotected page with the hostile app in it, to show what it could do there. */
export async function startOpenPage(): Promise<Site> {
  const page = await pageOf('attack.ts')
  return startSite((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page)
  })
}

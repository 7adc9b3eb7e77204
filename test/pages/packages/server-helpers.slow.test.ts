/**
 * `@edgewise/mcp-view/server`: its functions, and the server of its documentation in three hosts: our console, and both
 * generations of the official `AppBridge`.
 */

import { build } from 'esbuild'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FrameLocator } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as Helpers from '../../../packages/mcp-view/server.ts'
import { buildForServers } from '../../../scripts/packages.ts'
import { inProject } from '../../../scripts/settings.ts'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { startHosts } from '../../support/pages/app-stages.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { inApp } from '../../support/pages/console-actions.ts'

const folder = temporaryFolder()
let helpers: typeof Helpers
let rates = { url: '', close: () => {} }

beforeAll(async () => {
  await buildForServers('server', folder)
  helpers = await import(join(folder, 'server.mjs'))
  rates = await startExample()
})
afterAll(() => {
  rates.close()
  removeFolder(folder)
})

/** Runs the server of the example, with the headers that a browser needs from another origin. */
async function startExample() {
  const outfile = join(folder, 'example.mjs')
  const alias = { '@edgewise/mcp-view/server': join(folder, 'server.mjs') }
  const entryPoints = [inProject('packages/mcp-view/examples/server.ts')]
  await build({ entryPoints, outfile, alias, bundle: true, format: 'esm', platform: 'node' })
  const { default: handler }: { default: { fetch: (request: Request) => Promise<Response> } } =
    await import(outfile)
  const server = createServer(async (incoming, outgoing) => {
    for (const [name, value] of Object.entries(CORS)) outgoing.setHeader(name, value)
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204).end()
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = 'GET', headers } = incoming
    const body = method === 'POST' ? Buffer.concat(chunks) : null
    const given = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      [value].flat().join(', '),
    ])
    const answer = await handler.fetch(new Request(rates.url, { method, headers: given, body }))
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) for await (const chunk of answer.body) outgoing.write(chunk)
    outgoing.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${address.port}/mcp`, close }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version',
}

describe('the server of the documentation', () => {
  const product = useServer()
  const hosts = use(startHosts)
  const browser = useBrowser()

  const seesRates = async (app: FrameLocator) => {
    await app.getByRole('heading', { name: 'Exchange rates' }).waitFor()
    await app.getByText('171.2').waitFor()
  }

  it('shows its table in the console', async () => {
    const page = await browser.open(`${product.url}/#/connect`)
    await page.getByLabel('Address').fill(rates.url)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('region', { name: /rates/i }).waitFor()
    await page.evaluate(() => (location.hash = '#/tools/list_rates'))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await seesRates(inApp(page))
    await page.context().close()
  })

  it.each(['v2', 'v1'])('shows its table in the official host, %s', async (generation) => {
    const query = new URLSearchParams({ mcp: rates.url, tool: 'list_rates', only: '' })
    const page = await browser.open(`${hosts().url}/${generation}?${query}`)
    await seesRates(page.frameLocator('iframe'))
    await page.context().close()
  })
})

const APPS = 'io.modelcontextprotocol/ui'

it.each([
  [{ extensions: { [APPS]: { mimeTypes: ['text/html;profile=mcp-app'] } } }, true],
  [{ extensions: { [APPS]: { mimeTypes: ['text/html'] } } }, false],
  [{ extensions: { [APPS]: {} } }, false],
  [{}, false],
  [null, false],
])('a client with %j shows apps: %s', (capabilities, expected) => {
  expect(helpers.showsApps(capabilities)).toBe(expected)
})

it('makes a policy of domains, and refuses what is no origin', () => {
  expect(helpers.cspFor({ connect: ['api.example'], resources: ['https://cdn.example'] })).toEqual({
    connectDomains: ['https://api.example', 'wss://api.example'],
    resourceDomains: ['https://cdn.example'],
    frameDomains: [],
    baseUriDomains: [],
  })
  expect(() => helpers.cspFor({ frames: ["'self'"] })).toThrow(
    new TypeError('Not an origin: "\'self\'"'),
  )
  const many = Array.from({ length: 51 }, (_, at) => `https://h${at}.example`)
  expect(() => helpers.cspFor({ frames: many })).toThrow('at most 50 domains')
})

it('makes a resource with what its page asks for', () => {
  const { listed, content } = helpers.uiResource({
    uri: 'ui://a/b',
    name: 'b',
    html: '<p>',
    permissions: ['camera'],
    prefersBorder: false,
    domain: 'b.example',
  })
  const ui = { permissions: { camera: {} }, prefersBorder: false, domain: 'b.example' }
  expect(listed).toMatchObject({ uri: 'ui://a/b', mimeType: helpers.APP_MIME, _meta: { ui } })
  expect(content).toMatchObject({ text: '<p>', mimeType: helpers.APP_MIME, _meta: { ui } })
  expect(() => helpers.uiResource({ uri: 'https://a', name: 'b', html: '' })).toThrow(
    new TypeError('Not a ui:// address: https://a'),
  )
})

it('names each setting of a template that is invalid', () => {
  expect(() =>
    helpers.templatePage({ template: 'form', name: 'f', config: { fields: [{ type: 'x' }] } }),
  ).toThrow(/^\/config\/fields\/0\/name: .*; \/config\/fields\/0\/type: /)
})

it.each([
  ['a', 'a'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
  [undefined, ''],
])('writes %j as text', (value, text) => {
  expect(helpers.textFallback(value)).toEqual([{ type: 'text', text }])
})

it('cuts a long text, and says so', () => {
  const [{ text }] = helpers.textFallback('a'.repeat(40_010))
  expect(text.endsWith('a\n[10 more characters]')).toBe(true)
})

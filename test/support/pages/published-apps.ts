/**
 * The app servers that ext-apps publishes on npm: each is started from its package and shown in the console, and what
 * happens between the console, the server and the app is recorded.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { isRecord, recordOf } from '#core/json.ts'
import { freePort } from '../../../scripts/port.ts'
import { NODE, ROOT } from '../e2e/run.ts'
import type { Site } from './app-servers.ts'
import type { PageOptions } from './browser.ts'
import { toolLink } from './console-actions.ts'
import { untilAnswering } from './reference-server.ts'

const FOLDER = join(ROOT, 'test/pages/published-apps/node_modules/@modelcontextprotocol')

/** Nothing listens there, so that no server reaches beyond this machine. */
const NOWHERE = 'http://127.0.0.1:9'

const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  NO_PROXY: 'localhost,127.0.0.1',
}

/** The same for a browser. */
export const WITHOUT_INTERNET = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

/** Starts the server of a package, whose name is given without `server-`. */
export async function startPublished(name: string, args: readonly string[]): Promise<Site> {
  const port = await freePort()
  const script = join(FOLDER, `server-${name}/dist/index.js`)
  const env = { ...ENVIRONMENT, PORT: String(port) }
  const child = spawn(NODE, [script, ...args], { env, stdio: 'ignore' })
  const gone = once(child, 'exit')
  const url = `http://localhost:${port}/mcp`
  await untilAnswering(url)
  const close = async () => {
    child.kill('SIGKILL')
    await gone
  }
  return { url, close }
}

const MARK = 'published-app '

/** Reports the messages for an app, through the log of the browser, which works in every frame. */
const SPY = `if (parent !== top) addEventListener('message', ({ data }) => {
  if (typeof data?.method === 'string')
    console.debug(${JSON.stringify(MARK)} + JSON.stringify([data.method, data.params?.theme ?? '']))
})`

/** A page of the console with a server of others, and what was recorded. */
export interface Shown {
  readonly page: Page
  /** The messages that the app has received, each with the theme that it names. */
  readonly received: readonly string[]
  /** The requests to the server: a method with the name or address that it has. */
  readonly requests: readonly string[]
}

/** A tool with its arguments, of a server of others. */
export interface Tool {
  readonly server: string
  readonly tool: string
  /** Without them the form stays untouched, which sends the defaults of its schema. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
}

type Open = (url: string, options?: PageOptions) => Promise<Page>

/** Opens the page of a tool, in light colours, as that of a server that the user has chosen before. */
export async function showTool(open: Open, own: string, given: Tool): Promise<Shown> {
  const { server, tool, args } = given
  const [received, requests]: [string[], string[]] = [[], []]
  const recent = JSON.stringify([{ url: server, title: tool, era: 'auto', signIn: false }])
  const init = `${SPY}
    if (parent === window) try {
      localStorage.setItem('edgewise.console.recent', ${JSON.stringify(recent)})
    } catch {}`
  // What an app of others throws is its own matter.
  const page = await open('about:blank', { init, colorScheme: 'light', mayComplain: /./ })
  page.on('console', (message) => {
    const text = message.text()
    if (text.startsWith(MARK)) received.push(readReport(text.slice(MARK.length)))
  })
  page.on('request', (request) => {
    if (request.url() === server) requests.push(...readRequest(request.postData()))
  })
  const at = new URLSearchParams({ at: server }).toString()
  await page.goto(`${own}/?${at}${args ? toolLink(tool, args) : `#/tools/${tool}`}`)
  return { page, received, requests }
}

function readReport(text: string): string {
  const report: unknown = JSON.parse(text)
  return Array.isArray(report) ? report.join(' ').trim() : ''
}

function readRequest(body: string | null): string[] {
  const message: unknown = JSON.parse(body ?? 'null')
  if (!isRecord(message) || typeof message['method'] !== 'string') return []
  const { name = '', uri = name } = recordOf(message['params'])
  return [`${message['method']} ${String(uri)}`.trim()]
}

/** Runs the tool of the page. It has no hints, so the console asks before. */
export async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.getByRole('button', { name: 'Run the tool' }).click()
}

/** Allows a call of an app, if the console asks about one now. */
export async function allow(page: Page): Promise<void> {
  const button = page.getByRole('alertdialog').getByRole('button', { name: /^Allow/ })
  if (await button.isVisible()) await button.click()
}

/** Counts the colours of an app, without the title that the console gives it. A blank one has a few. */
export async function countColours(page: Page): Promise<number> {
  const picture = await page.locator('mcp-view iframe').screenshot()
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
    const { width, height } = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context?.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0)
    const pixels = context?.getImageData(0, 0, width, height).data.buffer
    return pixels ? new Set(new Uint32Array(pixels)).size : 0
  }, picture.toString('base64'))
}

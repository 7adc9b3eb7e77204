/**
 * The file browser inside a foreign host: a page with the official `AppBridge`, on an origin of its
 * own, that carries every request to a running product.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { once } from 'node:events'
import type { Frame, Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { ask } from '../e2e/raw-http.ts'
import type { Server } from '../e2e/server.ts'
import type { PageOptions, useBrowser } from './browser.ts'
import { bundleText } from './bundle.ts'

const HOST = `<!doctype html><html lang="en"><title>Host</title><meta charset="utf-8">
<style>body{margin:0}iframe{display:block;width:100%;height:560px;border:0}</style>
<main><iframe title="Files" sandbox="allow-scripts"></iframe></main>
<script type="module" src="/host.js"></script></html>`

/** What hosts put round a view that declares no domains. */
const CSP =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'"

export interface HostOptions {
  readonly capabilities?: object
  readonly context?: object
  /** A result that the view is shown for. */
  readonly result?: object
  /** The host hands on no `_meta`. */
  readonly dropsMeta?: boolean
  /** Where the product's MCP is. */
  readonly mcp?: string
}

export interface Shown {
  readonly page: Page
  readonly view: Frame
}

/** What a change did, from the result of the call that made it. */
export interface Answer {
  readonly isError?: boolean
  readonly structuredContent: Record<string, unknown>
  readonly _meta?: { readonly 'dev.edgewise/change'?: { readonly id: string } }
}

/** Calls a tool past the view, as an agent would. */
export async function callTool(
  server: Server,
  name: string,
  args: Record<string, unknown>,
): Promise<Answer> {
  const about = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
  }
  const answer = await ask(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta: about },
    }),
  })
  const { result }: { result: Answer } = JSON.parse(await answer.text())
  return result
}

/** A page of another origin that shows the view and carries its requests to the product. */
export function useHostPage(): { readonly origin: string } {
  let http: HttpServer | undefined
  let origin = ''
  beforeAll(async () => {
    const script = await hostScript()
    http = createServer((request, response) => {
      const [type, body, headers] =
        request.url === '/host.js'
          ? ['text/javascript', script, {}]
          : request.url === '/view'
            ? ['text/html', view(), { 'content-security-policy': CSP }]
            : ['text/html', HOST, {}]
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
    }).listen(0, '127.0.0.1')
    await once(http, 'listening')
    const address = http.address()
    if (address !== null && typeof address !== 'string') origin = `http://localhost:${address.port}`
  })
  afterAll(() => void http?.close())
  return {
    get origin() {
      return origin
    },
  }
}

/** Shows the view in a host page, whose origin the server has to allow. */
export function useFilesView(
  server: Server,
  browser: ReturnType<typeof useBrowser>,
  host: { readonly origin: string },
) {
  async function show(options: HostOptions = {}, page: PageOptions = {}): Promise<Shown> {
    const facts = { mcp: `${server.url}/mcp`, ...options }
    const opened = await browser.open(
      `${host.origin}/#${encodeURIComponent(JSON.stringify(facts))}`,
      page,
    )
    const frame = await frameOf(opened)
    return { page: opened, view: frame }
  }
  return { show }
}

async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe[src="/view"]')
  const frame = await element.contentFrame()
  if (!frame) throw new Error('The host page has no frame')
  return frame
}

/** As it was built when the product started. */
const view = () => readFileSync(new URL('../../../dist/assets/views/files.html', import.meta.url))

const hostScript = () =>
  bundleText(new URL('files-view-host.js', import.meta.url).pathname, { minify: true })

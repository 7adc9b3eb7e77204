/** Pages with hosts of others in them, in a real browser, on an origin that carries MCP to the product. @module */

import { build } from 'esbuild'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { chromium, type Browser, type Page } from 'playwright'
import { findBrowser } from '../../scripts/browser.ts'

/** The sandbox between a host and a view, on another origin than the host. */
const SANDBOX = `<!doctype html><meta charset="utf-8"><title>Sandbox</title>
<style>body{margin:0}iframe{border:0;width:100%;height:100vh}</style><body><script>
const inner = document.createElement('iframe')
inner.sandbox = 'allow-scripts'
document.body.append(inner)
addEventListener('message', ({ data, source }) => {
  if (source === inner.contentWindow) return parent.postMessage(data, '*')
  if (data?.method === 'ui/notifications/sandbox-resource-ready') inner.srcdoc = data.params.html
  else inner.contentWindow.postMessage(data, '*')
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

const HOST = `<!doctype html><meta charset="utf-8"><title>Host</title><body><div id="root"></div>
<script type="module" src="/host.js"></script>`

export interface Site {
  readonly origin: string
  close(): void
}

/** Serves pages by their paths; everything else goes to the product. */
export async function startSite(
  product: string,
  pages: Readonly<Record<string, string>>,
): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const page = pages[pathname]
    if (page === undefined) return carry(product, request, response)
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8'
    response.writeHead(200, { 'content-type': type }).end(page)
  })
  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://localhost:${port}`, close }
}

/** As a host's own server would: without the page's origin and cookies. */
function carry(product: string, request: IncomingMessage, response: ServerResponse): void {
  const { origin: _, referer: __, host: ___, ...headers } = request.headers
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('sec-'))
  const { method, url } = request
  const onward = send(new URL(url ?? '/', product), { method, headers: Object.fromEntries(kept) })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

export async function bundlePage(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** A host out of `pages/`, with the sandbox at `/sandbox`. */
export const hostPages = async (entry: string) => ({
  '/': HOST,
  '/sandbox': SANDBOX,
  '/host.js': await bundlePage(entry),
})

export async function launch(args: readonly string[] = []): Promise<Browser> {
  const { executable, env } = await findBrowser()
  return chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-background-networking', ...args],
  })
}

/** Text of all frames of a page, the innermost included. */
export async function textOf(page: Page): Promise<string> {
  const texts = page
    .frames()
    .map((frame) => frame.evaluate('document.body.innerText').catch(() => ''))
  return (await Promise.all(texts)).join('\n')
}

/**
 * A site with a folder's files on `localhost`, and the packaged sandbox page on `127.0.0.1`, which is another origin.
 *
 * @module
 */

import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A running site. */
export interface PackageSite {
  readonly origin: string
  readonly sandbox: string
  readonly close: () => Promise<void>
}

interface SandboxModule {
  readonly serveSandbox: (
    request: Request,
    options: { readonly embedders: readonly string[] },
  ) => Response
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
}

/** Serves a folder in which the packages are installed. `edit` may change the text of its pages. */
export async function servePackageSite(
  folder: string,
  edit: (page: string) => string = (page) => page,
): Promise<PackageSite> {
  const path = join(folder, 'node_modules/@edgewise/mcp-view/sandbox.mjs')
  const { serveSandbox }: SandboxModule = await import(pathToFileURL(path).href)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (url.hostname === '127.0.0.1')
      void forward(serveSandbox(asRequest(request, url), { embedders: [origin()] }), response)
    else serveFile(join(folder, url.pathname), response, edit)
  })
  const origin = () => {
    const address = server.address()
    return `http://localhost:${typeof address === 'object' ? address?.port : address}`
  }
  server.listen(0)
  await once(server, 'listening')
  return {
    origin: origin(),
    sandbox: `${origin().replace('localhost', '127.0.0.1')}/sandbox`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** The method and the one header that the page looks at. */
function asRequest({ method = 'GET', headers }: IncomingMessage, url: URL): Request {
  const site = headers['sec-fetch-site']
  return new Request(url, {
    method,
    headers: typeof site === 'string' ? { 'sec-fetch-site': site } : {},
  })
}

async function forward(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

function serveFile(file: string, response: ServerResponse, edit: (page: string) => string): void {
  if (!existsSync(file)) return void response.writeHead(404).end()
  const type = TYPES[extname(file)] ?? 'text/plain'
  const text = readFileSync(file, 'utf8')
  response.writeHead(200, { 'content-type': type })
  response.end(extname(file) === '.html' ? edit(text) : text)
}

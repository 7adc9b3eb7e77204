/**
 * A site of static files for the rows that measure pages: the built assets, and pages that serve as baselines.
 *
 * Workerd reaches it as the `ASSETS` of the product, so both come from the same process.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A running site. */
export interface Site {
  readonly port: number
  /** Returns the URL of a path. */
  url(path: string): string
  stop(): void
}

/** Serves a folder, and pages by their paths; every path without an extension is the page `/index.html`. */
export async function startSite(
  folder: string,
  pages: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const read = async (path: string) => {
    const page = pages[path]
    if (page !== undefined) return { type: TYPES['.html'], body: page }
    const file = extname(path) === '' ? '/index.html' : path
    return { type: TYPES[extname(file)], body: await readFile(join(folder, file)) }
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    read(pathname).then(
      ({ type = 'application/octet-stream', body }) =>
        response.writeHead(200, { 'content-type': type }).end(body),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return { port, url: (path) => `http://localhost:${port}${path}`, stop: () => void server.close() }
}

/**
 * A site for tests of the polyfill: pages with and without it, on two origins of this machine.
 *
 * `http://localhost` and `http://127.0.0.1` are different origins of the same server, and both are
 * secure contexts. The scripts are bundled from the sources, as the product bundles them.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { bundleScript } from '../../../scripts/artefacts.ts'

export interface Site {
  /** The site's own origin, and the other one. */
  readonly origin: string
  readonly other: string
}

/** What a test serves besides the scripts: HTML by path, some of it with headers. */
export type Pages = Readonly<
  Record<string, string | { readonly html: string; readonly headers: Record<string, string> }>
>

const SCRIPTS: Readonly<Record<string, string>> = {
  '/core.js': 'polyfill/webmcp-core.ts',
  '/forms.js': 'test/support/polyfill/cases/apply-forms.ts',
  '/guest.js': 'test/support/polyfill/cases/hostile-frame.ts',
  '/cases.js': 'test/support/polyfill/cases/index.ts',
}

export const FORMS = '<script src="/forms.js"></script>'
export const POLYFILL = '<script src="/core.js"></script>'

export function useSite(pages: Pages, scripts = SCRIPTS): Site {
  let server: Server | undefined
  let port = 0
  beforeAll(async () => {
    const bundles = new Map<string, string>()
    for (const [path, entry] of Object.entries(scripts))
      bundles.set(path, await bundleScript(entry, 'iife'))
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const script = bundles.get(path)
      const page = pages[path] ?? '<!doctype html><title>Blank</title>'
      const { html, headers = {} } = typeof page === 'string' ? { html: page } : page
      const type = `text/${script === undefined ? 'html' : 'javascript'};charset=utf-8`
      response.writeHead(200, { ...headers, 'content-type': type })
      response.end(script ?? html)
    }).listen(0)
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('A server has a port')
    port = address.port
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return {
    get origin() {
      return `http://localhost:${port}`
    },
    get other() {
      return `http://127.0.0.1:${port}`
    },
  }
}

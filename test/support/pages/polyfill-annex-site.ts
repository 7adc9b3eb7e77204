/**
 * A site for tests of the annex: the scripts as they are built, pages, and a kit for pages.
 *
 * `http://localhost` and `http://127.0.0.1` are different origins of the same server. The kit makes
 * tools that note when they ran, and calls them the way an agent in the page does.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { bundleScript } from '../../../scripts/artefacts.ts'

const SCRIPTS = [
  ['/webmcp.js', 'polyfill/webmcp.ts', 'iife'],
  ['/webmcp-dialog.mjs', 'polyfill/annex/ui/index.ts', 'esm'],
  ['/webmcp-core.js', 'polyfill/webmcp-core.ts', 'iife'],
  ['/webmcp-frames.mjs', 'polyfill/annex/cross-origin-tools.ts', 'esm'],
  ['/webmcp-forms.mjs', 'polyfill/declarative.ts', 'esm'],
  ['/webmcp-remote.mjs', 'polyfill/remote/connect.ts', 'esm'],
  ['/webmcp.mjs', 'polyfill/index.ts', 'esm'],
] as const

/** In the page: `ran`, `tool(…)`, `call(…)`, and `outcome`, what became of the last call. */
const KIT = `
var ran = [], outcome = 'waiting'
async function tool(definition, options) {
  const execute = (input, { signal, preview }) => {
    ran.push(JSON.stringify(input))
    return { done: definition.name, input, preview }
  }
  await document.modelContext.registerTool({ description: 'A tool', execute, ...definition }, options)
}
async function call(name, input = {}, options = {}, fromOrigins = []) {
  const tools = await document.modelContext.getTools({ fromOrigins })
  const found = tools.find((one) => one.name === name)
  outcome = 'waiting'
  const execute = (given) => document.modelContext.executeTool(found, given, options)
  // Until Chromium 155 input was text.
  return outcome = await execute(input)
    .catch((error) => /^Failed to parse input/.test(error.message) ? execute(JSON.stringify(input)) : Promise.reject(error))
    .catch((error) => error.name + ': ' + error.message)
}
`

export interface Site {
  readonly origin: string
  /** The same pages from another origin. */
  readonly other: string
}

/** A page by its path: its body, or all of it and its headers. */
export type Pages = Readonly<
  Record<string, string | { html: string; headers?: Record<string, string> }>
>

/** A page that has the polyfill, and the kit. */
export const pageWith = (body: string, attributes = '') =>
  `<!doctype html><meta charset="utf-8"><title>Page</title>
<script src="/webmcp.js" ${attributes}></script><script>${KIT}</script><body>${body}`

export function useAnnexSite(pages: Pages): Site {
  let server: Server | undefined
  let port = 0
  beforeAll(async () => {
    const scripts = new Map<string, string>()
    for (const [path, entry, format] of SCRIPTS)
      scripts.set(path, await bundleScript(entry, format))
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const script = scripts.get(path)
      const page = pages[path] ?? pageWith('<p>A page</p>')
      const { html, headers = {} } = typeof page === 'string' ? { html: page } : page
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.setHeader('access-control-allow-origin', '*')
      const type = script !== undefined ? 'javascript' : path.endsWith('.css') ? 'css' : 'html'
      response.setHeader('content-type', `text/${type}`)
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

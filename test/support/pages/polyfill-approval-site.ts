/**
 * A site for tests of the approval layer: the scripts as they are built, pages, and a kit for pages.
 *
 * The kit makes tools that note when they ran, and calls them the way an agent in the page does.
 *
 * @module
 */

import { bundleScript } from '../../../scripts/artefacts.ts'
import { useTwoOrigins, type Pages, type Site } from './two-origins.ts'

const SCRIPTS = [
  ['/webmcp.js', 'polyfill/webmcp.ts', 'iife'],
  ['/webmcp-dialog.mjs', 'polyfill/approval/ui/index.ts', 'esm'],
  ['/webmcp-core.js', 'polyfill/webmcp-core.ts', 'iife'],
  ['/webmcp-frames.mjs', 'polyfill/approval/cross-origin-tools.ts', 'esm'],
  ['/webmcp-forms.mjs', 'polyfill/declarative.ts', 'esm'],
  ['/webmcp-remote.mjs', 'polyfill/remote/connect.ts', 'esm'],
  ['/webmcp-approvals.mjs', 'polyfill/approval/remembered/index.ts', 'esm'],
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

/** A page that has the polyfill, and the kit. */
export const pageWith = (body: string, attributes = '') =>
  `<!doctype html><meta charset="utf-8"><title>Page</title>
<script src="/webmcp.js" ${attributes}></script><script>${KIT}</script><body>${body}`

export function useApprovalSite(pages: Pages): Site {
  return useTwoOrigins(async () => {
    const scripts = new Map<string, string>()
    for (const [path, entry, format] of SCRIPTS)
      scripts.set(path, await bundleScript(entry, format))
    return (request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const script = scripts.get(path)
      const page = pages[path] ?? pageWith('<p>A page</p>')
      const { html, headers = {} } = typeof page === 'string' ? { html: page } : page
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.setHeader('access-control-allow-origin', '*')
      const type = script !== undefined ? 'javascript' : path.endsWith('.css') ? 'css' : 'html'
      response.setHeader('content-type', `text/${type}`)
      response.end(script ?? html)
    }
  })
}

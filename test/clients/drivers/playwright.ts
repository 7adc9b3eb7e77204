/**
 * Playwright's `page.webmcp`. It looks in a JavaScript world of its own, where the browser's WebMCP is and that of a
 * script is not: with the polyfill alone it finds no tool.
 *
 * @module
 */

import { examinePage, ourScript, type PageAgent, type Visit } from '../page-agents.ts'
import type { Examine } from '../session.ts'

const MAX_WAIT_MS = 10_000

async function open({ page }: Visit): Promise<PageAgent> {
  const list = async () => JSON.stringify((await page.webmcp.tools()).map(({ name }) => name))
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end && (await list()) === '[]';)
    await page.waitForTimeout(100)
  return {
    list,
    call: async (name, args) => JSON.stringify(await page.webmcp.callTool(name, { ...args })),
    close: async () => {},
  }
}

/** Playwright refuses before it looks unless the first argument is there; the second one outweighs it. */
const ENABLED = '--enable-features=WebMCP'
const DISABLED = '--disable-features=WebMCP'

export const examine: Examine = async (workspace, mode) => {
  const args = mode === 'native' ? [ENABLED] : [ENABLED, DISABLED]
  return examinePage(workspace, ourScript(workspace.url), open, { args })
}

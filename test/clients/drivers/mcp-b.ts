/** MCP-B's polyfill in the same page as ours, in both orders. @module */

import { readFileSync } from 'node:fs'
import { examinePage, ourScript, type PageAgent, type Visit } from '../page-agents.ts'
import type { Examine } from '../session.ts'
import { program } from '../stdio.ts'

const THEIRS = '<script src="/mcp-b.js"></script>'

/** An agent in the page. The polyfill that is first has the say: MCP-B's takes the input as JSON, ours as it is. */
const call = (name: string, input: unknown) => `(async () => {
  const tools = await document.modelContext.getTools()
  const tool = tools.find((one) => one.name === ${JSON.stringify(name)})
  return JSON.stringify(await document.modelContext.executeTool(tool, ${JSON.stringify(input)}))
})()`

async function open({ page }: Visit, mode: string): Promise<PageAgent> {
  const list = () =>
    page.evaluate<string>(
      'document.modelContext.getTools().then((tools) => JSON.stringify(tools.map(({ name }) => name)))',
    )
  while (!(await list()).includes('read_file')) await page.waitForTimeout(100)
  return {
    list,
    call: (name, args) =>
      page.evaluate<string>(call(name, mode === 'ours first' ? args : JSON.stringify(args))),
    close: async () => {},
  }
}

export const examine: Examine = (workspace, mode) => {
  const ours = ourScript(workspace.url)
  const script = readFileSync(program('@mcp-b/global/dist/index.iife.js'), 'utf8')
  const head = mode === 'ours first' ? ours + THEIRS : THEIRS + ours
  return examinePage(workspace, head, (visit) => open(visit, mode), {
    scripts: { '/mcp-b.js': script },
  })
}

/** Chrome's DevTools server with the tools of a page that has the polyfill. @module */

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { examinePage, ourScript, type PageAgent, type Visit } from '../page-agents.ts'
import { bothReadings } from '../model-input.ts'
import type { Examine } from '../session.ts'
import { program } from '../stdio.ts'

async function open({ devtools }: Visit): Promise<PageAgent> {
  const how = ['--browserUrl', devtools, '--categoryExperimentalThirdParty', '--no-usageStatistics']
  const file = program('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js')
  const client = new Client({ name: 'judge', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [file, ...how, '--no-page-id-routing'],
      stderr: 'ignore',
    }),
  )
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    const text = bothReadings(result).readings[0]?.text ?? ''
    if (result.isError) throw new Error(text)
    return text
  }
  await call('select_page', { pageId: 1 }).catch(() => '')
  return {
    list: () => call('list_3p_developer_tools', {}),
    call: (toolName, args) =>
      call('execute_3p_developer_tool', { toolName, params: JSON.stringify(args) }),
    close: () => client.close(),
  }
}

export const examine: Examine = (workspace) =>
  examinePage(workspace, ourScript(workspace.url), open)

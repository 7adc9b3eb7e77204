/**
 * Exposes polyfilled tools to developer tools, which find only native ones on their own.
 *
 * chrome-devtools-mcp dispatches `devtoolstooldiscovery` and expects a group of tools as the
 * response. The tools are called with `executeTool()` like by any caller of this page, so the user
 * is asked, and a refusal arrives as such.
 *
 * @module
 */

import { UNKNOWN_TOOL } from './model-context/execution.ts'
import type { Context } from './model-context/context.ts'
import { modelContextOf, type Tool } from './types.ts'
import type { Undo } from './undo.ts'

const EVENT = 'devtoolstooldiscovery'

/**
 * Creates the addition that answers discovery events.
 *
 * @param name The name of the group of tools.
 * @returns An addition for `apply()`.
 */
export function discovery(name = 'WebMCP'): (context: Context) => Undo {
  return (context) => {
    const controller = new AbortController()
    const respond = (event: Event) => answer(event, { name, tools: group(context) })
    window.addEventListener(EVENT, respond, controller)
    return () => controller.abort()
  }
}

function answer(event: Event, response: object): void {
  if ('respondWith' in event && typeof event.respondWith === 'function') event.respondWith(response)
}

/**
 * Lists the tools. A default schema is added, because one tool without a schema invalidates the
 * group.
 */
function group(context: Context): object[] {
  return [...context.tools.values()].map(({ listing }) => {
    const { name, description, inputSchema } = JSON.parse(listing) as Tool
    const execute = (input: object = {}) => call(name, input)
    return { name, description, inputSchema: inputSchema ?? ANY, execute }
  })
}

const ANY = { type: 'object', properties: {} }

async function call(name: string, input: object): Promise<unknown> {
  const context = modelContextOf(document)
  const tools = (await context?.getTools()) ?? []
  const tool = tools.find((one) => one.name === name && one.source === window)
  if (!context || !tool) throw new Error(UNKNOWN_TOOL)
  return context.executeTool(tool, input)
}

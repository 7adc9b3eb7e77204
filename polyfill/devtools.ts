/**
 * Exposes polyfilled tools to developer tools, which find only native ones on their own.
 *
 * chrome-devtools-mcp dispatches `devtoolstooldiscovery` and expects a group of tools as the
 * response. The tools are called with `executeTool()` like by any caller of this page, so the user
 * is asked, and a refusal arrives as such.
 *
 * @module
 */

import { isFunction } from './idl.ts'
import { UNKNOWN_TOOL } from './model-context/execution.ts'
import type { Context } from './model-context/context.ts'
import { modelContextOf, type Tool } from './types.ts'
import type { Undo } from './undo.ts'

const EVENT = 'devtoolstooldiscovery'

/** chrome-devtools-mcp writes it beside the name, and writes "undefined" without it. */
const DESCRIPTION = 'Tools of this page'

/**
 * Creates the addition that answers discovery events.
 *
 * @param name The name of the group of tools.
 * @returns An addition for `apply()`.
 */
export function discovery(name = 'WebMCP'): (context: Context) => Undo {
  return (context) => {
    const controller = new AbortController()
    const respond = (event: Event) => {
      if ('respondWith' in event && isFunction(event.respondWith))
        event.respondWith({ name, description: DESCRIPTION, tools: group(context) })
    }
    window.addEventListener(EVENT, respond, controller)
    return () => controller.abort()
  }
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

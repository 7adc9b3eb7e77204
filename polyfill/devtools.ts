/**
 * Polyfilled tools for developer tools, which see native ones only by themselves.
 *
 * chrome-devtools-mcp dispatches `devtoolstooldiscovery` and takes a group of tools for an answer.
 * They are called with `executeTool()`, as any caller of this page calls them, so the person is asked, and a
 * refusal arrives as one.
 *
 * @module
 */

import { UNKNOWN_TOOL } from './model-context/execution.ts'
import type { Context } from './model-context/context.ts'
import { modelContextOf, type RegisteredTool } from './types.ts'
import type { Undo } from './undo.ts'

const EVENT = 'devtoolstooldiscovery'

/** An addition for `apply()`. */
export function discovery(name = 'WebMCP'): (context: Context) => Undo {
  return (context) => {
    const over = new AbortController()
    const { signal } = over
    window.addEventListener(EVENT, (event) => answer(event, { name, tools: group(context) }), {
      signal,
    })
    return () => over.abort()
  }
}

function answer(event: Event, response: object): void {
  if ('respondWith' in event && typeof event.respondWith === 'function') event.respondWith(response)
}

/** A group with a tool that lacks a schema would be refused whole. */
function group(context: Context): object[] {
  return [...context.tools.values()].map(({ listing }) => {
    const { name, description, inputSchema = ANY } = JSON.parse(listing) as RegisteredTool
    const execute = (input: object = {}) => call(name, input)
    return { name, description, inputSchema, execute }
  })
}

const ANY = { type: 'object', properties: {} }

async function call(name: string, input: object): Promise<unknown> {
  const context = modelContextOf(document)
  const tools = (await context?.getTools()) ?? []
  const tool = tools.find((one) => one.name === name && one.window === window)
  if (!context || !tool) throw new Error(UNKNOWN_TOOL)
  return context.executeTool(tool, input)
}

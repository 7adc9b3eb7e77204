/**
 * Polyfilled tools for developer tools, which see native ones only by themselves.
 *
 * chrome-devtools-mcp dispatches `devtoolstooldiscovery` and takes a group of tools for an answer.
 * They are called as any caller of this page calls them, so whatever stands before a tool's
 * `execute` stands here, too.
 *
 * @module
 */

import { ownOrigin } from './model-context/origin.ts'
import { startTool } from './model-context/execution.ts'
import type { Context } from './model-context/context.ts'
import type { RegisteredTool } from './types.ts'
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
    const execute = (input: object = {}) => call(context, name, input)
    return { name, description, inputSchema, execute }
  })
}

const ANY = { type: 'object', properties: {} }

function call(context: Context, name: string, input: object): Promise<unknown> {
  const asked = { name, input: JSON.stringify(input), caller: ownOrigin() }
  return new Promise((resolve, reject) => {
    startTool(context, asked, (result, failed) => {
      if (failed) reject(new Error(failed))
      else resolve(result)
    })
  })
}

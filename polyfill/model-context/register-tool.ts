/**
 * `registerTool()` and unregistration.
 *
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool, with its step
 * numbers. The order of the checks decides which error a page sees;
 * `test/support/polyfill/cases/register.ts` has them all.
 *
 * @module
 */

import { exception } from '../exception.ts'
import { notifyFrames } from '../frames/requests.ts'
import { type Brand, checkDocument, type Context, type ToolDefinition } from './context.ts'
import { toListing, toModelContextTool, toRegisterOptions } from './dictionaries.ts'
import { OWN_ORIGIN, toTrustworthyOrigins } from './origin.ts'
import { queueTask } from './task.ts'

const TOOL_NAME = /^[\w.-]{1,128}$/

/**
 * Registers a tool, on behalf of the method of the interface.
 *
 * @param own Returns the context of `self`, or throws.
 * @returns Resolves when the tool is registered.
 */
export async function registerTool(
  own: Brand,
  self: unknown,
  source: unknown,
  options: unknown,
): Promise<undefined> {
  const context = own(self)
  const { execute, ...tool } = toModelContextTool(source)
  const { exposedTo: urls, signal } = toRegisterOptions(options)
  // 3 and 4.
  const allowed = checkDocument(context)
  if (allowed) await allowed
  // 8 and 9.
  checkName(context, tool.name)
  // 10.
  if (tool.description === '') throw invalidState('No tool description')
  // 11 and 12.
  const listing = toListing(tool, OWN_ORIGIN)
  // 13.
  signal?.throwIfAborted()
  // 14 and 15.
  const exposedTo = toTrustworthyOrigins(urls)
  // 18.
  const definition: ToolDefinition = {
    id: crypto.randomUUID(),
    name: tool.name,
    listing,
    exposedTo,
    execute: (input, signal, activated) => {
      try {
        return execute.call(undefined, input, { signal })
      } finally {
        activated()
      }
    },
  }
  await addTool(context, definition, signal)
}

/**
 * Steps 8 and 9, which apply to form tools as well.
 *
 * @throws `InvalidStateError` if the name is taken or invalid.
 */
export function checkName({ tools }: Context, name: string): void {
  if (tools.has(name)) throw invalidState(`"${name}" is taken`)
  if (!TOOL_NAME.test(name)) throw invalidState(`"${name}" is not a tool name`)
}

/** Steps 16, 17 and 19 to 21: adds the tool until the signal aborts, and notifies the documents. */
export function addTool(
  context: Context,
  tool: ToolDefinition,
  signal?: AbortSignal,
): Promise<undefined> {
  return new Promise((resolve, reject) => {
    // A listener, because scripts cannot add abort steps; earlier listeners still see the tool.
    signal?.addEventListener('abort', () => {
      // Scripts can dispatch the event without aborting.
      if (!signal.aborted) return
      removeTool(context, tool)
      reject(signal.reason)
    })
    context.tools.set(tool.name, tool)
    notifyFrames(tool)
    queueTask(() => resolve(undefined))
  })
}

/**
 * Unregisters a tool, and leaves another one that has its name since.
 * https://webmachinelearning.github.io/webmcp/#model-context-unregister-a-tool
 */
export function removeTool({ tools }: Context, tool: ToolDefinition): void {
  if (tools.get(tool.name) !== tool) return
  tools.delete(tool.name)
  notifyFrames(tool)
}

const invalidState = (message: string) => exception('InvalidStateError', message)

/**
 * Creates the interface objects as Web IDL defines them.
 *
 * Members are enumerable, writable and configurable like native ones, so that scripts that wrap
 * native members can wrap these.
 * https://webmachinelearning.github.io/webmcp/#model-context-container
 *
 * @module
 */

import { throwIllegal } from '../exception.ts'
import type { Brand, Context } from './context.ts'
import { createEventHandler, tag, toolEventClass } from './events.ts'
import { executeTool } from './execute-tool.ts'
import { getTools } from './get-tools.ts'
import { allowedToUse } from './policy.ts'
import { registerTool } from './register-tool.ts'
import { createToolInterface } from './tool.ts'
import { isObject } from '../idl.ts'
import { define } from '../undo.ts'

/** Creates the four interface objects, and the function that returns the context of a document. */
export function createInterfaces(results: Context['results']) {
  const contexts = new WeakMap<object, Context>()
  const own: Brand = (self) => {
    const context = contexts.get(self as object)
    return context && context.target === self ? context : throwIllegal('invocation')
  }
  // A class that is named by a property key keeps its name when the code is minified.
  const { ModelContext } = {
    ModelContext: class extends EventTarget {
      constructor() {
        super()
        throwIllegal('constructor')
      }
    },
  }
  define(ModelContext.prototype, methods(own))
  for (const type of ['toolchange', 'toolactivated', 'toolcancel'])
    define(ModelContext.prototype, handler(type, own))
  tag(ModelContext, 'ModelContext')
  const { Tool, ...tools } = createToolInterface()
  const ToolActivatedEvent = toolEventClass('ToolActivatedEvent')
  const ToolCancelEvent = toolEventClass('ToolCancelEvent')

  function create(document: Document): Context {
    // Creates an event target of that class without running its constructor, which throws.
    const target: EventTarget = Reflect.construct(EventTarget, [], ModelContext)
    const context: Context = {
      document,
      target,
      allows: allowedToUse,
      events: { toolactivated: ToolActivatedEvent, toolcancel: ToolCancelEvent },
      results,
      ...tools,
      handlers: {},
      tools: new Map(),
      running: new Set(),
      calling: new Set(),
    }
    contexts.set(document, context)
    contexts.set(target, context)
    return context
  }
  const contextOf = (document: Document) => contexts.get(document) ?? create(document)
  return { contextOf, interfaces: { ModelContext, Tool, ToolActivatedEvent, ToolCancelEvent } }
}

/** Rest parameters keep each `length` at the number of required arguments. */
const methods = (own: Brand) => ({
  registerTool(this: unknown, tool: unknown, ...[options]: unknown[]) {
    return registerTool(own, this, tool, options)
  },
  getTools(this: unknown, ...[options]: unknown[]) {
    return getTools(own, this, options)
  },
  executeTool(this: unknown, tool: unknown, ...[input, options]: unknown[]) {
    return executeTool(own, this, tool, input, options)
  },
})

function handler(type: string, own: Brand) {
  return {
    get [`on${type}`](): unknown {
      return own(this).handlers[type]?.value ?? null
    },
    set [`on${type}`](value: unknown) {
      const { handlers, target } = own(this)
      const found = (handlers[type] ??= createEventHandler())
      found.value = isObject(value) ? value : null
      // Adding a registered listener again has no effect.
      target[found.value ? 'addEventListener' : 'removeEventListener'](type, found)
    },
  }
}

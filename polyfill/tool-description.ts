/**
 * Descriptions of listed tools, as data for a model. `test/polyfill/consumer.test.ts` has the cases.
 *
 * @module
 */

import { annotationsOf, sourceOf } from './approval/listed-tools.ts'
import { isObject, parseJSON } from './idl.ts'
import type { PageToolAnnotations } from './page-types.ts'
import type { RegisteredTool, Tool } from './types.ts'

/** A tool as `list()` describes it: data that can be given to a model as JSON. */
export interface ToolDescription {
  readonly name: string
  /** Empty if the author gave none. */
  readonly title: string
  readonly description: string
  readonly inputSchema?: object
  readonly outputSchema?: object
  /** The hints of its author, with those of the approval layer. */
  readonly annotations?: Readonly<PageToolAnnotations>
  readonly origin: string
  /** The window in which the tool is registered. It is not enumerable, so that JSON omits it. */
  readonly source: Window
}

/** A tool to call: a description, or a tool of `getTools()` in any browser. */
export type CallableTool = ToolDescription | Tool | RegisteredTool

/** The tools behind the descriptions, because `executeTool()` takes no copies. */
const described = new WeakMap<CallableTool, Tool>()

/** Describes a listed tool. */
export function describe(tool: Tool): ToolDescription {
  const { name, title, description, origin } = tool
  const inputSchema = readSchema(tool.inputSchema)
  const outputSchema = readSchema(tool.outputSchema)
  const annotations = annotationsOf(tool)
  const made = {
    name,
    title,
    description,
    ...(inputSchema && { inputSchema }),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    origin,
    source: sourceOf(tool),
  }
  Object.defineProperty(made, 'source', { enumerable: false })
  described.set(made, tool)
  return made
}

/**
 * Returns the tool that was described, or the tool itself. A copy of a description becomes what
 * browsers listed before Chrome 160.
 */
export function toolOf(tool: CallableTool): Tool | RegisteredTool {
  const found = described.get(tool)
  if (found) return found
  return 'window' in tool ? tool : { ...tool, window: tool.source }
}

/** Up to Chromium 152 a schema was text. */
function readSchema(schema: unknown): object | undefined {
  if (isObject(schema)) return schema
  return typeof schema === 'string' ? parseJSON(schema) : undefined
}

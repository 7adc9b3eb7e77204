/**
 * Web IDL conversion of the WebMCP dictionaries: members in lexicographical order, each read once.
 *
 * https://webmachinelearning.github.io/webmcp/#model-context-tool; the tables of
 * `test/support/polyfill/cases/` compare the reads with Chromium's.
 *
 * @module
 */

import {
  toAbortSignal,
  toDictionary,
  toDOMString,
  toFunction,
  toJSON,
  toObject,
  toUSVString,
  toUSVStrings,
  toWindow,
} from '../idl.ts'

/** In lexicographical order, in which Web IDL reads members. */
const HINTS = ['consequentialHint', 'debugging', 'readOnlyHint', 'untrustedContentHint'] as const

/** The converted annotations of a tool. */
export type Annotations = Readonly<Partial<Record<(typeof HINTS)[number], boolean>>>

/** Converts `ToolAnnotations`; absent members are false. */
function toAnnotations(value: unknown): Annotations {
  const read = toDictionary(value)
  return Object.fromEntries(HINTS.map((name) => [name, read(name, Boolean) ?? false]))
}

/** The converted definition of a tool. */
export type ModelContextTool = ReturnType<typeof toModelContextTool>

/**
 * Converts `ModelContextTool`.
 *
 * @throws `TypeError` for a missing member or one of the wrong type.
 */
export function toModelContextTool(value: unknown) {
  const read = toDictionary(value)
  return {
    annotations: read('annotations', toAnnotations),
    description: read('description', toDOMString, true),
    execute: read('execute', toFunction, true),
    inputSchema: read('inputSchema', toObject),
    name: read('name', toDOMString, true),
    outputSchema: read('outputSchema', toObject),
    title: read('title', toUSVString),
  }
}

/**
 * Serialises the listed members of a tool.
 *
 * The listing is text because frames share no objects and every caller of `getTools()` receives new
 * ones. Absent members are null.
 *
 * @throws `TypeError` for a schema without JSON representation.
 */
export function toListing(tool: Omit<ModelContextTool, 'execute'>, origin: string): string {
  const { annotations = null, description, name, title = '' } = tool
  const inputSchema = copySchema(tool.inputSchema)
  const outputSchema = copySchema(tool.outputSchema)
  return JSON.stringify({
    annotations,
    description,
    inputSchema,
    name,
    origin,
    outputSchema,
    title,
  })
}

const copySchema = (schema: object | undefined): unknown =>
  schema ? JSON.parse(toJSON(schema)) : null

/**
 * Converts a tool that is no `Tool` but the dictionary that was listed before Chrome 160, or a copy
 * that a page has made. Name, origin and window identify it.
 */
export function toRegisteredTool(value: unknown) {
  const read = toDictionary(value)
  read('description', toDOMString, true)
  const name = read('name', toDOMString, true)
  const origin = read('origin', toUSVString, true)
  const source = read('source', toWindow) ?? read('window', toWindow, true)
  return { id: undefined, name, origin, source }
}

/** Converts the options of `registerTool()`. */
export function toRegisterOptions(value: unknown) {
  const read = toDictionary(value)
  return { exposedTo: read('exposedTo', toUSVStrings), signal: read('signal', toAbortSignal) }
}

/** Converts the options of `getTools()`. */
export function toGetOptions(value: unknown) {
  return { fromOrigins: toDictionary(value)('fromOrigins', toUSVStrings) }
}

/** Converts the options of `executeTool()`. */
export function toExecuteOptions(value: unknown) {
  return { signal: toDictionary(value)('signal', toAbortSignal) }
}

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
    title: read('title', toUSVString),
  }
}

/**
 * Serialises the listed members of a tool.
 *
 * The listing is text because frames share no objects and every caller of `getTools()` receives new
 * ones. Members are in the order in which Chromium lists them, and absent ones are left out.
 *
 * @throws `TypeError` for an input schema without JSON representation.
 */
export function toListing(tool: Omit<ModelContextTool, 'execute'>, origin: string): string {
  const { annotations, description, inputSchema: schema, name, title = '' } = tool
  const inputSchema: unknown = schema && JSON.parse(toJSON(schema))
  return JSON.stringify({ annotations, description, inputSchema, name, origin, title })
}

/**
 * Converts `RegisteredTool`. Name, origin and window identify the tool; the other members only have
 * to convert.
 */
export function toRegisteredTool(value: unknown) {
  const read = toDictionary(value)
  read('annotations', toAnnotations)
  read('description', toDOMString, true)
  read('inputSchema', toObject)
  const name = read('name', toDOMString, true)
  const origin = read('origin', toUSVString, true)
  read('title', toDOMString)
  return { name, origin, window: read('window', toWindow, true) }
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

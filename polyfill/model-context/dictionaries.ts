/**
 * The dictionaries of WebMCP, converted as Web IDL converts them: members in order of their names,
 * each read once.
 *
 * https://webmachinelearning.github.io/webmcp/#model-context-tool; the Proxy read log in
 * `test/polyfill/cases.ts` is held against Chromium's own.
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

/** In order of their names. */
const HINTS = ['consequentialHint', 'debugging', 'readOnlyHint', 'untrustedContentHint'] as const

export type Annotations = Readonly<Partial<Record<(typeof HINTS)[number], boolean>>>

export function toAnnotations(value: unknown): Annotations {
  const read = toDictionary(value)
  return Object.fromEntries(HINTS.map((name) => [name, read(name, Boolean) ?? false]))
}

export type ModelContextTool = ReturnType<typeof toModelContextTool>

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
 * What is listed of a tool, as text: frames share no objects, and everybody who lists gets fresh
 * ones. Members stand in the order in which Chromium lists them, and absent ones are left out.
 */
export function toListing(tool: Omit<ModelContextTool, 'execute'>, origin: string): string {
  const { annotations, description, inputSchema: schema, name, title = '' } = tool
  const inputSchema: unknown = schema && JSON.parse(toJSON(schema))
  return JSON.stringify({ annotations, description, inputSchema, name, origin, title })
}

/** Of a listed tool only these three say which one is meant; the others must merely convert. */
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

export function toRegisterOptions(value: unknown) {
  const read = toDictionary(value)
  return { exposedTo: read('exposedTo', toUSVStrings), signal: read('signal', toAbortSignal) }
}

export function toGetOptions(value: unknown) {
  return { fromOrigins: toDictionary(value)('fromOrigins', toUSVStrings) }
}

export function toExecuteOptions(value: unknown) {
  return { signal: toDictionary(value)('signal', toAbortSignal) }
}

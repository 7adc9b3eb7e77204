/**
 * Parses host messages into the shapes of `types.ts`.
 *
 * Malformed parts are dropped instead of failing the message: a view that shows less is better than
 * one that shows nothing. Unknown fields of a context are kept, as MCP Apps requires.
 *
 * @module
 */

import { isRecord, isString, recordOf, type JsonRecord } from '#core/json.ts'
import type {
  BridgeEvents,
  ContentBlock,
  Host,
  HostContext,
  ResourceContents,
  ToolResult,
} from './types.ts'

/** Returns the value if it is an array, else an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads the reason of a cancellation or teardown, if the host gave one. */
export function parseReason({ reason }: JsonRecord): { reason?: string } {
  return isString(reason) ? { reason } : {}
}

/** Parses a progress notification; null without a number. */
export function parseProgress(params: JsonRecord): BridgeEvents['progress'] | null {
  const { progress, total, message } = params
  if (typeof progress !== 'number') return null
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(isString(message) && { message }),
  }
}

/** Parses a tool result; malformed blocks are dropped. */
export function parseResult(value: unknown): ToolResult {
  const { content, structuredContent, isError, _meta } = recordOf(value)
  return {
    content: toList(content).filter(isBlock),
    ...(isRecord(structuredContent) && { structuredContent }),
    ...(isError === true && { isError }),
    ...(isRecord(_meta) && { _meta }),
  }
}

/** Parses the result of `resources/read`; malformed entries are dropped. */
export function parseContents(value: unknown): { contents: ResourceContents[] } {
  return { contents: toList(recordOf(value)['contents']).filter(isResource) }
}

/** Parses the host's part of the handshake. */
export function parseHost({ hostInfo, hostCapabilities }: JsonRecord): Host {
  const { name, version } = recordOf(hostInfo)
  const capable = Object.entries(recordOf(hostCapabilities)).filter(([, value]) => isRecord(value))
  return {
    info: { name: isString(name) ? name : '', version: isString(version) ? version : '' },
    capabilities: Object.fromEntries(capable),
  }
}

/**
 * Parses a context or a part of one. Known fields with a wrong type are dropped, unknown ones kept.
 */
export function parseContext(value: unknown): HostContext {
  const known = ([key, value]: [string, unknown]) =>
    !Object.hasOwn(CONTEXT, key) || CONTEXT[key]?.(value)
  return Object.fromEntries(Object.entries(recordOf(value)).filter(known))
}

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number'
const isBoolean: Check = (value) => typeof value === 'boolean'
const all =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const CONTEXT: Readonly<Record<string, Check>> = {
  theme: (value) => value === 'light' || value === 'dark',
  styles: isRecord,
  displayMode: isString,
  availableDisplayModes: (value) => Array.isArray(value) && value.every(isString),
  containerDimensions: all(optional(isNumber)),
  locale: isString,
  timeZone: isString,
  userAgent: isString,
  platform: isString,
  toolInfo: (value) => isString(recordOf(recordOf(value)['tool'])['name']),
  deviceCapabilities: all(optional(isBoolean)),
  safeAreaInsets: all(optional(isNumber)),
}

/** The string fields of a content block, by its type. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
}

function isBlock(value: unknown): value is ContentBlock {
  const { type, mimeType, resource, ...block } = recordOf(value)
  const fields = isString(type) && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined
  if (!fields || !optional(isString)(mimeType)) return false
  return (
    fields.every((field) => isString({ mimeType, ...block }[field])) &&
    (type !== 'resource' || isResource(resource))
  )
}

function isResource(value: unknown): value is ResourceContents {
  const { uri, mimeType, text, blob, _meta } = recordOf(value)
  return (
    isString(uri) && [mimeType, text, blob].every(optional(isString)) && optional(isRecord)(_meta)
  )
}

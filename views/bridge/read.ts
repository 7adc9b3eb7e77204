/**
 * The door: what a host sent, read into the shapes of `types.ts`.
 *
 * What is malformed is left out rather than refused, because a view that shows less is better than
 * one that shows nothing. What is unknown in a context is kept, as MCP Apps asks.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { ContentBlock, Host, HostContext, ResourceContents, ToolResult } from './types.ts'

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reason of an end, where the host gave one. */
export function reasonOf({ reason }: JsonRecord): { reason?: string } {
  return isText(reason) ? { reason } : {}
}

export function resultOf(value: unknown): ToolResult {
  const { content, structuredContent, isError, _meta } = recordOf(value)
  return {
    content: toList(content).filter(isBlock),
    ...(isRecord(structuredContent) && { structuredContent }),
    ...(isError === true && { isError }),
    ...(isRecord(_meta) && { _meta }),
  }
}

export function contentsOf(value: unknown): { contents: ResourceContents[] } {
  return { contents: toList(recordOf(value)['contents']).filter(isResource) }
}

export function hostOf({ hostInfo, hostCapabilities }: JsonRecord): Host {
  const { name, version } = recordOf(hostInfo)
  const capable = Object.entries(recordOf(hostCapabilities)).filter(([, value]) => isRecord(value))
  return {
    info: { name: isText(name) ? name : '', version: isText(version) ? version : '' },
    capabilities: Object.fromEntries(capable),
  }
}

/** A context, or a part of one. */
export function contextOf(value: unknown): HostContext {
  const known = ([key, value]: [string, unknown]) =>
    !Object.hasOwn(CONTEXT, key) || CONTEXT[key]?.(value)
  return Object.fromEntries(Object.entries(recordOf(value)).filter(known))
}

type Check = (value: unknown) => boolean

const isText = (value: unknown): value is string => typeof value === 'string'
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
  displayMode: isText,
  availableDisplayModes: (value) => Array.isArray(value) && value.every(isText),
  containerDimensions: all(optional(isNumber)),
  locale: isText,
  timeZone: isText,
  userAgent: isText,
  platform: isText,
  toolInfo: (value) => isText(recordOf(recordOf(value)['tool'])['name']),
  deviceCapabilities: all(optional(isBoolean)),
  safeAreaInsets: all(optional(isNumber)),
}

/** Fields that are text, by the type of a block. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
}

function isBlock(value: unknown): value is ContentBlock {
  const { type, mimeType, resource, ...block } = recordOf(value)
  const fields = isText(type) && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined
  if (!fields || !optional(isText)(mimeType)) return false
  return (
    fields.every((field) => isText({ mimeType, ...block }[field])) &&
    (type !== 'resource' || isResource(resource))
  )
}

function isResource(value: unknown): value is ResourceContents {
  const { uri, mimeType, text, blob, _meta } = recordOf(value)
  return isText(uri) && [mimeType, text, blob].every(optional(isText)) && optional(isRecord)(_meta)
}

/**
 * Parses results of a server into the types of `types.ts`, at the boundary: all of it is untrusted
 * input.
 *
 * A member of the wrong type counts as missing, so that one invalid tool does not affect the
 * others; an entry without a name is left out. `test/host/mcp/parse.test.ts` sends hostile
 * input.
 *
 * @module
 */

import { cutEnd } from '#core/cut-middle.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type {
  CallToolResult,
  ContentBlock,
  LogMessage,
  Page,
  Progress,
  Prompt,
  Resource,
  ResourceContents,
  ResourceTemplate,
  ServerFacts,
  Tool,
} from './types.ts'

/** Returns a string, or `''` for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** Returns an array, or an empty one for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** Returns a finite number, or null for any other value. */
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
/** Returns the strings of an array and drops its other items. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((entry) => typeof entry === 'string')

const firstText = (...values: readonly unknown[]) => values.map(textOf).find((text) => text) ?? ''
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

/** Most characters of the title of a server, which every page has. */
const MAX_SERVER_TITLE = 200

/**
 * Parses `serverInfo`.
 *
 * @param url The server's URL; its host is the default name.
 */
export function parseServer(value: unknown, url: string): ServerFacts {
  const { name, title, version } = recordOf(value)
  const host = new URL(url).host
  return {
    name: firstText(name, host),
    title: cutEnd(firstText(title, name, host), MAX_SERVER_TITLE),
    version: textOf(version),
  }
}

function parseTool(raw: JsonRecord): Tool {
  const annotations = recordOf(raw['annotations'])
  const name = textOf(raw['name'])
  return {
    name,
    title: firstText(raw['title'], annotations['title'], name),
    description: textOf(raw['description']),
    inputSchema: recordOf(raw['inputSchema']),
    outputSchema: isRecord(raw['outputSchema']) ? raw['outputSchema'] : null,
    annotations,
    meta: recordOf(raw['_meta']),
    raw,
  }
}

function parseResource(raw: JsonRecord): Resource {
  const { uri, name, title, description, mimeType, size } = raw
  return {
    uri: textOf(uri),
    name: firstText(name, uri),
    title: firstText(title, name, uri),
    description: textOf(description),
    mimeType: textOrNull(mimeType),
    size: numberOf(size),
    annotations: recordOf(raw['annotations']),
    meta: recordOf(raw['_meta']),
    raw,
  }
}

function parseTemplate(raw: JsonRecord): ResourceTemplate {
  const { uriTemplate, name, title, description, mimeType } = raw
  return {
    uriTemplate: textOf(uriTemplate),
    name: firstText(name, uriTemplate),
    title: firstText(title, name, uriTemplate),
    description: textOf(description),
    mimeType: textOrNull(mimeType),
  }
}

function parsePrompt(raw: JsonRecord): Prompt {
  const { name, title, description } = raw
  const args = listOf(raw['arguments']).filter(isRecord)
  return {
    name: textOf(name),
    title: firstText(title, name),
    description: textOf(description),
    arguments: args.map((argument) => ({
      name: textOf(argument['name']),
      description: textOf(argument['description']),
      required: argument['required'] === true,
    })),
  }
}

function parsePage<T>(list: unknown, cursor: unknown, read: (raw: JsonRecord) => T): Page<T> {
  return { items: listOf(list).filter(isRecord).map(read), next: textOrNull(cursor) }
}

const keepItems = <T>(page: Page<T>, isKept: (item: T) => boolean): Page<T> => ({
  ...page,
  items: page.items.filter(isKept),
})

/** Parses a `tools/list` result; tools without a name are left out. */
export function parseTools(result: JsonRecord): Page<Tool> {
  return keepItems(
    parsePage(result['tools'], result['nextCursor'], parseTool),
    ({ name }) => name !== '',
  )
}

/** Parses a `resources/list` result; resources without a URI are left out. */
export function parseResources(result: JsonRecord): Page<Resource> {
  return keepItems(
    parsePage(result['resources'], result['nextCursor'], parseResource),
    ({ uri }) => uri !== '',
  )
}

/** Parses a `resources/templates/list` result; templates without a URI template are left out. */
export function parseTemplates(result: JsonRecord): Page<ResourceTemplate> {
  const page = parsePage(result['resourceTemplates'], result['nextCursor'], parseTemplate)
  return keepItems(page, ({ uriTemplate }) => uriTemplate !== '')
}

/** Parses a `prompts/list` result; prompts without a name are left out. */
export function parsePrompts(result: JsonRecord): Page<Prompt> {
  return keepItems(
    parsePage(result['prompts'], result['nextCursor'], parsePrompt),
    ({ name }) => name !== '',
  )
}

/** Parses a `resources/read` result. */
export function parseContents(result: JsonRecord): ResourceContents[] {
  return listOf(result['contents'])
    .filter(isRecord)
    .map(({ uri, mimeType, text, blob, _meta }) => ({
      uri: textOf(uri),
      mimeType: textOrNull(mimeType),
      text: textOrNull(text),
      blob: textOrNull(blob),
      meta: recordOf(_meta),
    }))
}

const isBlock = (value: unknown): value is ContentBlock =>
  isRecord(value) && typeof value['type'] === 'string'

/** Parses a `tools/call` result; content blocks without a type are left out. */
export function parseCallResult(raw: JsonRecord): CallToolResult {
  return {
    content: listOf(raw['content']).filter(isBlock),
    structuredContent: raw['structuredContent'],
    isError: raw['isError'] === true,
    meta: recordOf(raw['_meta']),
    raw,
  }
}

/** Parses a progress notification. */
export function parseProgress({ progress, total, message }: JsonRecord): Progress {
  return { progress: numberOf(progress) ?? 0, total: numberOf(total), message: textOf(message) }
}

/** Parses a log message notification; the default level is `info`. */
export function parseLogMessage({ level, logger, data }: JsonRecord): LogMessage {
  return { level: textOf(level) || 'info', logger: textOf(logger), data }
}

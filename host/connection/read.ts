/**
 * The door: what a server sends becomes the types of `types.ts`, and nothing is believed.
 *
 * A member of the wrong type counts as one that is not there, so that one odd tool does not take the
 * others along; an entry without a name is left out. `test/host/connection-read.test.ts` sends what
 * a stranger might send.
 *
 * @module
 */

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

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((entry) => typeof entry === 'string')

const firstText = (...values: readonly unknown[]) => values.map(textOf).find((text) => text) ?? ''
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

export function serverOf(value: unknown, url: string): ServerFacts {
  const { name, title, version } = recordOf(value)
  const host = new URL(url).host
  return {
    name: firstText(name, host),
    title: firstText(title, name, host),
    version: textOf(version),
  }
}

function toolOf(raw: JsonRecord): Tool {
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

function resourceOf(raw: JsonRecord): Resource {
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

function templateOf(raw: JsonRecord): ResourceTemplate {
  const { uriTemplate, name, title, description, mimeType } = raw
  return {
    uriTemplate: textOf(uriTemplate),
    name: firstText(name, uriTemplate),
    title: firstText(title, name, uriTemplate),
    description: textOf(description),
    mimeType: textOrNull(mimeType),
  }
}

function promptOf(raw: JsonRecord): Prompt {
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

function pageOf<T>(list: unknown, cursor: unknown, read: (raw: JsonRecord) => T): Page<T> {
  return { items: listOf(list).filter(isRecord).map(read), next: textOrNull(cursor) }
}

const only = <T>(page: Page<T>, isOne: (item: T) => boolean): Page<T> => ({
  ...page,
  items: page.items.filter(isOne),
})

export function toolsPage(result: JsonRecord): Page<Tool> {
  return only(pageOf(result['tools'], result['nextCursor'], toolOf), ({ name }) => name !== '')
}

export function resourcesPage(result: JsonRecord): Page<Resource> {
  return only(
    pageOf(result['resources'], result['nextCursor'], resourceOf),
    ({ uri }) => uri !== '',
  )
}

export function templatesPage(result: JsonRecord): Page<ResourceTemplate> {
  const page = pageOf(result['resourceTemplates'], result['nextCursor'], templateOf)
  return only(page, ({ uriTemplate }) => uriTemplate !== '')
}

export function promptsPage(result: JsonRecord): Page<Prompt> {
  return only(pageOf(result['prompts'], result['nextCursor'], promptOf), ({ name }) => name !== '')
}

export function contentsOf(result: JsonRecord): ResourceContents[] {
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

export function callResultOf(raw: JsonRecord): CallToolResult {
  return {
    content: listOf(raw['content']).filter(isBlock),
    structuredContent: raw['structuredContent'],
    isError: raw['isError'] === true,
    meta: recordOf(raw['_meta']),
    raw,
  }
}

export function progressOf({ progress, total, message }: JsonRecord): Progress {
  return { progress: numberOf(progress) ?? 0, total: numberOf(total), message: textOf(message) }
}

export function logOf({ level, logger, data }: JsonRecord): LogMessage {
  return { level: textOf(level) || 'info', logger: textOf(logger), data }
}

/**
 * Names on the wire: the `_meta` keys, URIs and media types that all sides have to spell alike.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from './json.ts'

/** Facts about a tool that official clients keep only in `_meta`. */
export const TOOL_META = 'dev.edgewise/tool'

/** Facts about a change, on the result of a call that made or previewed one. */
export const CHANGE_META = 'dev.edgewise/change'

/** Code and details of a tool error, on its result. */
export const ERROR_META = 'dev.edgewise/error'

/** In a request: the id of the preview whose plan the call applies. */
export const PREVIEW_META = 'dev.edgewise/preview'

/** The start of a resource URI for a file, which is `file:///` and the path, percent-encoded. */
export const FILE_SCHEME = 'file://'

/** The media type of a page that an MCP Apps host shows. */
export const APP_MIME = 'text/html;profile=mcp-app'

/** The key of the MCP Apps extension in capabilities. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'

/**
 * Whether a client's capabilities declare support for MCP Apps: the extension, with the media type of an
 * app among its required `mimeTypes` (MCP Apps, "Client capabilities").
 */
export function declaresApps(capabilities: unknown): boolean {
  const { extensions } = recordOf(capabilities)
  const { mimeTypes } = recordOf(recordOf(extensions)[APPS_EXTENSION])
  return Array.isArray(mimeTypes) && mimeTypes.includes(APP_MIME)
}

/** Returns the code and details of a tool error; other servers send them in the structured content. */
export function errorDetails(meta: unknown, structuredContent: unknown): JsonRecord {
  const details = own(recordOf(meta), ERROR_META)
  return isRecord(details) ? details : recordOf(structuredContent)
}

/** Removes the ` [CODE]`, which is meant for models, from the end of a tool error for a person. */
export function textForPerson(text: string, code: unknown): string {
  const ending = typeof code === 'string' ? ` [${code}]` : ''
  return ending !== '' && text.endsWith(ending) ? text.slice(0, -ending.length) : text
}

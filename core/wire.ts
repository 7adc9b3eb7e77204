/**
 * Names on the wire: the protocol revisions, `_meta` keys, URIs and media types that all sides have to spell
 * alike. Each is written here, and nowhere else in the product.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from './json.ts'

/** The protocol revision of the modern era: stateless, with an envelope in `_meta`. */
export const MODERN_PROTOCOL = '2026-07-28'

/** The newest protocol revision of the legacy era: a handshake, and sessions. */
export const LEGACY_PROTOCOL = '2025-11-25'

/** All revisions of the older era, as the SDK knows them. */
export const LEGACY_PROTOCOLS: readonly string[] = [
  LEGACY_PROTOCOL,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

/** The only revision with JSON-RPC batches; also the revision of a request that names none. */
export const BATCH_PROTOCOL = '2025-03-26'

/** The version of MCP Apps. */
export const APPS_PROTOCOL = '2026-01-26'

/** The prefix of the `_meta` keys of MCP itself, such as those of the modern envelope. */
export const MCP_META = 'io.modelcontextprotocol/'

/** The key of `_meta` with the name and version of the client, in each request of the modern era. */
export const CLIENT_INFO_META = `${MCP_META}clientInfo`

/** The key of `_meta` with the name and version of the server, in each result of the modern era. */
export const SERVER_INFO_META = 'io.modelcontextprotocol/serverInfo'

/** In a modern request: its protocol revision. */
export const PROTOCOL_META = 'io.modelcontextprotocol/protocolVersion'

/** In a modern request: the client's capabilities. */
export const CAPABILITIES_META = 'io.modelcontextprotocol/clientCapabilities'

/** In a notification of a modern stream: the id of the request that subscribed. */
export const SUBSCRIPTION_META = 'io.modelcontextprotocol/subscriptionId'

/** Facts about a tool that official clients keep only in `_meta`. */
export const TOOL_META = 'dev.edgewise/tool'

/** The arguments of a tool that are files of a conversation, which ChatGPT hands over as objects with a URL. */
export const FILE_PARAMS_META = 'openai/fileParams'

/** Facts about a change, on the result of a call that made or previewed one. */
export const CHANGE_META = 'dev.edgewise/change'

/** The draft in which a change waits for a person, on the result of the call. */
export const DRAFT_META = 'dev.edgewise/draft'

/** Code and details of a tool error, on its result. */
export const ERROR_META = 'dev.edgewise/error'

/** In a request: who asked for its policy, `human` or `llm`. The host writes it, and never the model. */
export const REQUESTER_META = 'dev.edgewise/requester'

/** In a request: the id of the preview whose plan the call applies. */
export const PREVIEW_META = 'dev.edgewise/preview'

/** In a resource: whether it is an application. */
export const TYPE_META = 'dev.edgewise/type'

/** The start of a resource URI for a file, which is `file:///` and the path, percent-encoded. */
export const FILE_SCHEME = 'file://'

/** The start of a resource URI for a file or folder of a skill. */
export const SKILL_SCHEME = 'skill://'

/** The key of the Skills extension in capabilities. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

/** The URI of the resource that is the reader's own draft. */
export const DRAFT_URI = 'edgewise://draft'

/** The URI of the resource with the comments that the reader may read. */
export const COMMENTS_URI = 'edgewise://comments'

/** The media type of a page that an MCP Apps host shows. */
export const APP_MIME = 'text/html;profile=mcp-app'

/** The header in which the console sends the answer of a passkey, as JSON. */
export const PASSKEY_HEADER = 'x-edgewise-passkey'

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

/** Whether a client's capabilities declare that it can ask a person to open a page. */
export function declaresUrlElicitation(capabilities: unknown): boolean {
  const { elicitation } = recordOf(capabilities)
  return isRecord(recordOf(elicitation)['url'])
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

/**
 * In the experimental capabilities of a host, for a page of its own: it shows the preview of each change and asks, so the
 * page does not.
 */
export const ASKS_CAPABILITY = 'dev.edgewise/asks'

/** In the experimental capabilities of a host, for a page of its own: it makes links for people. */
export const SHARES_CAPABILITY = 'dev.edgewise/shares'

/**
 * The beginning of the address that such a page asks to open, to have the host ask about a link; a query follows. No site can
 * have it (RFC 6761).
 */
export const SHARE_ADDRESS = 'https://share.edgewise.invalid/?'

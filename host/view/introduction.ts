/**
 * The handshake: the result of `ui/initialize`, with the host's capabilities.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { McpView } from './element.ts'
import type { Declared } from './types.ts'

/** The only supported version of MCP Apps, whichever version an app requests. */
export const PROTOCOL_VERSION = '2026-01-26'

/** Every kind of content block. */
const ALL_CONTENT = {
  text: {},
  image: {},
  audio: {},
  resource: {},
  resourceLink: {},
  structuredContent: {},
}

/** Builds the result of `ui/initialize`. */
export function introduction(
  view: McpView,
  { csp, permissions }: Declared,
  hostContext: JsonRecord,
): JsonRecord {
  const lists = view.server && { listChanged: true }
  return {
    protocolVersion: PROTOCOL_VERSION,
    hostInfo: { name: 'edgewise', version: '0.1.0' },
    hostCapabilities: {
      openLinks: {},
      downloadFile: {},
      logging: {},
      message: ALL_CONTENT,
      updateModelContext: ALL_CONTENT,
      sandbox: { permissions, csp },
      ...(lists && { serverTools: lists, serverResources: lists }),
      ...view.hostCapabilities,
    },
    hostContext,
  }
}

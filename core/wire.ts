/**
 * Names on the wire: the `_meta` keys, URIs and media types that all sides have to spell alike.
 *
 * @module
 */

/** Facts about a tool that official clients keep only in `_meta`. */
export const TOOL_META = 'dev.edgewise/tool'

/** Facts about a change, on the result of a call that made or previewed one. */
export const CHANGE_META = 'dev.edgewise/change'

/** The preview whose plan a call applies, in a request. */
export const PREVIEW_META = 'dev.edgewise/preview'

/** Resources that are files: `file:///` and the path, percent-encoded. */
export const FILE_SCHEME = 'file://'

/** The media type of a page that an MCP Apps host shows. */
export const APP_MIME = 'text/html;profile=mcp-app'

/** The MCP Apps extension, in capabilities. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'

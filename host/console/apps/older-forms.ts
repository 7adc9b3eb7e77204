/**
 * Older forms of apps that hosts still meet, converted to those of MCP Apps: `openai/outputTemplate` of a
 * tool, the media type `text/html+skybridge` with its own metadata, and structured content that a
 * transport has lost and that the text still has as JSON.
 *
 * Only the form changes: `<mcp-view>` checks the result as any other. The bridge `window.openai` of those
 * pages is not offered. `test/host/console/older-forms.test.ts` has the table.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { APP_MIME } from '#core/wire.ts'
import { listOf, textOf } from '../../mcp/parse.ts'

const OLDER_MIME = 'text/html+skybridge'

/** Longest text that is parsed as structured content, in UTF-16 code units. */
const MAX_RECOVERED_LENGTH = 1_000_000

/** Adds `_meta.ui.resourceUri` to a tool that names its view under the older key only. */
export function convertTool(raw: JsonRecord): JsonRecord {
  const meta = recordOf(raw['_meta'])
  const ui = recordOf(meta['ui'])
  const uri = textOf(meta['openai/outputTemplate'])
  const isNamed = ui['resourceUri'] !== undefined || meta['ui/resourceUri'] !== undefined
  if (isNamed || !uri.startsWith('ui://')) return raw
  return { ...raw, _meta: { ...meta, ui: { ...ui, resourceUri: uri } } }
}

/** Converts an item of `resources/read`: its media type, and its metadata if it has no `_meta.ui`. */
export function convertContent(content: unknown): unknown {
  if (!isRecord(content) || content['mimeType'] !== OLDER_MIME) return content
  const meta = recordOf(content['_meta'])
  const ui = isRecord(meta['ui']) ? meta['ui'] : convertMeta(meta)
  return { ...content, mimeType: APP_MIME, _meta: { ...meta, ui } }
}

function convertMeta(meta: JsonRecord): JsonRecord {
  const csp = recordOf(meta['openai/widgetCSP'])
  const border = meta['openai/widgetPrefersBorder']
  const domain = textOf(meta['openai/widgetDomain'])
  return {
    csp: {
      connectDomains: listOf(csp['connect_domains']),
      resourceDomains: listOf(csp['resource_domains']),
      frameDomains: listOf(csp['frame_domains']),
    },
    ...(typeof border === 'boolean' && { prefersBorder: border }),
    ...(domain !== '' && { domain }),
  }
}

/**
 * Adds `structuredContent` to a result without it, from a text block of JSON: a wrapper with that key, or
 * an object with `type` and `version`, as mcp-cli accepts. Errors and other results stay as they are.
 */
export function recoverStructured(result: JsonRecord): JsonRecord {
  if (result['structuredContent'] !== undefined || result['isError'] === true) return result
  for (const block of listOf(result['content'])) {
    const found = structuredIn(textOf(recordOf(block)['text']))
    if (found) return { ...result, structuredContent: found }
  }
  return result
}

function structuredIn(text: string): JsonRecord | null {
  if (!/^\s*\{/.test(text) || text.length > MAX_RECOVERED_LENGTH) return null
  try {
    const value = recordOf(JSON.parse(text))
    if (isRecord(value['structuredContent'])) return value['structuredContent']
    return 'type' in value && 'version' in value ? value : null
  } catch {
    return null
  }
}

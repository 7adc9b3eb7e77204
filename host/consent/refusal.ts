/**
 * Reads what a refused call reports: the scopes that it requests, and its error code.
 *
 * Implementations of the mcp4h proposals put `requested_scopes` in different places; all that reach
 * a client are read.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { readScope } from '#core/scope.ts'
import { errorDetails } from '#core/wire.ts'
import { ConnectionError, type ConnectionProblem } from '../mcp/errors.ts'
import type { CallToolResult } from '../mcp/types.ts'

/** Scopes read from one result. */
const MAX_REQUESTED = 50

/** Returns each valid scope once, in order; none if the call was not refused. */
export function requestedScopes(result: CallToolResult): string[] {
  if (!result.isError) return []
  const { meta, raw, structuredContent } = result
  const places = [meta, raw, recordOf(structuredContent)]
  return scopesIn(places.map((place) => place['requested_scopes']))
}

function scopesIn(values: readonly unknown[]): string[] {
  const found = values.find((value) => value !== undefined && value !== null)
  const texts: unknown[] = Array.isArray(found) ? found : [found]
  const scopes = texts.filter((text) => typeof text === 'string').filter((t) => readScope(t).ok)
  return [...new Set(scopes)].slice(0, MAX_REQUESTED)
}

/** Converts a refusal that arrived as a JSON-RPC error into a tool result; null for other errors. */
export function readRefusal(error: unknown): CallToolResult | null {
  if (!(error instanceof ConnectionError) || !isRecord(error.problem.data)) return null
  const { data, message } = error.problem
  const requested = scopesIn([
    recordOf(data['_meta'])['requested_scopes'],
    data['requested_scopes'],
  ])
  if (requested.length === 0) return null
  const content = [{ type: 'text', text: message }]
  const meta = { requested_scopes: requested }
  const raw = { content, isError: true, _meta: meta }
  return { content, structuredContent: undefined, isError: true, meta, raw }
}

/** JSON-RPC error code of a tool that cannot preview. */
const PREVIEW_UNSUPPORTED = -32050

/** Returns the problem if it means that the tool cannot preview; null for other errors. */
export function readPreviewProblem(error: unknown): ConnectionProblem | null {
  if (!(error instanceof ConnectionError) || error.problem.kind !== 'protocol') return null
  const { code, message } = error.problem
  // The mcp4h implementations without this code state it in words, and their agents read these words.
  const isStated = /preview/i.test(message) && /(un|not )support/i.test(message)
  return code === PREVIEW_UNSUPPORTED || isStated ? error.problem : null
}

/** Returns the stable error code of a failed call; null if there is none. */
export function errorCodeOf({ isError, meta, structuredContent }: CallToolResult): string | null {
  const code = isError ? errorDetails(meta, structuredContent)['code'] : null
  return typeof code === 'string' ? code : null
}

/**
 * Responses to plain requests, as the SDK would write them: JSON in the modern era, and in the older one an
 * event stream of one message.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { SERVER_INFO_META } from '#core/wire.ts'
import type { Refused } from '../access/metadata.ts'
import { SERVER_INFO } from './server-info.ts'

/** Builds the response of a complete result of the modern era; `serverInfo` is longer in that of `server/discover`. */
export function plainResult(
  id: string | number,
  result: Record<string, unknown>,
  serverInfo: Record<string, unknown> = SERVER_INFO,
): Response {
  return Response.json({ jsonrpc: '2.0', id, result: completeResult(result, serverInfo) })
}

/** Serializes a complete result that never changes. */
export const writeResult = (result: Record<string, unknown>): string =>
  JSON.stringify(completeResult(result, SERVER_INFO))

/** Builds the response of a result that was serialized before. */
export function writtenResult(id: string | number, written: string): Response {
  const headers = { 'content-type': 'application/json' }
  return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${written}}`, {
    headers,
  })
}

/** Builds the response of a result that needs input from the person first. */
export function inputRequiredResult(
  id: string | number,
  result: Record<string, unknown>,
): Response {
  const _meta = { [SERVER_INFO_META]: SERVER_INFO }
  return Response.json({ jsonrpc: '2.0', id, result: { ...result, _meta } })
}

function completeResult(
  result: Record<string, unknown>,
  serverInfo: Record<string, unknown>,
): Record<string, unknown> {
  const _meta = { ...recordOf(result['_meta']), [SERVER_INFO_META]: serverInfo }
  return { ...result, resultType: 'complete', _meta }
}

/** Builds the response of a result in the older era; `session` is the id of its session, if it has one. */
export function legacyResult(
  id: string | number,
  result: Record<string, unknown>,
  session: string | null,
): Response {
  return legacyResponse({ result, jsonrpc: '2.0', id }, session)
}

/** Builds the response of an error in the older era. */
export function legacyError(
  id: string | number,
  { code, message }: Pick<Refused, 'code' | 'message'>,
  session: string | null,
): Response {
  return legacyResponse({ jsonrpc: '2.0', id, error: { code, message } }, session)
}

/** The stream is complete when it is sent, so its length is known and nothing keeps the object awake. */
function legacyResponse(message: Record<string, unknown>, session: string | null): Response {
  const response = new Response(`event: message\ndata: ${JSON.stringify(message)}\n\n`, STREAM)
  if (session !== null) response.headers.set('mcp-session-id', session)
  return response
}

/** Copying headers takes half the time of reading them from a record. */
const STREAM = {
  headers: new Headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  }),
}

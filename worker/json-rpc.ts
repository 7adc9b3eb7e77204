/**
 * JSON-RPC error responses over HTTP, in the form of both protocol eras.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'

/** Returns the id of a request, or null; a number that was rounded is the id of another one. */
export function idOf(body: unknown): string | number | null {
  const id = isRecord(body) ? body['id'] : null
  const isExact = typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER
  return typeof id === 'string' || isExact ? id : null
}

/** Builds the response of a JSON-RPC error. */
export function respondError(
  id: string | number | null,
  code: number,
  message: string,
  status = 200,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
}

/** Builds the 429 of a principal that exceeds its rate limit (RFC 6585, section 4). */
export function respondTooManyCalls(seconds: number): Response {
  const message = `Rate limit exceeded. Try again in ${seconds} s`
  const response = respondError(null, -32000, message, 429)
  response.headers.set('retry-after', String(seconds))
  return response
}

/** Builds the 404 of an unknown session. */
export function respondUnknownSession(): Response {
  return respondError(null, -32001, 'Session not found', 404)
}

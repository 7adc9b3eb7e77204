/**
 * URL elicitation: asks the person to open a page, in the form of the client's era. The modern era has a result that
 * requires input, the legacy era an error.
 *
 * @module
 */

import type { ElicitRequestURLParams, InputRequiredResult } from '@modelcontextprotocol/server'
import type { Elicitation } from '../access/metadata.ts'
import { ELICITATION_KEY } from '../call/waits.ts'
import { McpError, URL_ELICITATION_REQUIRED } from './mcp-error.ts'

/** Builds the result of the modern era. A client that calls again is not asked twice: it only has to wait. */
export function requireInput({ url, message, state, isFirst }: Elicitation): InputRequiredResult {
  // The type still has the `elicitationId` of the legacy era, which a modern request has not.
  const params = { url, message, mode: 'url' } as ElicitRequestURLParams
  const asked = { [ELICITATION_KEY]: { method: 'elicitation/create' as const, params } }
  return {
    resultType: 'input_required',
    ...(isFirst && { inputRequests: asked }),
    ...(state !== null && { requestState: state }),
  }
}

/** Builds the error of the legacy era. */
export function elicitationError({ id, url, message }: Elicitation): McpError {
  const elicitations = [{ mode: 'url', elicitationId: id, url, message }]
  return new McpError(URL_ELICITATION_REQUIRED, message, { elicitations })
}

/** Builds the notification that a page was used, which a client of the legacy era waits for. */
export function elicitationComplete(elicitationId: string) {
  const method = 'notifications/elicitation/complete'
  return { jsonrpc: '2.0', method, params: { elicitationId } } as const
}

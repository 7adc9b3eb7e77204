/**
 * URL elicitation: asks the person to open a page, in the form of the client's era. The modern era has a result that
 * requires input, the legacy era an error.
 *
 * @module
 */

import type { InputRequest, InputRequiredResult } from '@modelcontextprotocol/server'
import type { Elicitation } from '../access/metadata.ts'
import { ELICITATION_KEY } from '../call/waits.ts'
import { McpError, URL_ELICITATION_REQUIRED } from './mcp-error.ts'

/** Builds the result of the modern era. A client that calls again is not asked twice: it only has to wait. */
export function requireInput({ url, message, state, isFirst }: Elicitation): InputRequiredResult {
  return {
    resultType: 'input_required',
    ...(isFirst && { inputRequests: { [ELICITATION_KEY]: elicitUrl({ url, message }) } }),
    ...(state !== null && { requestState: state }),
  }
}

/** The request of the modern era has no `elicitationId`, which the type of the SDK still requires. */
function elicitUrl(params: Pick<Elicitation, 'url' | 'message'>): InputRequest {
  const request: unknown = { method: 'elicitation/create', params: { ...params, mode: 'url' } }
  return request as InputRequest
}

/** Builds the error of the legacy era. */
export function elicitationError({ id, url, message }: Elicitation): McpError {
  const elicitations = [{ mode: 'url', elicitationId: id, url, message }]
  return new McpError(URL_ELICITATION_REQUIRED, message, { elicitations })
}

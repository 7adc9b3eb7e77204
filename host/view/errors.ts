/**
 * Errors of a view, each with a code: a JSON-RPC number for the app, or a name in `mcp-error`
 * events.
 *
 * @module
 */

import type { ErrorCode } from './types.ts'

/** JSON-RPC: Invalid Request. */
export const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
/** Any other refusal, from JSON-RPC's range for implementations. */
export const REFUSED = -32000

/** An error with a code. */
export class ViewError<Code extends number | ErrorCode> extends Error {
  readonly code: Code

  /** The default message is the code in words, such as `no server`. */
  constructor(code: Code, message = String(code).toLowerCase().replaceAll('_', ' ')) {
    super(message)
    this.code = code
  }
}

/** Creates the error for a refused request. */
export const refused = (message: string) => new ViewError(REFUSED, message)
/** Creates the JSON-RPC error for invalid params. */
export const invalid = (what: string) => new ViewError(INVALID_PARAMS, `Invalid ${what}`)

/** Creates the JSON-RPC error for an unknown method. */
export const notFound = (method: string) =>
  new ViewError(METHOD_NOT_FOUND, `Method not found: ${method}`)

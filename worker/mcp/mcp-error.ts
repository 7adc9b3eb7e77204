/**
 * Errors of the protocol, as handlers throw them. `server.ts` gives them to the SDK in its own classes, so that
 * handlers need no SDK. `test/worker/mcp/resources.test.ts` reads the codes from the wire.
 *
 * @module
 */

import { INVALID_PARAMS, type Refused } from '../access/metadata.ts'
import { shortText } from '../errors/short.ts'

/** The JSON-RPC code of a bug. */
export const INTERNAL_ERROR = -32603

/** The error of a call that was stopped because its client no longer waits. It is no bug, and is not read. */
export const CANCELLED: Refused = { code: INTERNAL_ERROR, message: 'Request cancelled' }

/** The code of MCP for a page that the person has to open first, in the legacy era. */
export const URL_ELICITATION_REQUIRED = -32042

/** A JSON-RPC error that a handler answers with. */
export class McpError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(shortText(message))
    this.code = code
    this.data = data
  }
}

/** Builds the error of a resource that does not exist; clients recognise it by its data. */
export function resourceNotFound(uri: string): McpError {
  return new McpError(INVALID_PARAMS, `Resource not found: ${uri}`, { uri: shortText(uri) })
}

/** Builds the error of a cursor that is no place in a list. */
export function invalidCursor(): McpError {
  return new McpError(
    INVALID_PARAMS,
    'Invalid cursor: this server did not create it. Leave it out to get the first page',
  )
}

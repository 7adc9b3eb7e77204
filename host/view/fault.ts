/**
 * What can go wrong, with the code by which others tell it: a number on the wire, a word in an event.
 *
 * @module
 */

import type { ErrorCode } from './types.ts'

export const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
/** What hosts answer where the protocol has no number of its own. */
export const REFUSED = -32000

export class Fault<Code extends number | ErrorCode> extends Error {
  readonly code: Code

  /** Without a message, a word speaks for itself. */
  constructor(code: Code, message = String(code).toLowerCase().replaceAll('_', ' ')) {
    super(message)
    this.code = code
  }
}

export const refused = (message: string) => new Fault(REFUSED, message)
export const invalid = (what: string) => new Fault(INVALID_PARAMS, `Invalid ${what}`)

export const notFound = (method: string) =>
  new Fault(METHOD_NOT_FOUND, `Method not found: ${method}`)

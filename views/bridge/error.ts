/** What a host answered in place of a result, or that it did not answer. @module */

/** The codes that a view may want to tell apart. */
export const CODES = { failed: -32000, timeout: -32001, unknownMethod: -32601 } as const

/** A JSON-RPC error as an exception. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError'
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

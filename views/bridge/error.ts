/** Errors of the bridge: a JSON-RPC error response, or a missing response. @module */

/** JSON-RPC error codes that a view may need to distinguish. */
export const CODES = { failed: -32000, timeout: -32001, unknownMethod: -32601 } as const

/** A request that failed: an error response, a missing response, or a closed connection. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError'
  /** A value of {@link CODES}, or the code that the host sent. */
  readonly code: number
  /** Details that the host sent with the error. */
  readonly data?: unknown

  /**
   * Creates an error.
   *
   * @param code A value of {@link CODES}, or the code that the host sent.
   * @param message The message of the error response.
   * @param data Its details.
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/**
 * The SDK's server, with params that it cannot read being the sender's fault.
 *
 * The SDK answers them as an internal error, which would tell a client to try again and hide our own
 * bugs among the strangers' mistakes. `test/worker/fuzz-mcp.test.ts` sends many of them.
 *
 * @module
 */

import {
  ProtocolError,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { INVALID_PARAMS } from '../access/metadata.ts'

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/** For handlers that throw nothing but protocol errors: whatever else is thrown, the SDK has thrown. */
export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await wrapped(request, context)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        throw new ProtocolError(INVALID_PARAMS, `The params of ${method} are not in order`)
      }
    }
  }
}

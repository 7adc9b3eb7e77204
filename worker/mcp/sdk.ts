/**
 * The part of the SDK that runs: a module of its own, which `load-sdk.ts` loads when a request first needs it.
 *
 * It imports nothing else of the Worker, because it is bundled separately and would have copies. Its server reports
 * invalid params as an error of the client: the SDK answers them with an internal error, which would tell a client to
 * try again and would hide our own bugs among invalid requests. `test/platform/mcp/endpoint.laws.test.ts` sends many.
 *
 * @module
 */

import {
  INVALID_PARAMS,
  ProtocolError,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
  type Implementation,
} from '@modelcontextprotocol/server'
import { SERVER_INFO_META } from '#core/wire.ts'
import { shortText } from '../errors/short.ts'

export {
  ProtocolError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
export { createMcpHandler } from 'agents/mcp/server'

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * For handlers that throw only protocol errors: every other error is thrown by the SDK and becomes Invalid
 * params.
 */
export class StrictServer extends Server {
  readonly #identity: Implementation

  /** `identity` is the whole one, for `server/discover`; every other result has the `info`. */
  constructor(info: Implementation, identity: Implementation, options: ServerOptions) {
    super(info, options)
    this.#identity = identity
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        const result = await wrapped(request, context)
        if (method !== 'server/discover') return result
        return { ...result, _meta: { ...result._meta, [SERVER_INFO_META]: this.#identity } }
      } catch (error) {
        const issues = error instanceof Error ? issuesIn(error.message) : ''
        if (error instanceof ProtocolError && issues === '') throw error
        throw new ProtocolError(INVALID_PARAMS, `Invalid params for ${method}${issues}`)
      }
    }
  }
}

/** Returns the first issue of those that the SDK writes as JSON; empty if it wrote none. */
function issuesIn(message: string): string {
  const list = /^(?:Invalid [\w/]+ request: )?(\[[^]*\])$/.exec(message)?.[1]
  const issues: readonly Issue[] = list === undefined ? [] : JSON.parse(list)
  const [first] = issues
  if (!first) return ''
  return shortText(`: ${first.path.filter((key) => key !== 'params').join('.')}: ${first.message}`)
}

/** As Zod writes it. */
interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

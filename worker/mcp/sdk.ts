/**
 * The part of the SDK that runs: a module of its own, which `load-sdk.ts` loads when a request first needs it.
 *
 * It imports nothing else of the Worker, because it is bundled separately and would have copies.
 *
 * @module
 */

export {
  ProtocolError,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
export { createMcpHandler } from 'agents/mcp/server'
export { StrictServer } from './strict-server.ts'

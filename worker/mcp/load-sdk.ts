/**
 * Loads the SDK, a third of the Worker, when a request first needs it: plain requests are answered without it. Also the
 * types of what its servers are built with.
 *
 * @module
 */

import type { McpServer, Server, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.ts'
import type * as sdk from './sdk.ts'

export type Sdk = typeof sdk

let loaded: Sdk | null = null

/** Returns the module `sdk.ts`, cached, because `import()` waits even for a module that is already loaded. */
export async function loadSdk(): Promise<Sdk> {
  return (loaded ??= await import('./sdk.ts'))
}

/** Returns the caller whose request a handler answers. */
export type CallerSource = (context: ServerContext) => Caller

/** The resource subscriptions of one session. */
export interface Subscriptions {
  /** Returns false when there is no room for one more. */
  add(uri: string): boolean
  remove(uri: string): void
}

/** What one server is built with: for one request, or for a session. */
export interface BuiltServer {
  readonly callerOf: CallerSource
  /** Set for a session, which has a stream to deliver updates to. */
  readonly subscriptions?: Subscriptions
  /** What its instructions say of the skills of its caller. */
  readonly skillInstructions?: string
}

/** Creates a server. */
export type BuildServer = (sdk: Sdk, built: BuiltServer) => McpServer | Server

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

/** What one server is built for: a request, or a session. */
export interface ServerOf {
  readonly callerOf: CallerSource
  /** Where the client reaches this server; null if that is unknown. */
  readonly origin: string | null
  /** What a model reads about this server; empty for a request whose result has no instructions. */
  readonly instructions: string
  /** Set for a session, which has a stream to deliver updates to. */
  readonly subscriptions?: Subscriptions
}

/** Creates a server. */
export type BuildServer = (sdk: Sdk, of: ServerOf) => McpServer | Server

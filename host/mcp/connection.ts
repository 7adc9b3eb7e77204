/**
 * A connection to an MCP server, as the rest of the host uses it: its state, its events, its requests, and the options
 * that it is opened with. `connect.ts` opens one; what it sends and receives is in `types.ts`.
 *
 * Both protocol eras have the same shape here. `test/pages/host/connection.slow.test.ts` drives it against
 * real servers.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { ConnectionProblem } from './errors.ts'
import type {
  CallToolResult,
  Elicitation,
  ElicitationAnswer,
  JsonSchema,
  LogMessage,
  Page,
  Progress,
  Prompt,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Sampling,
  SamplingAnswer,
  ServerFacts,
  Tool,
} from './types.ts'

/** Protocol generation: `modern` starts with `server/discover`, `legacy` with `initialize`. */
export type Era = 'modern' | 'legacy'

/** Open, reconnecting, or closed for good. */
export type ConnectionState =
  | { readonly name: 'open' }
  | {
      readonly name: 'reconnecting'
      readonly problem: ConnectionProblem
      /** Attempts made so far, and the time of the next one in milliseconds since 1970. */
      readonly attempts: number
      readonly nextAt: number
    }
  | {
      readonly name: 'closed'
      /** Why it closed by itself; null after {@link Connection.close}. */
      readonly problem: ConnectionProblem | null
    }

/** Events of a connection, by name, with what each listener receives. */
export interface ConnectionEvents {
  /** The tool list was loaded again. */
  readonly tools: readonly Tool[]
  /** The list of resources changed. */
  readonly resources: null
  /** The list of prompts changed. */
  readonly prompts: null
  /** A resource with a subscription changed. */
  readonly updated: { readonly uri: string }
  readonly log: LogMessage
  readonly state: ConnectionState
  /**
   * The connection closed, by {@link Connection.close} or because of a problem that waiting cannot
   * solve.
   */
  readonly closed: null
}

/**
 * A connection to one MCP server, in either era, which reconnects by itself.
 *
 * All methods that send a request reject with a `ConnectionError` (`errors.ts`).
 */
export interface Connection {
  /** The normalised URL of the endpoint. */
  readonly url: string
  readonly era: Era
  readonly protocolVersion: string
  /** The `Mcp-Session-Id` of the legacy era; null if there is none. */
  readonly session: string | null
  readonly server: ServerFacts
  readonly instructions: string
  /** What the server offers, as in `initialize` or `server/discover`. */
  readonly capabilities: JsonRecord
  /** The server's configuration schema, from any of the places where servers publish it; null if none. */
  readonly configSchema: JsonSchema | null
  /** Whether a call may carry `_meta.policy`. */
  readonly supportsPolicy: boolean
  /** The result of `initialize` or `server/discover`, as received. */
  readonly definition: JsonRecord
  readonly state: ConnectionState
  /** All pages of the tool list. Kept up to date; `on('tools', …)` reports changes. */
  readonly tools: readonly Tool[]
  /** Loads the tool list again. */
  refreshTools(options?: RequestOptions): Promise<readonly Tool[]>
  /** Lists one page of resources; pass `next` of a page as the cursor of the following one. */
  resources(cursor?: string, options?: RequestOptions): Promise<Page<Resource>>
  resourceTemplates(cursor?: string, options?: RequestOptions): Promise<Page<ResourceTemplate>>
  readResource(uri: string, options?: RequestOptions): Promise<readonly ResourceContents[]>
  prompts(cursor?: string, options?: RequestOptions): Promise<Page<Prompt>>
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<JsonRecord>
  /** Calls a tool. A failure that the tool reports is a result with `isError`, not a rejection. */
  call(name: string, args: JsonRecord, options?: CallOptions): Promise<CallToolResult>
  /** Sends any request of the protocol and returns the result as received. */
  request(method: string, params?: JsonRecord, options?: RequestOptions): Promise<JsonRecord>
  /** Subscribes to changes of a resource; returns the function that ends the subscription. */
  subscribe(uri: string): Promise<() => Promise<void>>
  /** Adds a listener; returns the function that removes it. */
  on<E extends keyof ConnectionEvents>(
    event: E,
    listener: (value: ConnectionEvents[E]) => void,
  ): () => void
  /** Starts the next attempt to reconnect now instead of waiting. */
  reconnect(): void
  /**
   * Closes the notification stream of the modern era until `resume()`: it holds one of the few connections that a
   * browser opens to a host over HTTP/1.1. Requests work meanwhile.
   */
  pause(): void
  /**
   * Opens the stream again and reloads the tool list. Resolves when it is open, to whether there was a pause, whose
   * notifications were missed.
   */
  resume(): Promise<boolean>
  /** Closes the connection and, in the legacy era, its session. */
  close(): Promise<void>
}

/** A JSON-RPC message as sent or received, or the HTTP error that came in its place. */
export interface TrafficEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  readonly message: unknown
}

/** Options of any request. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  /**
   * Time to wait for the response, in milliseconds; 60,000 by default. Each progress notification
   * of a call with `onProgress` restarts it.
   */
  readonly timeoutMs?: number
}

/** Options of a tool call. */
export interface CallOptions extends RequestOptions {
  /** The `_meta` of the request. */
  readonly meta?: JsonRecord
  /** Whether the page decides on the change itself, so that the server need not ask to open a page for it. */
  readonly isDecidedHere?: boolean
  /** Called for each progress notification; without it the request carries no progress token. */
  readonly onProgress?: (progress: Progress) => void
}

/** Options of `connect()` (`connect.ts`). */
export interface ConnectOptions {
  /** Address of the MCP endpoint; see `parseAddress` in `address.ts` for the forms it accepts. */
  readonly url: string
  /** Headers added to every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `capabilities.experimental.configuration`. */
  readonly configuration?: unknown
  /** Which era to use. `auto`, the default, tries the modern one first. */
  readonly era?: 'auto' | Era
  /** Cancels connecting; to end an open connection use `close()`. */
  readonly signal?: AbortSignal
  /** Starts without a notification stream, as after {@link Connection.pause}. */
  readonly paused?: boolean
  /** Called for every message that is sent or received. */
  readonly onTraffic?: (entry: TrafficEntry) => void
  /** How to sign in; without it, HTTP 401 is a {@link ConnectionProblem}. See `oauth.ts`. */
  readonly auth?: SignIn
  /** Called if the server requires signing in or more scopes than the token has. */
  readonly onUnauthorized?: (problem: ConnectionProblem) => void
  /** Answers elicitations, also by apps. Without it the client declares no support for them. */
  readonly onElicitation?: (
    question: Elicitation,
    signal: AbortSignal,
  ) => Promise<ElicitationAnswer>
  /** Answers sampling requests; null refuses. Without it the client declares no support for them. */
  readonly onSampling?: (request: Sampling, signal: AbortSignal) => Promise<SamplingAnswer | null>
}

/** A way to sign in, created by `signInTo()` in `oauth.ts`. */
export interface SignIn {
  /** The OAuth provider that the SDK uses. */
  readonly provider: OAuthClientProvider
  /** The page to sign in at; null unless a sign-in is in progress. */
  readonly pending: URL | null
  /** Opens that page. Call it from a click: browsers may block a popup that opens by itself. */
  open(): void
  /**
   * Waits until the user has signed in. Requests that wait at the same time share one sign-in, and one that comes after
   * its end does not wait.
   *
   * @param finish Receives the query parameters of the redirect, once; redeems the code.
   * @throws {ConnectionError} `unauthorized` after 10 minutes, `aborted` if the signal is aborted. What `finish` throws.
   */
  complete(finish: (params: URLSearchParams) => Promise<void>, signal?: AbortSignal): Promise<void>
}

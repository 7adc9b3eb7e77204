/**
 * Types of an MCP connection as the rest of the host sees it: server information, tools, resources,
 * calls and notifications.
 *
 * All of it is parsed at the boundary (`parse.ts`), so no other module handles raw JSON of a server.
 * Both protocol eras have the same shape here. `test/pages/host/connection.slow.test.ts` drives it against
 * real servers.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'

/** Protocol generation: `modern` starts with `server/discover`, `legacy` with `initialize`. */
export type Era = 'modern' | 'legacy'

/** A JSON Schema sent by a server: untrusted input, which `forms/` checks before use. */
export type JsonSchema = JsonRecord

/** The server's `serverInfo`, with defaults where it sends none. */
export interface ServerFacts {
  readonly name: string
  /** The display name: its title, else its name. */
  readonly title: string
  readonly version: string
}

/** A tool as the server lists it; members without a field here are kept in `raw`. */
export interface Tool {
  readonly name: string
  /** The display name: its title, else that of its annotations, else its name. */
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
  readonly annotations: JsonRecord
  /** Its `_meta`. */
  readonly meta: JsonRecord
  /** The definition as received. */
  readonly raw: JsonRecord
}

/** A resource as the server lists it; members without a field here are kept in `raw`. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string | null
  /** In bytes. */
  readonly size: number | null
  readonly annotations: JsonRecord
  /** Its `_meta`. */
  readonly meta: JsonRecord
  readonly raw: JsonRecord
}

/** A family of resources: a URI template with `{name}` placeholders. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string | null
}

/** One item of a `resources/read` result. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string | null
  /** The server sends either `text` or `blob`; both are null if it sent neither. */
  readonly text: string | null
  /** Base64. */
  readonly blob: string | null
  /** Its `_meta`. */
  readonly meta: JsonRecord
}

/** A prompt as the server lists it. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly {
    readonly name: string
    readonly description: string
    readonly required: boolean
  }[]
}

/** One page of a paginated list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
}

/** A block of content: `type` names the kind, the other members depend on it. */
export type ContentBlock = JsonRecord & { readonly type: string }

/** The result of `tools/call`, parsed. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  /** Undefined if the tool returned none. */
  readonly structuredContent: unknown
  readonly isError: boolean
  /** Its `_meta`. */
  readonly meta: JsonRecord
  /** The result as received. */
  readonly raw: JsonRecord
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
  /** Called for each progress notification; without it the request carries no progress token. */
  readonly onProgress?: (progress: Progress) => void
}

/** A progress notification. */
export interface Progress {
  readonly progress: number
  /** Null if the server does not know it. */
  readonly total: number | null
  readonly message: string
}

/** A `notifications/message` of the server. */
export interface LogMessage {
  /** `info` if the server sends none. */
  readonly level: string
  readonly logger: string
  readonly data: unknown
}

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

/** A question of the server to the user (elicitation): a form, or a page to visit. */
export interface Elicitation {
  readonly mode: 'form' | 'url'
  readonly message: string
  /** The schema of the form; null in `url` mode. */
  readonly schema: JsonSchema | null
  /** The page to visit; null in `form` mode. */
  readonly url: string | null
  /** The resource of the app that may show the form (SEP-3118); null if there is none. */
  readonly app: string | null
}

/** The user's answer to an elicitation. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: JsonRecord }
  | { readonly action: 'decline' | 'cancel' }

/** A message of a sampling request. */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly ContentBlock[]
}

/** A request for what a model would say (sampling). */
export interface Sampling {
  /** Empty if there is none. */
  readonly systemPrompt: string
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number | null
  readonly temperature: number | null
  readonly stopSequences: readonly string[]
  /** The context of MCP servers that the model should get too: `none`, `thisServer` or `allServers`. */
  readonly context: string
  /** Names of models, or parts of them, in the order of preference. */
  readonly models: readonly string[]
  /** What matters in choosing a model, from 0 to 1; null where the server does not say. */
  readonly priorities: {
    readonly cost: number | null
    readonly speed: number | null
    readonly intelligence: number | null
  }
}

/** A person's answer to a sampling request. */
export interface SamplingAnswer {
  readonly text: string
  /** The name of the model that wrote it, as the person gives it. */
  readonly model: string
}

/** Options of `connect()` (`connection.ts`). */
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
   * Resolves with the query parameters of the redirect, once the user has signed in.
   *
   * @throws {ConnectionError} `unauthorized` after 10 minutes, `aborted` if the signal is aborted.
   */
  returned(signal?: AbortSignal): Promise<URLSearchParams>
}

/** Kinds of problems; `errors.ts` has the advice for each. */
export type ProblemKind =
  | 'bad-url'
  | 'unreachable'
  | 'cors'
  | 'mixed-content'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'not-mcp'
  | 'configuration'
  | 'timeout'
  | 'aborted'
  | 'closed'
  | 'protocol'
  | 'server'
  | 'unknown'

/** What went wrong with a connection or a request, in sentences for the user. */
export interface ConnectionProblem {
  readonly kind: ProblemKind
  /** One sentence: what happened. */
  readonly message: string
  /** One sentence: what the user can do; empty if there is nothing. */
  readonly advice: string
  /** HTTP status, if there was one. */
  readonly status: number | null
  /** Code and data of a JSON-RPC error, if the server returned one. */
  readonly code: number | null
  readonly data: unknown
  /** Scopes that the token lacks, as the server names them. */
  readonly scopes: readonly string[]
}

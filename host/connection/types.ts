/**
 * What a connection to an MCP server is, to the rest of the host: what the server says of itself, its
 * tools and resources, calls, and what it tells unasked.
 *
 * Everything here was read at the door (`read.ts`), so nobody behind it looks at raw JSON. Both
 * protocol eras look alike. `test/pages/connection.test.ts` drives it against real servers.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'

export type Era = 'modern' | 'legacy'

/** A JSON Schema as a stranger wrote it. `forms/` reads it with care. */
export type JsonSchema = JsonRecord

export interface ServerFacts {
  readonly name: string
  /** What to call it: its title, else its name. */
  readonly title: string
  readonly version: string
}

/** A tool as the server lists it, with members that we do not know as well. */
export interface Tool {
  readonly name: string
  /** What to call it: its title, else that of its annotations, else its name. */
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
  readonly annotations: JsonRecord
  readonly meta: JsonRecord
  /** The definition as it came. */
  readonly raw: JsonRecord
}

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string | null
  readonly size: number | null
  readonly annotations: JsonRecord
  readonly meta: JsonRecord
  readonly raw: JsonRecord
}

/** A family of resources: a URI with `{name}` in places. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string | null
}

export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string | null
  /** One of the two is there, unless the server sent neither. */
  readonly text: string | null
  /** Base64. */
  readonly blob: string | null
  readonly meta: JsonRecord
}

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

/** A page of a list. `next` is null on the last one. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/** A block of content: `type` says which, and what belongs to it stands beside. */
export type ContentBlock = JsonRecord & { readonly type: string }

export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  /** Undefined when the tool answered none. */
  readonly structuredContent: unknown
  readonly isError: boolean
  readonly meta: JsonRecord
  /** The result as it came. */
  readonly raw: JsonRecord
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds to wait for an answer; 60,000 unless told. Progress starts it again. */
  readonly timeoutMs?: number
}

export interface CallOptions extends RequestOptions {
  /** The `_meta` of the request. */
  readonly meta?: JsonRecord
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly progress: number
  readonly total: number | null
  readonly message: string
}

export interface LogMessage {
  readonly level: string
  readonly logger: string
  readonly data: unknown
}

/** `open`, or on the way back to it, or ended by {@link Connection.close}. */
export type ConnectionState =
  | { readonly name: 'open' }
  | {
      readonly name: 'reconnecting'
      readonly problem: ConnectionProblem
      /** Attempts made so far, and when the next one comes, in milliseconds since 1970. */
      readonly attempts: number
      readonly nextAt: number
    }
  | {
      readonly name: 'closed'
      /** Why it ended by itself; null when somebody closed it. */
      readonly problem: ConnectionProblem | null
    }

/** What a connection tells unasked. */
export interface ConnectionEvents {
  readonly tools: readonly Tool[]
  /** The list of resources is no longer the same. */
  readonly resources: null
  readonly prompts: null
  /** A resource that was subscribed to has changed. */
  readonly updated: { readonly uri: string }
  readonly log: LogMessage
  readonly state: ConnectionState
  readonly closed: null
}

export interface Connection {
  readonly url: string
  readonly era: Era
  readonly protocolVersion: string
  /** The id of a session of the older era. */
  readonly session: string | null
  readonly server: ServerFacts
  readonly instructions: string
  readonly capabilities: JsonRecord
  /** The configuration schema that the server publishes, wherever it does. */
  readonly configSchema: JsonSchema | null
  /** Whether a call may carry `_meta.policy`. */
  readonly supportsPolicy: boolean
  /** The answer to `initialize` or `server/discover`, as it came. */
  readonly definition: JsonRecord
  readonly state: ConnectionState
  /** All pages. Kept up to date; hear of it by `on('tools', …)`. */
  readonly tools: readonly Tool[]
  refreshTools(options?: RequestOptions): Promise<readonly Tool[]>
  resources(cursor?: string, options?: RequestOptions): Promise<Page<Resource>>
  resourceTemplates(cursor?: string, options?: RequestOptions): Promise<Page<ResourceTemplate>>
  readResource(uri: string, options?: RequestOptions): Promise<readonly ResourceContents[]>
  prompts(cursor?: string, options?: RequestOptions): Promise<Page<Prompt>>
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<JsonRecord>
  call(name: string, args: JsonRecord, options?: CallOptions): Promise<CallToolResult>
  /** Any request of the protocol; answers the result as it came. */
  request(method: string, params?: JsonRecord, options?: RequestOptions): Promise<JsonRecord>
  /** Asks to hear of a resource; answers the way to stop. */
  subscribe(uri: string): Promise<() => Promise<void>>
  /** Listens; answers the way to stop. */
  on<E extends keyof ConnectionEvents>(
    event: E,
    listener: (value: ConnectionEvents[E]) => void,
  ): () => void
  /** Waits no longer for the next attempt to reconnect. */
  reconnect(): void
  close(): Promise<void>
}

/** A JSON-RPC message as it passed, or what HTTP said in its place. */
export interface TrafficEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  readonly message: unknown
}

/** A question that the server has for the person: a form, or a page to visit. */
export interface Elicitation {
  readonly mode: 'form' | 'url'
  readonly message: string
  readonly schema: JsonSchema | null
  readonly url: string | null
}

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: JsonRecord }
  | { readonly action: 'decline' | 'cancel' }

export interface ConnectOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `capabilities.experimental.configuration`. */
  readonly configuration?: unknown
  /** `auto` asks for the newer era first. */
  readonly era?: 'auto' | Era
  readonly signal?: AbortSignal
  readonly onTraffic?: (entry: TrafficEntry) => void
  /** How to sign in; without it, 401 is a {@link ConnectionProblem}. See `oauth.ts`. */
  readonly auth?: SignIn
  /** Told when a server asks to sign in, or for more than the token allows. */
  readonly onUnauthorized?: (problem: ConnectionProblem) => void
  /** Answers questions of the server. Without it the client says that it takes none. */
  readonly onElicitation?: (
    question: Elicitation,
    signal: AbortSignal,
  ) => Promise<ElicitationAnswer>
}

/** A way to sign in, made by `signInTo()` in `oauth.ts`. */
export interface SignIn {
  /** What the SDK asks for tokens. */
  readonly provider: OAuthClientProvider
  /** Where the person has to go; null while nobody asks to sign in. */
  readonly pending: URL | null
  /** Opens the page to sign in, from a click: a popup that opens by itself may be blocked. */
  open(): void
  /** Waits until the person has come back, and answers what they brought. */
  returned(signal?: AbortSignal): Promise<URLSearchParams>
}

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

/** What went wrong with a connection or a request, in words for a person. */
export interface ConnectionProblem {
  readonly kind: ProblemKind
  /** One sentence: what happened. */
  readonly message: string
  /** One sentence: what the person can do; empty when there is nothing. */
  readonly advice: string
  /** HTTP status, when there was one. */
  readonly status: number | null
  /** JSON-RPC code and data, when the server answered an error. */
  readonly code: number | null
  readonly data: unknown
  /** Scopes that a token lacks, as the server named them. */
  readonly scopes: readonly string[]
}

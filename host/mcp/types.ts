/**
 * What an MCP server and its client exchange: tools, resources, prompts, results and notifications of the server, and
 * the questions that it asks through the client.
 *
 * All of it is parsed at the boundary (`parse.ts`), so no other module handles raw JSON of a server.
 * `test/host/mcp/parse.test.ts` tests that.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'

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

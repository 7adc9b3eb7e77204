/**
 * The types of `<mcp-view>`: the server interface that the page implements, and the events it
 * receives.
 *
 * MCP's shapes are as wide as possible, so that the types of any SDK fit.
 *
 * @module
 */

import type { AppCsp, ReadCsp } from '#core/csp.ts'
import type { JsonRecord } from '#core/json.ts'

/** Display modes of MCP Apps. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

/** `failed` is not final: `reload()` leaves it, and so does an app that starts late. */
export type ViewState = 'idle' | 'loading' | 'connecting' | 'ready' | 'failed' | 'closed'

/** The members of a tool that the element uses. */
export interface Tool {
  readonly name: string
  readonly title?: string | undefined
  readonly _meta?: JsonRecord | undefined
}

/** A tool's result, as MCP defines it. */
export interface CallToolResult {
  readonly content?: readonly unknown[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
  readonly _meta?: JsonRecord | undefined
}

/** A `resources/read` result, as MCP defines it. */
export interface ReadResourceResult {
  readonly contents: readonly unknown[]
}

/** The params of `tools/call`. */
export interface ToolCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** Options of a request to the server. */
export interface CallOptions {
  /** Aborted when the app cancels, the view ends or the time is over. */
  readonly signal: AbortSignal
}

/** The page's access to the view's server. An app can reach nothing else. */
export interface ViewServer {
  /**
   * Reads a resource of the server.
   *
   * @returns The result of `resources/read` as received.
   * @throws An error with a negative `code`, and optionally `data`, is passed to the app as it is.
   */
  readResource(uri: string, options: CallOptions): Promise<ReadResourceResult>
  /**
   * Calls a tool, after whatever consent the page requires.
   *
   * @param params Without grants and without what the client declares in `_meta`; an app can set neither.
   * @returns The result of `tools/call` as received.
   * @throws An error with a negative `code`, and optionally `data`, is passed to the app as it is.
   */
  callTool(params: ToolCall, options: CallOptions): Promise<CallToolResult>
  /** All tools of the server, to check visibility. Without it only the view's own tool is checked. */
  tools?(): Promise<readonly Tool[]> | readonly Tool[]
  /**
   * Sends another request: `resources/list`, `resources/templates/list`, `prompts/list` or
   * `sampling/createMessage`. Without it the app is refused them.
   *
   * @returns The result as received.
   */
  request?(method: string, params: unknown, options: CallOptions): Promise<unknown>
}

/** Permissions that MCP Apps define. */
export type Permission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite'

/** `_meta.ui` of a resource, as the page sets it. */
export interface ResourceMeta {
  readonly csp?: Partial<AppCsp> | undefined
  readonly permissions?: { readonly [name in Permission]?: object | undefined } | undefined
  /** Asks for an origin of its own, which `own-sandbox` provides. */
  readonly domain?: string | undefined
  /** Whether the app wants a border and a header; by default it has them. */
  readonly prefersBorder?: boolean | undefined
}

/** The valid parts of a resource's `_meta.ui`. */
export interface Declared extends ReadCsp {
  readonly permissions: { readonly [name in Permission]?: object }
  readonly domain: string | undefined
  readonly prefersBorder: boolean | undefined
}

/** What an app declares in its handshake. */
export interface AppFacts {
  readonly info: { readonly name: string; readonly version: string }
  readonly capabilities: JsonRecord
}

/** The members of `<mcp-view>` that its helpers use; documented in `element.ts`. */
export interface ViewHost extends HTMLElement {
  readonly server: ViewServer | null
  readonly tool: Tool | null
  readonly html: string | null
  readonly src: string
  readonly sandbox: string
  readonly toolInput: Record<string, unknown> | null
  readonly toolInputPartial: Record<string, unknown> | null
  readonly hostContext: Record<string, unknown>
  readonly hostCapabilities: Record<string, unknown>
  readonly displayModes: readonly DisplayMode[]
  readonly displayMode: DisplayMode
  readonly app: AppFacts | null
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>
  reload(): Promise<void>
  close(): Promise<void>
}

/** Codes of `mcp-error`. */
export type ErrorCode =
  /** There is a resource to read and no `server`. */
  | 'NO_SERVER'
  /** No address of a sandbox page is set, or it is invalid. */
  | 'NO_SANDBOX'
  /** The sandbox has the page's origin and would not isolate the app. */
  | 'SANDBOX_NOT_APART'
  /** The resource has another URI scheme or media type, is empty or too long. */
  | 'INVALID_RESOURCE'
  /** The server could not read the resource; the message is the server's. */
  | 'READ_FAILED'
  /** The app did not complete its handshake within `init-timeout`; it may still start later. */
  | 'APP_DOES_NOT_START'
  /** The app left its frame too often. */
  | 'APP_DOES_NOT_STAY'
  /** The app sent something that is not JSON-RPC; the view goes on. */
  | 'MALFORMED_MESSAGE'
  /** The app exceeded the rate limit and was closed. */
  | 'TOO_MANY_MESSAGES'

/** A file that an app offers for download. With `uri` its content must still be read from the server. */
export interface DownloadFile {
  readonly name: string
  readonly mimeType: string
  readonly text?: string
  /** Base64. */
  readonly blob?: string
  readonly uri?: string
}

/** An event that the page can answer. */
export interface Answerable {
  /**
   * Answers the event; call it before the listener returns. The first answer counts.
   *
   * @param answer Whether the page did what the app requested. A rejection, or no result within
   *   five minutes, counts as false.
   */
  respondWith(answer: boolean | Promise<boolean>): void
}

/** The events of `<mcp-view>`, by name. All bubble and are composed. */
export interface ViewEvents {
  /** The lifecycle state changed. */
  'mcp-state': CustomEvent<{ readonly state: ViewState }>
  /** Something failed; `message` is in English. */
  'mcp-error': CustomEvent<{ readonly code: ErrorCode; readonly message: string }>
  /** The app asks to open a link; without an answer it is refused, unless `links` is `open`. */
  'mcp-open-link': CustomEvent<Answerable & { readonly url: string }>
  /** The app asks to add a message of the user to the conversation; without an answer it is refused. */
  'mcp-message': CustomEvent<
    Answerable & { readonly role: 'user'; readonly content: readonly JsonRecord[] }
  >
  /** The app replaces its context for the model; without an answer it is refused. */
  'mcp-model-context': CustomEvent<
    Answerable & {
      readonly content?: readonly JsonRecord[]
      readonly structuredContent?: JsonRecord
    }
  >
  /** The app asks to save files; without an answer the element asks the user itself. */
  'mcp-download': CustomEvent<Answerable & { readonly files: readonly DownloadFile[] }>
  /** The app or the user changes the display mode; it is allowed unless the answer is false. */
  'mcp-display-mode': CustomEvent<
    Answerable & { readonly mode: DisplayMode; readonly was: DisplayMode }
  >
  /** The app asks to be closed; the element closes it if the answer is true. */
  'mcp-teardown-request': CustomEvent<Answerable>
  /**
   * The size that the app requests, in CSS pixels. In the mode `inline` the element has already
   * applied the height.
   */
  'mcp-size': CustomEvent<{ readonly width?: number; readonly height?: number }>
  /** A log message of the app, or of the element (`logger` is `mcp-view`). */
  'mcp-log': CustomEvent<{
    readonly level: string
    readonly logger?: string
    readonly data: unknown
  }>
  /** A tool call ended. */
  'mcp-call': CustomEvent<{
    readonly name: string
    readonly arguments: JsonRecord
    /** The metadata of the call without grants and declarations of the client; `preview: true` marks a dry run. */
    readonly _meta?: JsonRecord
    readonly outcome: Outcome
    /** Whose tool was called: the server's by the app, or the app's by the page. */
    readonly of: 'server' | 'app'
  }>
  /** The app's own tools changed; at most one event per second. */
  'mcp-app-tools': CustomEvent<null>
  /** A message to or from the app; only with the `traffic` attribute. */
  'mcp-traffic': CustomEvent<{
    readonly direction: 'sent' | 'received'
    readonly message: unknown
  }>
}

/** The `detail` of an event. */
export type EventDetail<Name extends keyof ViewEvents> = ViewEvents[Name]['detail']

/** How a call ended; `refused` means that the server did not receive it. */
export type Outcome = 'done' | 'failed' | 'refused' | 'cancelled'

/** Names of the events that the page can answer. */
export type AnswerableEvent = {
  [Name in keyof ViewEvents]: EventDetail<Name> extends Answerable ? Name : never
}[keyof ViewEvents]

declare global {
  interface HTMLElementEventMap extends ViewEvents {}
}

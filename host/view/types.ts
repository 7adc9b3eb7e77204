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
import type { McpView } from './element.ts'

export type { McpView } from './element.ts'

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
  readResource(uri: string, options: CallOptions): Promise<ReadResourceResult>
  callTool(params: ToolCall, options: CallOptions): Promise<CallToolResult>
  /** All tools of the server, to check visibility. Without it only the view's own tool is checked. */
  tools?(): Promise<readonly Tool[]> | readonly Tool[]
  /**
   * Optional methods: `resources/list`, `resources/templates/list`, `prompts/list`,
   * `sampling/createMessage`.
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

/** Codes of `mcp-error`. */
export type ErrorCode =
  | 'NO_SERVER'
  | 'NO_SANDBOX'
  /** The sandbox has the page's origin and would not isolate the app. */
  | 'SANDBOX_NOT_APART'
  | 'INVALID_RESOURCE'
  | 'READ_FAILED'
  | 'APP_DOES_NOT_START'
  | 'APP_DOES_NOT_STAY'
  | 'MALFORMED_MESSAGE'
  | 'TOO_MANY_MESSAGES'

/** A file that an app offers for download. With `uri` its content must still be read from the server. */
export interface DownloadFile {
  readonly name: string
  readonly mimeType: string
  /** Base64. */
  readonly text?: string
  readonly blob?: string
  readonly uri?: string
}

/**
 * Lets the page answer an event, before its listener returns: whether it did what the app
 * requested. The first answer counts.
 */
export interface Asking {
  respondWith(answer: boolean | Promise<boolean>): void
}

/** The events of `<mcp-view>`, by name. All bubble and are composed. */
export interface ViewEvents {
  /** The lifecycle state changed. */
  'mcp-state': CustomEvent<{ readonly state: ViewState }>
  /** Something failed; `message` is in English. */
  'mcp-error': CustomEvent<{ readonly code: ErrorCode; readonly message: string }>
  /** The app asks to open a link; without an answer it is refused, unless `links` is `open`. */
  'mcp-open-link': CustomEvent<Asking & { readonly url: string }>
  /** The app asks to add a message of the user to the conversation. */
  'mcp-message': CustomEvent<
    Asking & { readonly role: 'user'; readonly content: readonly JsonRecord[] }
  >
  /** The app replaces what the model should know of it. */
  'mcp-model-context': CustomEvent<
    Asking & { readonly content?: readonly JsonRecord[]; readonly structuredContent?: JsonRecord }
  >
  /** The app asks to save files; without an answer the element asks the user itself. */
  'mcp-download': CustomEvent<Asking & { readonly files: readonly DownloadFile[] }>
  /** The app or the user changes the display mode; it is allowed unless the answer is false. */
  'mcp-display-mode': CustomEvent<
    Asking & { readonly mode: DisplayMode; readonly was: DisplayMode }
  >
  /** The app asks to be closed. */
  'mcp-teardown-request': CustomEvent<Asking>
  /** The size that the app asks for, in CSS pixels; inline, the element has already applied the height. */
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
export type Question = {
  [Name in keyof ViewEvents]: EventDetail<Name> extends Asking ? Name : never
}[keyof ViewEvents]

declare global {
  interface HTMLElementTagNameMap {
    'mcp-view': McpView
  }
  interface HTMLElementEventMap extends ViewEvents {}
}

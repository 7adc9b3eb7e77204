/**
 * The types of `<mcp-view>`: who answers for a view's server, and the events that tell what its app asks.
 *
 * Shapes of MCP are no narrower than needed, so that those of any SDK fit.
 *
 * @module
 */

import type { AppCsp, ReadCsp } from '#core/csp.ts'
import type { JsonRecord } from '#core/json.ts'
import type { McpView } from './element.ts'

export type { McpView } from './element.ts'

export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

/** `failed` can be left again: by `reload()`, or by an app that starts late. */
export type ViewState = 'idle' | 'loading' | 'connecting' | 'ready' | 'failed' | 'closed'

export interface Tool {
  readonly name: string
  readonly title?: string | undefined
  readonly _meta?: JsonRecord | undefined
}

export interface CallToolResult {
  readonly content?: readonly unknown[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
  readonly _meta?: JsonRecord | undefined
}

export interface ReadResourceResult {
  readonly contents: readonly unknown[]
}

export interface ToolCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

export interface CallOptions {
  readonly signal: AbortSignal
}

/** Who answers for the view's own server. Nothing but what this offers can be reached from an app. */
export interface ViewServer {
  readResource(uri: string, options: CallOptions): Promise<ReadResourceResult>
  callTool(params: ToolCall, options: CallOptions): Promise<CallToolResult>
  /** Every tool of the server, for visibility. Without it, any name counts as one that apps may call. */
  tools?(): Promise<readonly Tool[]> | readonly Tool[]
  /** `resources/list`, `resources/templates/list`, `prompts/list`, `sampling/createMessage`. */
  request?(method: string, params: unknown, options: CallOptions): Promise<unknown>
}

export type Permission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite'

/** `_meta.ui` of a resource, as it is given. */
export interface ResourceMeta {
  readonly csp?: Partial<AppCsp> | undefined
  readonly permissions?: { readonly [name in Permission]?: object | undefined } | undefined
  readonly domain?: string | undefined
  readonly prefersBorder?: boolean | undefined
}

/** What of a resource's `_meta.ui` counts. */
export interface Declared extends ReadCsp {
  readonly permissions: { readonly [name in Permission]?: object }
  readonly domain: string | undefined
  readonly prefersBorder: boolean | undefined
}

export interface AppFacts {
  readonly info: { readonly name: string; readonly version: string }
  readonly capabilities: JsonRecord
}

export type ErrorCode =
  | 'NO_SERVER'
  | 'NO_SANDBOX'
  /** The sandbox has the origin of the page, where nothing would be kept apart. */
  | 'SANDBOX_NOT_APART'
  | 'INVALID_RESOURCE'
  | 'READ_FAILED'
  | 'APP_DOES_NOT_START'
  | 'APP_DOES_NOT_STAY'
  | 'MALFORMED_MESSAGE'
  | 'TOO_MANY_MESSAGES'

/** A file that an app wants to hand out. With `uri` it is still to be read from the server. */
export interface DownloadFile {
  readonly name: string
  readonly mimeType: string
  readonly text?: string
  readonly blob?: string
  readonly uri?: string
}

/**
 * The page around answers with this, before its listener returns: whether it has done what was asked. The
 * first answer counts.
 */
export interface Asking {
  respondWith(answer: boolean | Promise<boolean>): void
}

export interface ViewEvents {
  'mcp-state': CustomEvent<{ readonly state: ViewState }>
  'mcp-error': CustomEvent<{ readonly code: ErrorCode; readonly message: string }>
  'mcp-open-link': CustomEvent<Asking & { readonly url: string }>
  'mcp-message': CustomEvent<
    Asking & { readonly role: 'user'; readonly content: readonly JsonRecord[] }
  >
  'mcp-model-context': CustomEvent<
    Asking & { readonly content?: readonly JsonRecord[]; readonly structuredContent?: JsonRecord }
  >
  'mcp-download': CustomEvent<Asking & { readonly files: readonly DownloadFile[] }>
  'mcp-display-mode': CustomEvent<
    Asking & { readonly mode: DisplayMode; readonly was: DisplayMode }
  >
  'mcp-teardown-request': CustomEvent<Asking>
  'mcp-size': CustomEvent<{ readonly width?: number; readonly height?: number }>
  'mcp-log': CustomEvent<{
    readonly level: string
    readonly logger?: string
    readonly data: unknown
  }>
  'mcp-call': CustomEvent<{
    readonly name: string
    readonly arguments: JsonRecord
    readonly outcome: Outcome
    /** Whose tool was called: the server's by the app, or the app's by the page. */
    readonly of: 'server' | 'app'
  }>
  /** The app's own tools changed. Told at most once a second. */
  'mcp-app-tools': CustomEvent<null>
  'mcp-traffic': CustomEvent<{
    readonly direction: 'sent' | 'received'
    readonly message: unknown
  }>
}

export type EventDetail<Name extends keyof ViewEvents> = ViewEvents[Name]['detail']

/** How a call ended. `refused`: it never reached the server. */
export type Outcome = 'done' | 'failed' | 'refused' | 'cancelled'

/** The events by which an app asks for something. */
export type Question = {
  [Name in keyof ViewEvents]: EventDetail<Name> extends Asking ? Name : never
}[keyof ViewEvents]

declare global {
  interface HTMLElementTagNameMap {
    'mcp-view': McpView
  }
  interface HTMLElementEventMap extends ViewEvents {}
}

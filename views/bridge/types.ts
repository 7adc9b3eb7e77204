/**
 * What a view and its host say to each other, in the words of MCP Apps (protocol 2026-01-26).
 *
 * These are the shapes that a view may rely on: `read.ts` makes them of what came over the wire.
 *
 * @module
 */

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

export interface MediaBlock {
  readonly type: 'image' | 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLink {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly mimeType?: string
}

export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  /** Base64. */
  readonly blob?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

export type ContentBlock = TextBlock | MediaBlock | ResourceLink | EmbeddedResource

export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What a host can do for a view. What is absent it cannot do. */
export interface HostCapabilities {
  readonly openLinks?: object
  readonly downloadFile?: object
  readonly serverTools?: object
  readonly serverResources?: object
  readonly logging?: object
  readonly sandbox?: object
  readonly updateModelContext?: object
  readonly message?: object
  readonly sampling?: object
  readonly experimental?: object
}

export interface HostContext {
  readonly theme?: 'light' | 'dark'
  readonly styles?: Readonly<Record<string, unknown>>
  readonly displayMode?: string
  readonly availableDisplayModes?: readonly string[]
  /** In pixels: `width` and `height` are fixed, `maxWidth` and `maxHeight` leave it to the view. */
  readonly containerDimensions?: Readonly<Record<string, number>>
  readonly locale?: string
  readonly timeZone?: string
  readonly userAgent?: string
  readonly platform?: string
  readonly toolInfo?: { readonly tool: { readonly name: string } }
  readonly deviceCapabilities?: Readonly<Record<string, boolean>>
  readonly safeAreaInsets?: Readonly<Record<string, number>>
  readonly [other: string]: unknown
}

export interface Host {
  readonly info: { readonly name: string; readonly version: string }
  readonly capabilities: HostCapabilities
}

export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

/** What a host tells a view, by the name under which a view listens to it. */
export interface BridgeEvents {
  input: { readonly arguments: Readonly<Record<string, unknown>> }
  /** Arguments that are still being written. Not to be relied on. */
  partial: { readonly arguments: Readonly<Record<string, unknown>> }
  result: ToolResult
  cancelled: { readonly reason?: string }
  /** The whole context, after a part of it changed. */
  context: HostContext
  /** The view is about to go. The host waits a moment for what a listener promises. */
  teardown: { readonly reason?: string }
  changed: { readonly what: 'tools' | 'resources' | 'prompts' }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds to wait for the answer. */
  readonly timeoutMs?: number
}

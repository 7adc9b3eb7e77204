/**
 * Types of the messages between a view and its host, as MCP Apps names them (protocol 2026-01-26).
 *
 * A view can rely on these shapes: `parse.ts` parses every message into them.
 *
 * @module
 */

/** A text block of a tool result. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** An image or audio block of a tool result. */
export interface MediaBlock {
  readonly type: 'image' | 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** A reference to a resource, without its contents. */
export interface ResourceLink {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly mimeType?: string
}

/** The contents of a resource: text or base64. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  /** Base64. */
  readonly blob?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A resource with its contents, as a block of a tool result. */
export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** One block of a tool result, by `type`. */
export type ContentBlock = TextBlock | MediaBlock | ResourceLink | EmbeddedResource

/** The result of a tool call. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  /** The tool ran and reports a failure. */
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Features that the host supports; an absent one is not supported. */
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

/** State of the host that a view can adapt to. Unknown fields are kept. */
export interface HostContext {
  readonly theme?: 'light' | 'dark'
  /** Style variables and font faces; `theme.ts` applies them. */
  readonly styles?: Readonly<Record<string, unknown>>
  readonly displayMode?: string
  readonly availableDisplayModes?: readonly string[]
  /**
   * In pixels: `width` and `height` are fixed, `maxWidth` and `maxHeight` are limits for the view.
   */
  readonly containerDimensions?: Readonly<Record<string, number>>
  /** BCP 47 language tag. */
  readonly locale?: string
  /** IANA time zone. */
  readonly timeZone?: string
  readonly userAgent?: string
  readonly platform?: string
  /** The tool whose call this view shows. */
  readonly toolInfo?: { readonly tool: { readonly name: string } }
  readonly deviceCapabilities?: Readonly<Record<string, boolean>>
  /** In pixels: `top`, `right`, `bottom`, `left`. */
  readonly safeAreaInsets?: Readonly<Record<string, number>>
  readonly [other: string]: unknown
}

/** The host, as it introduced itself in the handshake. */
export interface Host {
  readonly info: { readonly name: string; readonly version: string }
  readonly capabilities: HostCapabilities
}

/** How a host shows a view. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

/** Events of a host, by the name under which a view subscribes to them. */
export interface BridgeEvents {
  /** The complete arguments of the call that the view shows. */
  input: { readonly arguments: Readonly<Record<string, unknown>> }
  /** Arguments that the model is still writing; may be incomplete or change. */
  partial: { readonly arguments: Readonly<Record<string, unknown>> }
  /** The result of that call. */
  result: ToolResult
  /** The progress of that call, if the host forwards it; `total` is absent if it is unknown. */
  progress: { readonly progress: number; readonly total?: number; readonly message?: string }
  /** The call was cancelled. */
  cancelled: { readonly reason?: string }
  /** The whole context, after a part of it has changed. */
  context: HostContext
  /** The host removes the view soon; it waits a moment for promises that listeners return. */
  teardown: { readonly reason?: string }
  /** A list of the server has changed. */
  changed: { readonly what: 'tools' | 'resources' | 'prompts' }
}

/** Options of a request. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Time limit in milliseconds; ten minutes by default. */
  readonly timeoutMs?: number
}

/**
 * The WebMCP dictionaries and interfaces as TypeScript sees them.
 *
 * They agree with the official `webmcp-types`, and add what that package still lacks: the tool
 * events, their handlers, and `null` as the answer of a call that navigated. Nothing global is
 * declared here, so both can be loaded together; `test/polyfill/types.test.ts` assigns one to the
 * other.
 *
 * @module
 */

export interface ToolAnnotations {
  readOnlyHint?: boolean
  untrustedContentHint?: boolean
  consequentialHint?: boolean
  debugging?: boolean
}

export interface ToolExecuteCallbackOptions {
  signal: AbortSignal
}

export type ToolExecuteCallback<Input extends object = Record<string, unknown>> = (
  input: Input,
  options: ToolExecuteCallbackOptions,
) => unknown

export interface ModelContextTool<Input extends object = Record<string, unknown>> {
  name: string
  title?: string
  description: string
  inputSchema?: object
  execute: ToolExecuteCallback<Input>
  annotations?: ToolAnnotations
}

export interface RegisterToolOptions {
  signal?: AbortSignal
  exposedTo?: string[]
}

export interface GetToolsOptions {
  fromOrigins?: string[]
}

export interface ExecuteToolOptions {
  signal?: AbortSignal
}

/** A tool as `getTools()` lists it. */
export interface RegisteredTool {
  name: string
  title: string
  description: string
  inputSchema?: object
  window: Window
  origin: string
  annotations?: ToolAnnotations
}

/** What a tool event tells: the tool's name. */
export interface ToolEvent extends Event {
  readonly toolName: string
}

export interface ToolEventInit extends EventInit {
  toolName?: string
}

export interface ModelContextEventMap {
  toolchange: Event
  toolactivated: ToolEvent
  toolcancel: ToolEvent
}

type Handler<Name extends keyof ModelContextEventMap> =
  ((this: ModelContext, event: ModelContextEventMap[Name]) => unknown) | null

export interface ModelContext extends EventTarget {
  registerTool(tool: ModelContextTool, options?: RegisterToolOptions): Promise<void>
  getTools(options?: GetToolsOptions): Promise<RegisteredTool[]>
  executeTool(
    tool: RegisteredTool,
    input?: object,
    options?: ExecuteToolOptions,
  ): Promise<string | null>
  ontoolchange: Handler<'toolchange'>
  ontoolactivated: Handler<'toolactivated'>
  ontoolcancel: Handler<'toolcancel'>
  addEventListener<Name extends keyof ModelContextEventMap>(
    type: Name,
    listener: (this: ModelContext, event: ModelContextEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

/** The page's model context, native or ours, if there is one. */
export function modelContextOf(document: Document): ModelContext | undefined {
  const found: ModelContext | undefined = Reflect.get(document, 'modelContext')
  return found
}

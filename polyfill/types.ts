/**
 * TypeScript types of the WebMCP dictionaries and interfaces.
 *
 * They agree with the official `webmcp-types`, and add what that package lacks: the tool events,
 * their handlers, and `null` as the result of a call that navigated. No globals are declared here,
 * so both packages can be loaded together; `test/polyfill/types.test.ts` assigns one to the other.
 *
 * @module
 */

/** Hints of a tool's author. https://webmachinelearning.github.io/webmcp/ */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readOnlyHint?: boolean
  /** The result may contain text that the author does not vouch for. */
  untrustedContentHint?: boolean
  /** The call has consequences that cannot be undone. */
  consequentialHint?: boolean
  /** The tool is meant for developers, not for agents. */
  debugging?: boolean
}

/** Second argument of a tool's `execute`. */
export interface ToolExecuteCallbackOptions {
  /** Aborts when the caller cancels the call. */
  signal: AbortSignal
}

/** Runs a tool. The result, or what its promise resolves to, is serialised for the caller. */
export type ToolExecuteCallback<Input extends object = Record<string, unknown>> = (
  input: Input,
  options: ToolExecuteCallbackOptions,
) => unknown

/** A tool as a page registers it. */
export interface ModelContextTool<Input extends object = Record<string, unknown>> {
  /** 1 to 128 characters of `A-Z a-z 0-9 _ . -`, unique in the document. */
  name: string
  /** A name for people. */
  title?: string
  /** What the tool does, for a model; must not be empty. */
  description: string
  /** JSON Schema of the input; must be serialisable as JSON. */
  inputSchema?: object
  /** JSON Schema of the result; must be serialisable as JSON. */
  outputSchema?: object
  execute: ToolExecuteCallback<Input>
  annotations?: ToolAnnotations
}

/** Options of `registerTool()`. */
export interface RegisterToolOptions {
  /** Unregisters the tool when it aborts. */
  signal?: AbortSignal
  /** Other origins whose documents may list and call the tool. */
  exposedTo?: string[]
}

/** Options of `getTools()`. */
export interface GetToolsOptions {
  /** Other origins whose tools are listed as well. */
  fromOrigins?: string[]
}

/** Options of `executeTool()`. */
export interface ExecuteToolOptions {
  /** Cancels the call. */
  signal?: AbortSignal
}

/**
 * A tool as `getTools()` lists it: an object whose members are getters of its prototype, so that a
 * spread or `JSON.stringify()` copies none of them, and `structuredClone()` throws.
 */
export interface Tool {
  readonly name: string
  /** Empty if the author gave none. */
  readonly title: string
  readonly description: string
  readonly inputSchema: object | null
  readonly outputSchema: object | null
  /** All four hints; null if the author gave no annotations. */
  readonly annotations: Readonly<ToolAnnotations> | null
  /** The origin of the window in which the tool is registered. */
  readonly origin: string
  /** That window. */
  readonly source: Window
  /** @deprecated It was called so before Chrome 160: read `source`. */
  readonly window: Window
}

/**
 * A tool as `getTools()` listed it before Chrome 160, a plain object.
 *
 * @deprecated Pass the {@link Tool} itself to `executeTool()`.
 */
export interface RegisteredTool {
  name: string
  title: string
  description: string
  inputSchema?: object
  /** The window in which the tool is registered. */
  window: Window
  /** The origin of that window. */
  origin: string
  annotations?: ToolAnnotations
}

/** A `toolactivated` or `toolcancel` event. */
export interface ToolEvent extends Event {
  /** The name of the tool that was called. */
  readonly toolName: string
}

/** Initial values of a tool event. */
export interface ToolEventInit extends EventInit {
  toolName?: string
}

/** The events of a model context, by type. */
export interface ModelContextEventMap {
  toolchange: Event
  toolactivated: ToolEvent
  toolcancel: ToolEvent
}

type Handler<Name extends keyof ModelContextEventMap> =
  | ((this: ModelContext, event: ModelContextEventMap[Name]) => unknown)
  | null

/** `document.modelContext`. https://webmachinelearning.github.io/webmcp/#model-context-container */
export interface ModelContext extends EventTarget {
  registerTool(tool: ModelContextTool, options?: RegisterToolOptions): Promise<void>
  /** Lists the tools of every document of the tree that this one may see. */
  getTools(options?: GetToolsOptions): Promise<Tool[]>
  /** Calls a tool; resolves to its result as text, or to null if the call navigated. */
  executeTool(
    tool: Tool | RegisteredTool,
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

/**
 * Finds the page's model context, native or polyfilled.
 *
 * @param document The document of the page.
 * @returns The context; undefined if the page has none.
 */
export function modelContextOf(document: Document): ModelContext | undefined {
  const found: ModelContext | undefined = Reflect.get(document, 'modelContext')
  return found
}

/**
 * `<mcp-view>`: shows the MCP App of a tool in any page, without a framework.
 *
 * The page sets a server, a tool, and the tool's input and result. Requests of the app become
 * events; one that the page does not answer is refused, apart from downloads, which the user can
 * confirm. The app runs on another origin (`frame.ts`), receives nothing before its handshake
 * (`notifications.ts`), and is restarted when its frame is lost (`lifecycle.ts`). `test/pages/host/view.slow.test.ts`
 * covers it.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { watchPage } from './context.ts'
import { notFound, refused } from './errors.ts'
import { declaresCapability } from './handshake.ts'
import { CANCELLED, PARTIAL, RESULT } from './notifications.ts'
import { APP_REQUESTS } from './tools.ts'
import type {
  AppFacts,
  CallToolResult,
  DisplayMode,
  ResourceMeta,
  Tool,
  ViewHost,
  ViewServer,
  ViewState,
} from './types.ts'
import { createView } from './view.ts'

const LIST_CHANGED = /^notifications\/(?:tools|resources|prompts)\/list_changed$/

/** On a server, which has no elements, the class can be imported and not created. */
const PageElement = globalThis.HTMLElement ?? Object

/**
 * The `<mcp-view>` element.
 *
 * Attributes:
 * - `src`: URI of the resource to show; by default the tool's.
 * - `sandbox`: address of the sandbox page; see `frame.ts`.
 * - `own-sandbox`: address of a sandbox for an app that declares a `domain`; the app keeps its
 *   origin there.
 * - `server-name`: shown in the header.
 * - `height`, `max-height`: in CSS pixels; without `height` the app chooses.
 * - `init-timeout`, `call-timeout`, `retry-delay`: in milliseconds, at most an hour; see `limits.ts` for the
 *   defaults.
 * - `links`: `open` lets the element open links that the page does not handle.
 * - `traffic`: emits `mcp-traffic` for every message.
 *
 * @example
 * const view = document.createElement('mcp-view')
 * view.server = { readResource, callTool }
 * view.tool = tool
 * view.toolInput = { path: '/notes.md' }
 * view.toolResult = result
 * document.body.append(view)
 */
export class McpView extends PageElement implements ViewHost {
  static readonly observedAttributes = ['src', 'sandbox', 'server-name', 'height', 'max-height']

  #server: ViewServer | null = null
  #tool: Tool | null = null
  #html: string | null = null
  #meta: ResourceMeta | null = null
  #input: Record<string, unknown> | null = null
  #partial: Record<string, unknown> | null = null
  #result: CallToolResult | null = null
  #context: Record<string, unknown> = {}
  #modes: readonly DisplayMode[] = ['inline', 'fullscreen']
  /** Key of what is shown; the view restarts only if it changes. */
  #shown: string | null = null
  #isScheduled = false
  #connected = new AbortController()

  /** Added to the capabilities that the element offers to apps; an undefined member removes one. */
  hostCapabilities: Record<string, unknown> = {}

  readonly #view = createView(this, () => this.#meta)

  /** Answers the app's requests; without one only `html` can be shown. */
  get server(): ViewServer | null {
    return this.#server
  }
  set server(server: ViewServer | null) {
    this.#server = server
    this.#scheduleUpdate()
  }

  /** The tool whose app is shown. */
  get tool(): Tool | null {
    return this.#tool
  }
  set tool(tool: Tool | null) {
    this.#tool = tool
    this.#scheduleUpdate()
  }

  /** HTML to show instead of a resource; `resourceMeta` then holds its CSP and permissions. */
  get html(): string | null {
    return this.#html
  }
  set html(html: string | null) {
    this.#html = html
    this.#scheduleUpdate()
  }

  /** What the page set for `html`, else what the resource declares. */
  get resourceMeta(): ResourceMeta | null {
    return this.#meta ?? this.#view.declared()
  }
  set resourceMeta(meta: ResourceMeta | null) {
    this.#meta = meta
    this.#scheduleUpdate()
  }

  /** The tool's arguments. The app receives them once; call `reload()` to send others. */
  get toolInput(): Record<string, unknown> | null {
    return this.#input
  }
  set toolInput(input: Record<string, unknown> | null) {
    this.#input = input
    if (input) this.#view.session()?.sendInput()
  }

  /** The arguments received so far, while they are still streamed; ignored once `toolInput` is set. */
  get toolInputPartial(): Record<string, unknown> | null {
    return this.#partial
  }
  set toolInputPartial(input: Record<string, unknown> | null) {
    this.#partial = input
    if (input && !this.#input) this.#view.session()?.notify(PARTIAL, { arguments: input })
  }

  /** The tool's result; setting it sends it to the app. */
  get toolResult(): CallToolResult | null {
    return this.#result
  }
  set toolResult(result: CallToolResult | null) {
    this.#result = result
    if (result) this.#view.end(RESULT, { ...result, content: result.content ?? [] })
  }

  /** Members that take precedence over the measured host context; changes are sent to the app. */
  get hostContext(): Record<string, unknown> {
    return this.#context
  }
  set hostContext(context: Record<string, unknown>) {
    this.#context = context
    this.#scheduleUpdate()
  }

  /** The display modes that the page allows; `inline` is always allowed. */
  get displayModes(): readonly DisplayMode[] {
    return this.#modes
  }
  set displayModes(modes: readonly DisplayMode[]) {
    this.#modes = modes
    this.#scheduleUpdate()
  }

  /** The current display mode. */
  get displayMode(): DisplayMode {
    return this.#view.mode()
  }

  /** The lifecycle state; `mcp-state` reports changes. */
  get state(): ViewState {
    return this.#view.state()
  }

  /** The app's name and capabilities; null before its handshake. */
  get app(): AppFacts | null {
    return this.#view.session()?.app() ?? null
  }

  /** The `src` attribute: URI of the resource to show; empty for the tool's. */
  get src(): string {
    return this.getAttribute('src') ?? ''
  }
  set src(uri: string) {
    this.setAttribute('src', uri)
  }

  /** The `sandbox` attribute: address of the sandbox page; empty for the default. */
  get sandbox(): string {
    return this.getAttribute('sandbox') ?? ''
  }
  set sandbox(url: string) {
    this.setAttribute('sandbox', url)
  }

  /**
   * Reports to the app that the tool call ended without a result.
   *
   * @param reason Shown or logged by the app, such as `denied by the user`.
   */
  cancel(reason?: string): void {
    this.#view.end(CANCELLED, reason === undefined ? {} : { reason })
  }

  /**
   * Forwards a list-changed notification of the server to the app.
   *
   * @param method The method of the notification; others than list-changed are ignored.
   */
  notify(method: string): void {
    if (LIST_CHANGED.test(method)) this.#view.session()?.notify(method, {})
  }

  /**
   * Lists or calls the tools that the app itself offers, or lets it show an elicitation (SEP-3118, a draft).
   *
   * @param params The params of the method; for a call, `name` and `arguments`.
   * @returns The app's result; the list is checked and cut, a call's result is only known to be an
   *   object, and what the app answers to an elicitation is not checked.
   * @throws {ViewError} If the app is not ready, does not declare the capability or returns an error.
   * @throws {DOMException} `TimeoutError` after 30 s, for an elicitation after `call-timeout`.
   */
  async callApp(
    method: 'tools/list' | 'tools/call' | 'elicitation/create',
    params: JsonRecord = {},
  ): Promise<unknown> {
    const session = this.#view.session()
    if (!session) throw refused('The app is not ready')
    if (!declaresCapability(this.app, method)) throw notFound(method)
    return APP_REQUESTS[method](this, session.request, params)
  }

  /**
   * Requests a display mode, as the app can; `mcp-display-mode` lets the page refuse it.
   *
   * @returns The mode in effect afterwards.
   */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    return this.#view.requestMode(mode)
  }

  /**
   * Closes the app and loads it again, with its input and its result.
   *
   * @returns Resolves when the frame is open; a failure is an `mcp-error` event, not a rejection.
   */
  async reload(): Promise<void> {
    this.#shown = this.isConnected ? this.#view.wanted() : null
    if (this.#shown !== null) await this.#view.start()
  }

  /**
   * Closes the app, which stays closed until `reload()` or until there is something else to show.
   *
   * @returns Resolves when the app has responded, or after 1 s.
   */
  close(): Promise<void> {
    return this.#view.close()
  }

  /** Starts watching the page, and shows the app if there is one. */
  connectedCallback(): void {
    this.#connected = new AbortController()
    const { signal } = this.#connected
    const { session } = this.#view
    watchPage(this, () => session()?.update(), signal)
    addEventListener('pagehide', () => void session()?.teardown(), { signal })
    // Properties set before the element was defined shadow the accessors; set them again.
    for (const [name, value] of Object.entries(this)) {
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, value)
    }
    this.#scheduleUpdate()
  }

  /** Keeps the frame after `moveBefore()`; any other move reloads it, as the browser discards the frame. */
  connectedMoveCallback(): void {}

  /** Ends the app; its frame is already gone. */
  disconnectedCallback(): void {
    this.#connected.abort()
    this.#shown = null
    if (this.state !== 'idle') this.#view.drop()
  }

  /** Updates the view after an attribute changed. */
  attributeChangedCallback(): void {
    this.#scheduleUpdate()
  }

  /** Checks, after the current task's changes, whether there is something else to show. */
  #scheduleUpdate(): void {
    this.#view.update()
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      const wanted = this.isConnected ? this.#view.wanted() : null
      if (wanted !== null && wanted !== this.#shown) void this.reload()
    })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-view': McpView
  }
}

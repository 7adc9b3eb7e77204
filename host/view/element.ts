/**
 * `<mcp-view>`: shows the app of a tool and speaks MCP Apps with it, in any page and without a framework.
 *
 * The page gives it a server, a tool, and what the tool was called with and answered; all that the app asks
 * for comes out as events, and what nobody answers is refused. The app runs on another origin
 * (`frame.ts`), is told nothing too early (`session.ts`), and comes back when it is lost (`life.ts`).
 * `test/pages/view.test.ts` shows it at work.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { watchSurroundings } from './context.ts'
import { notFound, refused } from './fault.ts'
import { CANCELLED, hasTools, PARTIAL, RESULT } from './session.ts'
import { callAppTool, listAppTools } from './tools.ts'
import type {
  AppFacts,
  CallToolResult,
  DisplayMode,
  ResourceMeta,
  Tool,
  ViewServer,
  ViewState,
} from './types.ts'
import { createView } from './view.ts'

const LIST_CHANGED = /^notifications\/(?:tools|resources|prompts)\/list_changed$/

export class McpView extends HTMLElement {
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
  /** What is shown, so that only something else begins anew. */
  #shown: string | null = null
  #looking = false
  #connected = new AbortController()

  /** Laid over what the element offers to apps; a member that is undefined takes one away. */
  hostCapabilities: Record<string, unknown> = {}

  readonly #view = createView(this, () => this.#meta)

  get server(): ViewServer | null {
    return this.#server
  }
  set server(server: ViewServer | null) {
    this.#server = server
    this.#look()
  }

  get tool(): Tool | null {
    return this.#tool
  }
  set tool(tool: Tool | null) {
    this.#tool = tool
    this.#look()
  }

  /** Shown instead of a resource, by the rules of `resourceMeta`. */
  get html(): string | null {
    return this.#html
  }
  set html(html: string | null) {
    this.#html = html
    this.#look()
  }

  /** What was given for `html`, else what the resource declares. */
  get resourceMeta(): ResourceMeta | null {
    return this.#meta ?? this.#view.declared()
  }
  set resourceMeta(meta: ResourceMeta | null) {
    this.#meta = meta
    this.#look()
  }

  /** An app is told its input once. It learns of another one by `reload()`. */
  get toolInput(): Record<string, unknown> | null {
    return this.#input
  }
  set toolInput(input: Record<string, unknown> | null) {
    this.#input = input
    if (input) this.#view.session()?.sayInput()
  }

  get toolInputPartial(): Record<string, unknown> | null {
    return this.#partial
  }
  set toolInputPartial(input: Record<string, unknown> | null) {
    this.#partial = input
    if (input && !this.#input) this.#view.session()?.say(PARTIAL, { arguments: input })
  }

  get toolResult(): CallToolResult | null {
    return this.#result
  }
  set toolResult(result: CallToolResult | null) {
    this.#result = result
    if (result) this.#view.end(RESULT, { ...result, content: result.content ?? [] })
  }

  get hostContext(): Record<string, unknown> {
    return this.#context
  }
  set hostContext(context: Record<string, unknown>) {
    this.#context = context
    this.#look()
  }

  get displayModes(): readonly DisplayMode[] {
    return this.#modes
  }
  set displayModes(modes: readonly DisplayMode[]) {
    this.#modes = modes
    this.#look()
  }

  get displayMode(): DisplayMode {
    return this.#view.mode()
  }

  get state(): ViewState {
    return this.#view.state()
  }

  get app(): AppFacts | null {
    return this.#view.session()?.app() ?? null
  }

  get src(): string {
    return this.getAttribute('src') ?? ''
  }
  set src(uri: string) {
    this.setAttribute('src', uri)
  }

  get sandbox(): string {
    return this.getAttribute('sandbox') ?? ''
  }
  set sandbox(url: string) {
    this.setAttribute('sandbox', url)
  }

  /** The tool's call has ended without a result. */
  cancel(reason?: string): void {
    this.#view.end(CANCELLED, reason === undefined ? {} : { reason })
  }

  /** Passes on that a list of the server has changed. */
  notify(method: string): void {
    if (LIST_CHANGED.test(method)) this.#view.session()?.say(method, {})
  }

  /** Lists or calls the app's own tools. */
  async callApp(method: 'tools/list' | 'tools/call', params: JsonRecord = {}): Promise<unknown> {
    const session = this.#view.session()
    if (!session) throw refused('The app is not ready')
    if (!hasTools(this.app)) throw notFound(method)
    return (method === 'tools/list' ? listAppTools : callAppTool)(this, session.ask, params)
  }

  /** Asks for a display mode, as the app does. Answers the one that is then in force. */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    return this.#view.requestMode(mode)
  }

  /** Lets the app go and loads it again, with its input and its result. */
  async reload(): Promise<void> {
    this.#shown = this.isConnected ? this.#view.wanted() : null
    if (this.#shown !== null) await this.#view.start()
  }

  /** Lets the app go. It stays away until `reload()`, or until there is something else to show. */
  close(): Promise<void> {
    return this.#view.close()
  }

  connectedCallback(): void {
    this.#connected = new AbortController()
    const { signal } = this.#connected
    const { session } = this.#view
    watchSurroundings(this, () => session()?.update(), signal)
    addEventListener('pagehide', () => void session()?.leave(), { signal })
    // Properties that were set before this class was there hide its own.
    for (const [name, value] of Object.entries(this)) {
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, value)
    }
    this.#look()
  }

  /** With `moveBefore()` the frame lives on; any other move has ended it already. */
  connectedMoveCallback(): void {}

  disconnectedCallback(): void {
    this.#connected.abort()
    this.#shown = null
    if (this.state !== 'idle') this.#view.drop()
  }

  attributeChangedCallback(): void {
    this.#look()
  }

  /** Looks, once the page is done with setting things, whether there is something else to show. */
  #look(): void {
    this.#view.update()
    if (this.#looking) return
    this.#looking = true
    queueMicrotask(() => {
      this.#looking = false
      const wanted = this.isConnected ? this.#view.wanted() : null
      if (wanted !== null && wanted !== this.#shown) void this.reload()
    })
  }
}

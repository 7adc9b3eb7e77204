/**
 * Combines what the page set on the element with the running app, its lifecycle and the shell.
 *
 * @module
 */

import { reachedBy } from '#core/csp.ts'
import type { JsonRecord } from '#core/json.ts'
import { sandboxAddress } from './address.ts'
import { setHeight } from './context.ts'
import type { McpView } from './element.ts'
import { ask, log, tell } from './events.ts'
import { Fault } from './fault.ts'
import type { Prepared } from './frame.ts'
import { createLife, type Life } from './life.ts'
import { readDeclared, readResource, resourceUriOf } from './resource.ts'
import { modesOf, PARTIAL, type Session } from './session.ts'
import { createShell } from './shell.ts'
import type { Declared, DisplayMode, ErrorCode, ResourceMeta, ViewState } from './types.ts'

/** The inside of one element. */
export interface View extends Life {
  readonly state: () => ViewState
  readonly mode: () => DisplayMode
  /** What the shown resource declares. */
  readonly declared: () => Declared | null
  /** Changes the display mode if allowed; resolves with the mode in effect. */
  readonly requestMode: (mode: DisplayMode) => Promise<DisplayMode>
  /** Sends how the tool's call ended, now and again after a restart. */
  readonly end: (method: string, params: JsonRecord) => void
  /** Key of what should be shown, which changes with it; null for nothing. */
  readonly wanted: () => string | null
  /** Updates the header, the mode and the app's host context. */
  readonly update: () => void
}

/**
 * Creates the inside of an element.
 *
 * @param meta The `resourceMeta` that the page set.
 */
export function createView(view: McpView, meta: () => ResourceMeta | null): View {
  let state: ViewState = 'idle'
  let mode: DisplayMode = 'inline'
  let declared: Declared | null = null
  let note = ''
  /** The notification that ended the tool's call. */
  let outcome: readonly [method: string, params: JsonRecord] | null = null

  const shell = createShell(view)
  const life = createLife(view, load, begun, enter)
  new ResizeObserver(() => life.session()?.update()).observe(shell.slot)

  const uri = () => view.src || resourceUriOf(view.tool)

  function wanted(): string | null {
    const { html, server, sandbox } = view
    const page = html === null ? server && uri() : [html, meta()]
    return page ? JSON.stringify([page, sandbox]) : null
  }

  async function load(signal: AbortSignal): Promise<Prepared> {
    const { html, server } = view
    const resource =
      html === null
        ? await readResource(server, uri(), signal)
        : { html, declared: readDeclared(meta()) }
    declared = resource.declared
    const own = declared.domain && view.getAttribute('own-sandbox')
    const sandbox = sandboxAddress(own || view.sandbox)
    if (!sandbox) throw new Fault('NO_SANDBOX')
    if (sandbox.origin === location.origin) throw new Fault('SANDBOX_NOT_APART')
    return { resource, sandbox, ownOrigin: Boolean(own) }
  }

  function begun(session: Session): void {
    shell.slot.replaceChildren(session.frame)
    log(view, 'info', declared)
    const { toolInput, toolInputPartial } = view
    if (toolInputPartial && !toolInput) session.say(PARTIAL, { arguments: toolInputPartial })
    if (outcome) session.say(...outcome)
  }

  function end(method: string, params: JsonRecord): void {
    outcome = [method, params]
    life.session()?.say(method, params)
  }

  function mayEnter(next: DisplayMode): boolean {
    const own = modesOf(view.app)
    return next === 'inline' || (view.displayModes.includes(next) && own?.includes(next) !== false)
  }

  async function requestMode(next: DisplayMode): Promise<DisplayMode> {
    if (next === mode || !mayEnter(next)) return mode
    const answer = await ask(view, 'mcp-display-mode', { mode: next, was: mode })
    if (answer !== false && view.isConnected) {
      mode = next
      update()
    }
    return mode
  }

  function enter(next: ViewState, fault?: Fault<ErrorCode>): void {
    const was = state
    state = next
    if (next === 'closed') mode = 'inline'
    note = fault?.message ?? (next === 'loading' ? 'Loading …' : '')
    update()
    if (next !== was) tell(view, 'mcp-state', { state })
    if (fault) tell(view, 'mcp-error', { code: fault.code, message: fault.message })
  }

  function update(): void {
    const { tool, app } = view
    const session = life.session()
    const name = app?.info.name ?? tool?.title ?? tool?.name ?? 'App'
    const reaches = declared ? reachedBy(declared.csp) : []
    shell.caption(
      name,
      view.getAttribute('server-name'),
      reaches.join(' '),
      note,
      state === 'failed',
    )
    shell.fit(mode, declared?.prefersBorder !== false, mayEnter('fullscreen'))
    if (!session) return
    session.frame.title = name
    if (view.hasAttribute('height')) setHeight(view, session.frame, 0)
    session.update()
  }

  return {
    ...life,
    state: () => state,
    mode: () => mode,
    declared: () => declared,
    requestMode,
    end,
    wanted,
    update,
  }
}

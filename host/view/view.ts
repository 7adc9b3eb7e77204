/**
 * Combines what the page set on the element with the running app, its lifecycle and the shell.
 *
 * @module
 */

import { listReachableOrigins } from '#core/csp.ts'
import type { JsonRecord } from '#core/json.ts'
import { setHeight } from './context.ts'
import type { ViewError } from './errors.ts'
import { askPage, emit, emitError, emitOwnLog } from './events.ts'
import { findSandbox, type Prepared } from './frame.ts'
import { modesOf } from './handshake.ts'
import { label } from './json.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { PARTIAL } from './notifications.ts'
import { createResource, readResource, resourceUriOf } from './resource.ts'
import type { Session } from './session.ts'
import { createShell } from './shell.ts'
import type {
  Declared,
  DisplayMode,
  ErrorCode,
  ResourceMeta,
  ViewHost,
  ViewState,
} from './types.ts'

/** The inside of one element. */
export interface View extends Lifecycle {
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
 * Creates the inside of an element; one long closure for the reason given in `lifecycle.ts`.
 *
 * @param meta Returns the `resourceMeta` that the page set.
 */
export function createView(view: ViewHost, meta: () => ResourceMeta | null): View {
  let state: ViewState = 'idle'
  let mode: DisplayMode = 'inline'
  let declared: Declared | null = null
  let note = ''
  /** The notification that ended the tool's call. */
  let outcome: readonly [method: string, params: JsonRecord] | null = null

  const shell = createShell(view)
  const lifecycle = createLifecycle(view, load, begin, enter)
  const { session } = lifecycle
  new ResizeObserver(() => session()?.update()).observe(shell.slot)

  async function load(signal: AbortSignal): Promise<Prepared> {
    const { html, server } = view
    const resource =
      html === null ? await readResource(server, uriOf(view), signal) : createResource(html, meta())
    declared = resource.declared
    for (const warning of resource.warnings) emitOwnLog(view, 'warning', warning)
    return { resource, ...findSandbox(view, declared) }
  }

  function begin(started: Session): void {
    shell.slot.replaceChildren(started.frame)
    emitOwnLog(view, 'info', declared)
    const { toolInput, toolInputPartial } = view
    if (toolInputPartial && !toolInput) started.notify(PARTIAL, { arguments: toolInputPartial })
    if (outcome) started.notify(...outcome)
  }

  function end(...ending: [method: string, params: JsonRecord]): void {
    outcome = ending
    session()?.notify(...ending)
  }

  async function requestMode(next: DisplayMode): Promise<DisplayMode> {
    if (next === mode || !isAllowed(view, next)) return mode
    const answer = await askPage(view, 'mcp-display-mode', { mode: next, was: mode })
    // A box that enters the top layer later is drawn over an open dialog, and clicks on it reach the dialog.
    if (answer !== false && view.isConnected && (next === 'inline' || shell.isOnTop())) {
      mode = next
      update()
    }
    return mode
  }

  function enter(next: ViewState, error?: ViewError<ErrorCode>): void {
    const before = state
    state = next
    if (next === 'closed') mode = 'inline'
    note = error?.message ?? (next === 'loading' ? 'Loading …' : '')
    update()
    if (next !== before) emit(view, 'mcp-state', { state })
    if (error) emitError(view, error)
  }

  function update(): void {
    const { tool, app } = view
    const current = session()
    const name = app?.info.name ?? label(tool?.title) ?? label(tool?.name) ?? 'App'
    const origins = declared ? listReachableOrigins(declared.csp).join(' ') : ''
    shell.caption(name, view.getAttribute('server-name'), origins, note, state === 'failed')
    shell.fit(mode, declared?.prefersBorder !== false, isAllowed(view, 'fullscreen'))
    if (!current) return
    current.frame.title = name
    if (view.hasAttribute('height')) setHeight(view, current.frame, 0)
    current.update()
  }

  return {
    ...lifecycle,
    state: () => state,
    mode: () => mode,
    declared: () => declared,
    requestMode,
    end,
    wanted: () => keyOf(view, meta),
    update,
  }
}

const uriOf = ({ src, tool }: ViewHost) => src || resourceUriOf(tool)

function keyOf(view: ViewHost, meta: () => ResourceMeta | null): string | null {
  const { html, server, sandbox } = view
  const page = html === null ? server && uriOf(view) : [html, meta()]
  return page ? JSON.stringify([page, sandbox]) : null
}

function isAllowed({ app, displayModes }: ViewHost, mode: DisplayMode): boolean {
  return (
    mode === 'inline' || (displayModes.includes(mode) && modesOf(app)?.includes(mode) !== false)
  )
}

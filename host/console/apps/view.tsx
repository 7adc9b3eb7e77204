/**
 * An MCP App in the page: `<mcp-view>` with the console's connection; tool calls of the app ask
 * the user as the tool's approval level requires. The element reads its colours from the page.
 *
 * @module
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isRecord, type JsonRecord } from '#core/json.ts'
import { ASKS_CAPABILITY, SHARES_CAPABILITY } from '#core/wire.ts'
import '../../mcp-view.ts'
import { McpView } from '../../view/element.ts'
import { resourceUriOf } from '../../view/resource.ts'
import type { Connection } from '../../mcp/connection.ts'
import { connection } from '../connect/connection.ts'
import { emulate } from '../emulation/emulate.ts'
import type { EmulatedHost } from '../emulation/hosts.ts'
import { createAppQuestions } from '../questions/app-questions.ts'
import { createAppReads, type AppReads } from '../questions/app-reads.ts'
import { addMessage, setContext, type Speaker } from '../conversation/conversation.ts'
import { appSettings } from './app-settings.tsx'
import { handleOpenLink, type AskingApp } from './open-link.ts'
import { recoverStructured } from './older-forms.ts'
import { KeptReads } from './kept-reads.tsx'
import { createViewServer, toDefinition, type AppProps, type ShownApp } from './view-server.ts'

export interface ViewProps extends AppProps {
  readonly input?: JsonRecord
  /** The result as received. */
  readonly result?: JsonRecord
  /** `fill` takes the height of the container. Without it the app chooses. */
  readonly height?: 'fill'
  readonly modes?: readonly ('inline' | 'fullscreen' | 'pip')[]
  /** The host that the app is shown as; by default our own. */
  readonly as?: EmulatedHost | null
  /** Called with the events of the element that the console uses. */
  readonly onEvent?: (event: CustomEvent) => void
  /** Called with the element, and with null before it is removed. */
  readonly onElement?: (view: McpView | null) => void
}

const EVENTS = [
  'mcp-state',
  'mcp-error',
  'mcp-open-link',
  'mcp-message',
  'mcp-model-context',
  'mcp-download',
  'mcp-display-mode',
  'mcp-log',
  'mcp-call',
  'mcp-teardown-request',
] as const

/** The view of a tool, which its server may change. */
const viewOf = (tool: ViewProps['tool']) => tool && resourceUriOf(toDefinition(tool))

/** Shows an app while there is a connection. */
export function View(props: ViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<McpView | null>(null)
  const latest = useRef(props)
  latest.current = props
  const open = connection.value
  const [state, setState] = useState('idle')
  const [reads, setReads] = useState<AppReads | null>(null)

  // The end of any other effect comes after the place, and with it the app, has been removed.
  useLayoutEffect(() => {
    if (!open || !place.current) return
    const app = prepareApp(open, latest)
    const { element, questions, reads } = app
    setReads(reads)
    view.current = element
    // What an app asks is withdrawn when it is closed or loaded again.
    let asking = new AbortController()
    const withdraw = () => {
      asking.abort()
      asking = new AbortController()
    }
    const forward = (event: Event) => {
      if (!(event instanceof CustomEvent)) return
      if (event.type === 'mcp-state') setState(element.state)
      if (event.type === 'mcp-state' && element.state !== 'ready') withdraw()
      if (event.type === 'mcp-state') noteState(app)
      latest.current.onEvent?.(event)
      const { name } = latest.current
      serveApp(event, { server: open.url, app: { name, questions } }, asking.signal)
    }
    for (const name of EVENTS) element.addEventListener(name, forward)
    const stop = applyHeight(element, place.current, latest.current.height)
    place.current.append(element)
    latest.current.onElement?.(element)
    return () => {
      stop()
      withdraw()
      latest.current.onElement?.(null)
      void endApp(element)
    }
  }, [open, props.uri, props.tool?.name, viewOf(props.tool), props.as])

  useEffect(() => {
    if (view.current && props.result) view.current.toolResult = recoverStructured(props.result)
  }, [props.result])

  return (
    <>
      <div
        class={`viewplace ${props.height === 'fill' ? 'fills' : ''}`}
        data-testid="view"
        data-state={state}
        ref={place}
      />
      {reads && <KeptReads key={reads} reads={reads} />}
    </>
  )
}

/** Forgets refusals when the person loads the app, and ends what was allowed to another page. */
function noteState({ element, questions, reads, page }: ShownApp): void {
  const { state, resourceMeta } = element
  if (state === 'loading') {
    questions.reset()
    reads.reset()
  }
  if (state === 'connecting') reads.setPage(JSON.stringify([page, resourceMeta]))
}

/**
 * Ends an app, which may save something during its teardown, and then removes its element. Until then it is hidden at
 * the end of the page, because its place is removed at once.
 */
async function endApp(element: McpView): Promise<void> {
  element.hidden = true
  // A browser without such moves would load the app again.
  if ('moveBefore' in document.body) document.body.moveBefore(element, null)
  await element.close().finally(() => element.remove())
}

/**
 * Serves what the console advertises to every app, wherever it is shown: links open after a question,
 * messages and model context go to the conversation. The element serves downloads itself.
 */
function serveApp(
  event: CustomEvent,
  { server, app }: { readonly server: string; readonly app: AskingApp },
  signal: AbortSignal,
): void {
  const speaker: Speaker = { server, app: app.name }
  if (event.type === 'mcp-open-link') handleOpenLink(event, app, signal)
  if (event.type === 'mcp-message') respond(event, addMessage(speaker, event.detail))
  if (event.type === 'mcp-model-context') respond(event, setContext(speaker, event.detail))
}

function respond({ detail }: CustomEvent, answer: boolean): void {
  if (isRecord(detail) && typeof detail['respondWith'] === 'function')
    detail['respondWith'](Promise.resolve(answer))
}

function prepareApp(open: Connection, latest: { readonly current: ViewProps }): ShownApp {
  const { uri, name, tool, input, result, modes, as, elicits, isOfConsole } = latest.current
  const element = new McpView()
  const [questions, reads] = [createAppQuestions(), createAppReads()]
  const app: ShownApp = { latest, element, questions, reads, page: null }
  element.server = createViewServer(open, app)
  element.hostCapabilities = {
    sampling: {},
    ...(elicits && { elicitation: {} }),
    // A page of the console has one question for a change, and one dialog to share: those of the console.
    ...(isOfConsole && { experimental: { [ASKS_CAPABILITY]: {}, [SHARES_CAPABILITY]: {} } }),
  }
  // A person may be asked, who needs more than the two minutes of the element.
  const { app_start_seconds: start, app_call_seconds: call } = appSettings()
  element.setAttribute('init-timeout', String(start * 1000))
  element.setAttribute('call-timeout', String(call * 1000))
  // A page without a script reports no name, so the tool provides one.
  element.tool = tool ? toDefinition(tool) : { name }
  if (uri !== undefined) element.src = uri
  if (input) element.toolInput = input
  if (result) element.toolResult = recoverStructured(result)
  if (modes) element.displayModes = modes
  if (as) emulate(element, as)
  return app
}

/** Height in pixels of what the element shows around an app. */
const FRAME_PX = 36

/** Sets the height of an app; returns the function that stops updating it. */
function applyHeight(
  element: McpView,
  place: HTMLElement,
  height: ViewProps['height'],
): () => void {
  if (height !== 'fill') return () => {}
  const fit = () =>
    element.setAttribute('height', String(Math.max(place.clientHeight - FRAME_PX, 200)))
  const observer = new ResizeObserver(fit)
  observer.observe(place)
  fit()
  return () => observer.disconnect()
}

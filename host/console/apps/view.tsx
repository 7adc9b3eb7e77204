/**
 * An MCP App in the page: `<mcp-view>` with the console's connection; tool calls of the app ask
 * the user as the tool's approval level requires. The element reads its colours from the page.
 *
 * @module
 */

import { reachedBy, readCsp } from '#core/csp.ts'
import { ERROR_META, TITLED_ATTRIBUTE } from '#core/wire.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import '../../mcp-view.ts'
import { McpView } from '../../view/element.ts'
import { resourceUriOf } from '../../view/resource.ts'
import type { ViewServer } from '../../view/types.ts'
import { answerSampling } from '../../mcp/sampling.ts'
import type { Connection } from '../../mcp/connection.ts'
import type { CallToolResult, Sampling, Tool } from '../../mcp/types.ts'
import { callAsApp } from '../tools/calls.ts'
import { connection } from '../connect/connection.ts'
import { emulate } from '../emulation/emulate.ts'
import type { EmulatedHost } from '../emulation/hosts.ts'
import { createAppQuestions, type AppQuestions } from '../questions/app-questions.ts'
import { createAppReads, type AppReads } from '../questions/app-reads.ts'
import type { CallingApp } from '../questions/calling-app.ts'
import { askForAnswer } from '../questions/queue.ts'
import { addMessage, setContext, type Speaker } from '../conversation/conversation.ts'
import { appSettings } from './app-settings.tsx'
import { handleOpenLink } from './open-link.ts'
import { convertContent, convertTool, recoverStructured } from './older-forms.ts'
import { textIn } from '../ui/storage.ts'
import { requestAsApp } from './app-requests.ts'
import { KeptReads } from './kept-reads.tsx'
import { setOwnSandbox } from './own-origin.ts'

/** Props of {@link View}. */
export interface ViewProps {
  /** The resource to show, if it is not the tool's. */
  readonly uri?: string
  readonly tool?: Tool
  readonly input?: JsonRecord
  /** The result as received. */
  readonly result?: JsonRecord
  /** The app's name in questions. */
  readonly name: string
  /** `fill` takes the height of the container; a number is in pixels. Without it the app chooses. */
  readonly height?: 'fill' | number
  readonly modes?: readonly ('inline' | 'fullscreen' | 'pip')[]
  /** The host that the app is shown as; by default our own. */
  readonly as?: EmulatedHost | null
  /** Whether it is a page of the console, by which the user reads their own files: stored denials bind apps. */
  readonly isOfConsole?: boolean
  /** Whether the app is shown for an elicitation, which it may answer. */
  readonly elicits?: boolean
  /** Whether the page's own title is beside it (`TITLED_ATTRIBUTE`). */
  readonly isTitled?: boolean
  /** Called with the events of the element that the console uses. */
  readonly onEvent?: (event: CustomEvent) => void
  /** Called with the result of each tool call that the app makes. */
  readonly onResult?: (result: CallToolResult) => void
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

/** Shows an app while there is a connection. */
export function View(props: ViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<McpView | null>(null)
  const latest = useRef(props)
  latest.current = props
  const open = connection.value
  const [state, setState] = useState('idle')
  const [reads, setReads] = useState<AppReads | null>(null)

  useEffect(() => {
    if (!open || !place.current) return
    const app: ShownApp = { questions: createAppQuestions(), reads: createAppReads(), page: null }
    const { questions } = app
    const element = createView(open, latest, app)
    setReads(app.reads)
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
      if (event.type === 'mcp-state') noteState(element, app)
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
      // The app may save something during its teardown, so the element is removed afterwards.
      void element.close().finally(() => element.remove())
    }
  }, [open, props.uri, props.tool?.name, props.as])

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

/** What the console keeps of an app while it is shown. */
interface ShownApp {
  readonly questions: AppQuestions
  readonly reads: AppReads
  /** The resource that the element has loaded. */
  page: unknown
}

/** Forgets refusals when the person loads the app, and ends what was allowed to another page. */
function noteState({ state, resourceMeta }: McpView, { questions, reads, page }: ShownApp): void {
  if (state === 'loading') {
    questions.reset()
    reads.reset()
  }
  if (state === 'connecting') reads.setPage(JSON.stringify([page, resourceMeta]))
}

/**
 * Serves what the console advertises to every app, wherever it is shown: links open after a question,
 * messages and model context go to the conversation. The element serves downloads itself.
 */
function serveApp(
  event: CustomEvent,
  {
    server,
    app,
  }: { readonly server: string; readonly app: Pick<CallingApp, 'name' | 'questions'> },
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

function createView(
  open: Connection,
  latest: { readonly current: ViewProps },
  app: ShownApp,
): McpView {
  const { uri, tool, input, result, modes, as, elicits } = latest.current
  const element = new McpView()
  element.server = createViewServer(open, latest, element, app)
  element.hostCapabilities = { sampling: {}, ...(elicits && { elicitation: {} }) }
  // A person may be asked, who needs more than the two minutes of the element.
  const { app_start_seconds: start, app_call_seconds: call } = appSettings()
  element.setAttribute('init-timeout', String(start * 1000))
  element.setAttribute('call-timeout', String(call * 1000))
  // A page without a script reports no name, so the tool provides one.
  element.tool = tool ? toDefinition(tool) : { name: latest.current.name }
  if (uri !== undefined) element.src = uri
  if (input) element.toolInput = input
  if (result) element.toolResult = recoverStructured(result)
  if (modes) element.displayModes = modes
  if (as) emulate(element, as)
  return element
}

function createViewServer(
  open: Connection,
  latest: { readonly current: ViewProps },
  element: McpView,
  shown: ShownApp,
): ViewServer {
  const { questions, reads } = shown
  const { host } = new URL(open.url)
  const { tool, isOfConsole = false } = latest.current
  const readsOfApp = isOfConsole ? null : reads
  const reaches = () => reachedBy(readCsp(element.resourceMeta?.csp).csp)
  const ownUri = latest.current.uri ?? resourceUriOf(tool ? toDefinition(tool) : null)
  const send: Connection['request'] = (method, params = {}, options) =>
    // The user opened the page itself. An app that reads it again learns nothing.
    isOfConsole || (method === 'resources/read' && params['uri'] === ownUri)
      ? open.request(method, params, options)
      : requestAsApp(open, { method, params }, options)
  const request = async (method: string, params: unknown, options: { signal: AbortSignal }) => {
    if (method !== 'sampling/createMessage') return send(method, recordOf(params), options)
    const ask = (wanted: Sampling) =>
      questions.ask({
        ask: (signal) => askForAnswer(wanted, host, signal, latest.current.name),
        no: null,
        isRefusal: (answer) => answer === null,
        signal: options.signal,
      })
    return recordOf(await answerSampling(recordOf(params), ask))
  }
  const convert = (content: unknown) =>
    latest.current.isTitled ? markTitled(convertContent(content)) : convertContent(content)
  return {
    async readResource(uri, options) {
      // The element chooses the sandbox after it has read the app.
      await setOwnSandbox(element, open.url, uri)
      // The element reads before it runs the app, which may read its own page as well.
      const isLoading = element.state === 'loading'
      const { contents } = await request('resources/read', { uri }, options)
      if (isLoading) shown.page = contents
      return { contents: Array.isArray(contents) ? contents.map(convert) : [] }
    },
    tools: () => open.tools.map(toDefinition),
    request,
    async callTool({ name, arguments: args = {}, _meta = {} }, { signal }) {
      const tool = open.tools.find((one) => one.name === name)
      if (!tool) throw new Error(`Cannot call ${name}: the server has no such tool`)
      const app = { name: latest.current.name, questions, isOfConsole, reaches, reads: readsOfApp }
      const outcome = await callAsApp(open, tool, args, app, { meta: _meta, signal })
      if (outcome.status === 'gave-up' && outcome.reason === 'changed')
        throw new Error(`Cannot call ${name}: the server has changed the tool. Call it again`)
      if (outcome.status !== 'done') return DENIED
      latest.current.onResult?.(outcome.result)
      return outcome.result.raw
    },
  }
}

/** Sets the attribute on the page. A page of another server ignores it. */
function markTitled(content: unknown): unknown {
  const text = textIn(content, 'text')
  if (text === null || !isRecord(content)) return content
  return { ...content, text: text.replace(/<html\b/i, `<html ${TITLED_ATTRIBUTE}`) }
}

/** Height in pixels of what the element shows around an app. */
const FRAME_PX = 36

/** Sets the height of an app; returns the function that stops updating it. */
function applyHeight(
  element: McpView,
  place: HTMLElement,
  height: ViewProps['height'],
): () => void {
  if (height !== 'fill') {
    if (height !== undefined) element.setAttribute('height', String(height))
    return () => {}
  }
  const fit = () =>
    element.setAttribute('height', String(Math.max(place.clientHeight - FRAME_PX, 200)))
  const observer = new ResizeObserver(fit)
  observer.observe(place)
  fit()
  return () => observer.disconnect()
}

/** The definition as received, which the element passes on to the app. */
const toDefinition = ({ raw, name }: Tool) => ({ ...convertTool(raw), name })

const DENIED = {
  isError: true,
  content: [{ type: 'text', text: 'The person denied this call [DENIED_BY_PERSON]' }],
  _meta: { [ERROR_META]: { code: 'DENIED_BY_PERSON' } },
}

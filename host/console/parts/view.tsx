/**
 * An app in the page: `<mcp-view>` with the connection behind it, and the person between the app and
 * every call it wants to make. Colours it reads from the page by itself.
 *
 * @module
 */

import { ERROR_META } from '#core/wire.ts'
import { useEffect, useRef } from 'preact/hooks'
import { recordOf, type JsonRecord } from '#core/json.ts'
import '../../mcp-view.ts'
import { McpView } from '../../view/element.ts'
import type { ViewServer } from '../../view/types.ts'
import type { Connection, Tool } from '../../connection/types.ts'
import { callAsApp } from '../state/calls.ts'
import { connection } from '../state/link.ts'

export interface ViewProps {
  /** The resource to show, where it is not the tool's. */
  readonly uri?: string
  readonly tool?: Tool
  readonly input?: JsonRecord
  /** The result as it came. */
  readonly result?: JsonRecord
  /** What to call it, where it asks for something. */
  readonly name: string
  /** As high as its place, or so many pixels, whatever the app would like. */
  readonly height?: 'fill' | number
  readonly modes?: readonly ('inline' | 'fullscreen' | 'pip')[]
  /** Told of everything that the app does. */
  readonly onEvent?: (event: CustomEvent) => void
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

export function View(props: ViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<McpView | null>(null)
  const latest = useRef(props)
  latest.current = props
  const open = connection.value

  useEffect(() => {
    if (!open || !place.current) return
    const element = made(open, latest)
    view.current = element
    const told = (event: Event) => {
      if (event instanceof CustomEvent) latest.current.onEvent?.(event)
    }
    for (const name of EVENTS) element.addEventListener(name, told)
    const stop = sized(element, place.current, latest.current.height)
    place.current.append(element)
    latest.current.onElement?.(element)
    return () => {
      stop()
      latest.current.onElement?.(null)
      // The app may save something before it goes; the frame leaves with its element.
      void element.close().finally(() => element.remove())
    }
  }, [open, props.uri, props.tool?.name])

  useEffect(() => {
    if (view.current && props.result) view.current.toolResult = props.result
  }, [props.result])

  return <div class={`viewplace ${props.height === 'fill' ? 'fills' : ''}`} ref={place} />
}

function made(open: Connection, latest: { readonly current: ViewProps }): McpView {
  const { uri, tool, input, result, modes } = latest.current
  const element = new McpView()
  element.server = serverOf(open, latest)
  // A page without a script has no name of its own.
  element.tool = tool ? listed(tool) : { name: latest.current.name }
  if (uri !== undefined) element.src = uri
  if (input) element.toolInput = input
  if (result) element.toolResult = result
  if (modes) element.displayModes = modes
  return element
}

function serverOf(open: Connection, latest: { readonly current: ViewProps }): ViewServer {
  const request = (method: string, params: unknown, options: { signal: AbortSignal }) =>
    open.request(method, recordOf(params), options)
  return {
    async readResource(uri, options) {
      const { contents } = await request('resources/read', { uri }, options)
      return { contents: Array.isArray(contents) ? contents : [] }
    },
    tools: () => open.tools.map(listed),
    request,
    async callTool({ name, arguments: args = {}, _meta = {} }, { signal }) {
      const tool = open.tools.find((one) => one.name === name)
      if (!tool) throw new Error(`There is no tool ${name}`)
      const outcome = await callAsApp(open, tool, args, latest.current.name, {
        meta: _meta,
        signal,
      })
      return outcome.status === 'done' ? outcome.result.raw : DENIED
    },
  }
}

/** What the element draws around an app, in pixels. */
const FRAME = 36

/** Gives an app its height; answers how to stop. */
function sized(element: McpView, place: HTMLElement, height: ViewProps['height']): () => void {
  if (height !== 'fill') {
    if (height !== undefined) element.setAttribute('height', String(height))
    return () => {}
  }
  const fit = () =>
    element.setAttribute('height', String(Math.max(place.clientHeight - FRAME, 200)))
  const observer = new ResizeObserver(fit)
  observer.observe(place)
  fit()
  return () => observer.disconnect()
}

/** The definition as it came, for apps that are told of their tool. */
const listed = ({ raw, name }: Tool) => ({ ...raw, name })

const DENIED = {
  isError: true,
  content: [{ type: 'text', text: 'The person denied this call [DENIED_BY_PERSON]' }],
  _meta: { [ERROR_META]: { code: 'DENIED_BY_PERSON' } },
}

/**
 * A page that embeds `<mcp-view>` as another site would, driven by the test through `lab`.
 *
 * Servers are made of data: resources by address, and tools that echo, fail, break or never answer.
 * Every request to a server, and every event of a view, is kept in `lab.log`.
 *
 * @module
 */

export interface Content {
  readonly uri?: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface ToolSpec {
  readonly name: string
  readonly _meta?: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, unknown>>
  /** What a call does; it echoes its arguments unless this says otherwise. */
  readonly behaviour?: 'fails' | 'breaks' | 'hangs' | 'huge'
}

export interface ServerSpec {
  readonly resources: Readonly<Record<string, Content>>
  /** Entries of `resources/list`, if the server has one. */
  readonly listed?: readonly Readonly<Record<string, unknown>>[]
  readonly tools?: readonly ToolSpec[]
}

export interface ViewSpec {
  readonly name: string
  readonly server: ServerSpec
  readonly tool?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly properties?: Readonly<Record<string, unknown>>
  /** What the page answers when the view asks, by the event's name; without, it does not answer. */
  readonly answers?: Readonly<Record<string, unknown>>
}

export interface Entry {
  readonly view: string
  /** An event's name, `read`, `call`, or `request`. */
  readonly type: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Of `<mcp-view>`, what this page uses. */
export interface View extends HTMLElement {
  state: string
  displayMode: string
  app: unknown
  resourceMeta: unknown
  toolInput: unknown
  toolInputPartial: unknown
  toolResult: unknown
  hostContext: unknown
  displayModes: readonly string[]
  cancel(reason?: string): void
  notify(method: string): void
  callApp(method: string, params: unknown): Promise<unknown>
  reload(): Promise<void>
  close(): Promise<void>
}

export interface Posted {
  readonly origin: string
  readonly data: unknown
}

const EVENTS = [
  'mcp-state',
  'mcp-error',
  'mcp-open-link',
  'mcp-message',
  'mcp-model-context',
  'mcp-download',
  'mcp-display-mode',
  'mcp-size',
  'mcp-log',
  'mcp-call',
  'mcp-teardown-request',
  'mcp-traffic',
]

/** The log of a flood is its beginning. */
const LOG_LIMIT = 5000

const log: Entry[] = []
/** Messages that this window received from any source. */
const posted: Posted[] = []

const note = (entry: Entry) => void (log.length < LOG_LIMIT && log.push(entry))

window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
  if (posted.length < LOG_LIMIT) posted.push({ origin, data })
})

async function mount(spec: ViewSpec): Promise<void> {
  await customElements.whenDefined('mcp-view')
  const view = document.createElement('mcp-view')
  view.id = spec.name
  for (const [name, value] of Object.entries(spec.attributes ?? {})) view.setAttribute(name, value)
  for (const type of EVENTS) view.addEventListener(type, (event) => heard(spec, type, event))
  const { tool } = spec
  const definition = spec.server.tools?.find(({ name }) => name === tool)
  Object.assign(view, { server: serverOf(spec), ...(definition && { tool: definition }) })
  Object.assign(view, spec.properties)
  document.querySelector('main')?.prepend(view)
}

function heard(spec: ViewSpec, type: string, event: Event): void {
  if (!(event instanceof CustomEvent)) return
  const detail: unknown = event.detail
  const respond: unknown = Reflect.get(Object(detail), 'respondWith')
  if (typeof respond === 'function' && spec.answers && type in spec.answers)
    Reflect.apply(respond, detail, [Promise.resolve(spec.answers[type])])
  note({ view: spec.name, type, detail: plain(detail) })
}

/** Returns the parts of a value that JSON can carry to the test. */
function plain(value: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(value, (_, field: unknown) =>
    field instanceof Error ? { message: field.message } : field,
  )
  return Object(JSON.parse(text ?? '{}')) as Readonly<Record<string, unknown>>
}

function serverOf({ name, server }: ViewSpec): object {
  return {
    async readResource(uri: string) {
      note({ view: name, type: 'read', detail: { uri } })
      const content = server.resources[uri]
      if (!content) throw Object.assign(new Error(`There is no ${uri}`), { code: -32002 })
      return { contents: [{ uri, ...content }] }
    },
    async callTool(params: { name: string; arguments?: Readonly<Record<string, unknown>> }) {
      note({ view: name, type: 'call', detail: plain(params) })
      const tool = server.tools?.find((candidate) => candidate.name === params.name)
      return outcomeOf(tool?.behaviour, params)
    },
    tools: () => server.tools ?? [],
    async request(method: string, params: unknown) {
      note({ view: name, type: 'request', detail: plain({ method, params }) })
      if (method === 'resources/list' && server.listed) return { resources: server.listed }
      if (method === 'prompts/list') return { prompts: [{ name: 'a prompt' }] }
      throw Object.assign(new Error(`There is no ${method}`), { code: -32601 })
    },
  }
}

function outcomeOf(behaviour: ToolSpec['behaviour'], params: object): unknown {
  if (behaviour === 'hangs') return new Promise(() => {})
  if (behaviour === 'breaks') throw new Error('The connection broke')
  if (behaviour === 'huge') return { content: [{ type: 'text', text: 'x'.repeat(20_000_000) }] }
  const content = [{ type: 'text', text: behaviour ?? 'echo' }]
  if (behaviour === 'fails') return { content, isError: true }
  return { content, structuredContent: plain(params) }
}

function view(name: string): View {
  const found = document.getElementById(name)
  if (!found) throw new Error(`There is no view ${name}`)
  return found as View
}

/** What a view did, in its order. */
const entries = (name: string, type?: string): Entry[] =>
  log.filter((entry) => entry.view === name && (type === undefined || entry.type === type))

const lab = { mount, view, entries, log, posted }

export type Lab = typeof lab

declare global {
  // oxlint-disable-next-line no-var -- the only word that declares a global
  var lab: Lab
}

globalThis.lab = lab

/**
 * A connection to an MCP server: it replaces a broken session with a new one and keeps listeners
 * and subscriptions.
 *
 * Its users see neither the protocol eras nor the reconnecting. `test/pages/host/connection.slow.test.ts`
 * drives it against this product and against the official example server.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { parseAddress } from './address.ts'
import { ConnectionError, makeProblem, type ProblemKind, problemOf } from './errors.ts'
import { createEvents, emitNotification, type Events } from './events.ts'
import { explainProblem, openSession, type SessionEvents } from './open-session.ts'
import { Reconnecting } from './reconnect.ts'
import { createRequest, listAllTools, TypedRequests, type Request } from './requests.ts'
import {
  hasCapability,
  hasPolicySupport,
  readCapabilities,
  readConfigSchema,
} from './server-info.ts'
import { debounce } from './schedule.ts'
import type { Session } from './session.ts'
import { Subscriptions } from './subscriptions.ts'
import type {
  CallOptions,
  Connection,
  ConnectionEvents,
  ConnectionState,
  ConnectOptions,
} from './connection.ts'
import type { Tool } from './types.ts'

/** List-changed notifications often come in bursts; they are gathered for this long. */
const DEBOUNCE_MS = 100
const PING_TIMEOUT_MS = 10_000

/** A ping that fails can report the next error itself, so pings keep a distance. */
const PING_PACE = { delay: DEBOUNCE_MS, interval: 5_000 }

/** Problems on opening a notification stream that mean that the session is broken. */
const BREAKING: ReadonlySet<ProblemKind> = new Set<ProblemKind>([
  'unreachable',
  'closed',
  'timeout',
])

/**
 * Connects to an MCP server and loads its tool list.
 *
 * In the modern era it also sends one request that depends on the configuration, so that a
 * configuration which the server refuses fails here.
 *
 * @param options `url` is required. `signal` cancels connecting only; `close()` ends an open
 *   connection.
 * @returns An open connection, which reconnects by itself until it is closed. The caller closes it.
 * @throws {ConnectionError} `problem` describes what went wrong.
 * @example
 * const connection = await connect({ url: 'https://example.com/mcp' })
 * const result = await connection.call('read_file', { path: '/notes.md' })
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const settings = { ...options, url: parseAddress(options.url) }
  const { configuration } = options
  if (configuration !== undefined && configuration !== null && !isRecord(configuration))
    throw new ConnectionError(makeProblem('configuration', 'The configuration must be an object.'))
  const incoming = createEvents<SessionEvents>()
  const first = await openSession(settings, incoming)
  const connection = new HttpConnection(settings, first, incoming)
  try {
    await connection.load(first)
  } catch (error) {
    void connection.close()
    throw new ConnectionError(await explainProblem(problemOf(error), settings), { cause: error })
  }
  return connection
}

/** A connection over HTTP. Its members are documented in {@link Connection}. */
class HttpConnection extends TypedRequests implements Connection {
  readonly url: string
  readonly request: Request
  readonly #settings: ConnectOptions
  readonly #events = createEvents<ConnectionEvents>()
  readonly #sessions: Reconnecting<Session>
  readonly #subscriptions: Subscriptions
  #tools: readonly Tool[] = []
  /** Settles when the last released session is closed. */
  #released = Promise.resolve()

  /**
   * @param first A session that was just opened.
   * @param incoming Emits what arrives in this session and in the ones that replace it.
   */
  constructor(settings: ConnectOptions, first: Session, incoming: Events<SessionEvents>) {
    super()
    this.url = settings.url
    this.#settings = settings
    // The signal cancels the first attempt only, not later reconnects.
    const { signal: _, ...later } = settings
    this.#sessions = new Reconnecting(first, {
      open: () => openSession(later, incoming),
      onOpen: (session) => void this.#restore(session),
      release: (session) => this.#release(session),
      onChange: (state) => this.#onState(state),
    })
    this.#subscriptions = new Subscriptions(settings.paused ?? false, (session, error) =>
      this.#sessions.reportBroken(session, problemOf(error)),
    )
    this.request = createRequest(this.#sessions, (problem) => settings.onUnauthorized?.(problem))
    this.#listen(incoming)
    void this.#subscribeAll(first)
  }

  get era() {
    return this.#sessions.last.era
  }

  get protocolVersion() {
    return this.#sessions.last.version
  }

  get session() {
    return this.#sessions.last.session
  }

  get server() {
    return this.#sessions.last.server
  }

  get instructions() {
    return this.#sessions.last.instructions
  }

  get capabilities() {
    return readCapabilities(this.definition)
  }

  get configSchema() {
    return readConfigSchema(this.definition)
  }

  get supportsPolicy() {
    return hasPolicySupport(this.definition)
  }

  get definition() {
    return this.#sessions.last.definition
  }

  get state() {
    return this.#sessions.state
  }

  get tools() {
    return this.#tools
  }

  on<E extends keyof ConnectionEvents>(
    event: E,
    listener: (value: ConnectionEvents[E]) => void,
  ): () => void {
    return this.#events.on(event, listener)
  }

  /** Loads what a new connection needs, and notices if the server refuses the configuration. */
  async load({ era, definition }: Session): Promise<void> {
    const { signal, configuration } = this.#settings
    const options = signal ? { signal } : {}
    if (hasCapability(definition, 'tools')) await this.refreshTools(options)
    // In the modern era no response so far depends on the configuration, and lists may come from a
    // cache. This request depends on it, so a configuration that the server refuses is noticed now.
    if (era === 'modern' && isRecord(configuration) && hasCapability(definition, 'resources'))
      await this.request('resources/list', {}, options)
  }

  async refreshTools(options?: CallOptions): Promise<readonly Tool[]> {
    const tools = await listAllTools((params) => this.request('tools/list', params, options))
    this.#tools = tools
    this.#events.emit('tools', tools)
    return tools
  }

  async subscribe(uri: string): Promise<() => Promise<void>> {
    await this.#subscriptions.add(await this.#sessions.current(), uri).catch((error: unknown) => {
      throw new ConnectionError(problemOf(error), { cause: error })
    })
    let stopped = false
    return async () => {
      if (stopped || this.state.name === 'closed') return
      stopped = true
      await this.#subscriptions.remove(await this.#sessions.current(), uri)
    }
  }

  reconnect(): void {
    this.#sessions.retryNow()
  }

  pause(): void {
    void this.#subscriptions.pause(this.#sessions.last).catch(() => {})
  }

  async resume(): Promise<boolean> {
    const wasPaused = this.#subscriptions.resume()
    // A session that is being opened starts its stream by itself.
    if (wasPaused && this.state.name === 'open') await this.#restore(this.#sessions.last)
    return wasPaused
  }

  async close(): Promise<void> {
    this.#sessions.close()
    await this.#released
  }

  /** Handles what arrives outside of a request's response. */
  #listen(incoming: Events<SessionEvents>): void {
    const refresh = debounce(() => void this.refreshTools().catch(() => {}), { delay: DEBOUNCE_MS })
    incoming.on(
      'error',
      debounce(() => void this.#ping(), PING_PACE),
    )
    incoming.on('notification', ({ method, params }) => {
      if (method === 'notifications/tools/list_changed') refresh()
      else emitNotification(this.#events, method, params)
    })
  }

  #onState(state: ConnectionState): void {
    this.#events.emit('state', state)
    if (state.name === 'closed') this.#events.emit('closed', null)
  }

  #release(session: Session): void {
    this.#subscriptions.stop()
    this.#released = session.close().catch(() => {})
  }

  async #restore(session: Session): Promise<void> {
    await this.#subscribeAll(session)
    await this.refreshTools().catch(() => {})
  }

  async #subscribeAll(session: Session): Promise<void> {
    await this.#subscriptions.start(session).catch((error: unknown) => {
      const problem = problemOf(error)
      // A server that refuses a notification stream is still usable; one that cannot be reached is not.
      if (BREAKING.has(problem.kind)) this.#sessions.reportBroken(session, problem)
    })
  }

  /** Pings after a failure outside of any request; a legacy session that does not respond is replaced. */
  async #ping(): Promise<void> {
    if (this.state.name !== 'open' || this.era === 'modern') return
    await this.request('ping', {}, { timeoutMs: PING_TIMEOUT_MS }).catch((error: unknown) => {
      const problem = problemOf(error)
      if (problem.kind === 'timeout') this.#sessions.reportBroken(this.#sessions.last, problem)
    })
  }
}

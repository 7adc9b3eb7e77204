/**
 * A connection to an MCP server: it replaces a broken session with a new one and keeps listeners
 * and subscriptions.
 *
 * Its users see neither the protocol eras nor the reconnecting. `test/pages/connection.test.ts`
 * drives it against this product and against the official example server.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { addressOf } from './address.ts'
import { announce } from './announce.ts'
import { asksOver } from './asks.ts'
import { capabilitiesIn, configSchemaIn, offers, supportsPolicyIn } from './definition.ts'
import { createEvents } from './events.ts'
import { createHearing } from './hearing.ts'
import type { Line } from './line.ts'
import { explained, open } from './open.ts'
import type { Ears } from './open-line.ts'
import { ConnectionError, makeProblem, problemOf } from './problem.ts'
import { createReconnecting } from './reconnect.ts'
import { createRequest } from './requests.ts'
import { allTools } from './tool-list.ts'
import type {
  CallOptions,
  Connection,
  ConnectionEvents,
  ConnectOptions,
  ProblemKind,
  Tool,
} from './types.ts'

/** List-changed notifications often come in bursts; they are gathered for this long. */
const GATHER_MS = 100
const PING_MS = 10_000

/** Problems on opening a notification stream that mean that the session is broken. */
const BREAKS: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['unreachable', 'closed', 'timeout'])

/**
 * Connects to an MCP server and loads its tool list.
 *
 * In the modern era it also sends one request that depends on the configuration, so that a
 * configuration which the server refuses fails here.
 *
 * @param options `url` is required. `signal` cancels connecting only; `close()` ends an open
 *   connection.
 * @returns An open connection, which reconnects by itself until it is closed. The caller closes it.
 * @throws {ConnectionError} `problem` says what went wrong.
 * @example
 * const connection = await connect({ url: 'https://example.com/mcp' })
 * const result = await connection.call('read_file', { path: '/notes.md' })
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const url = addressOf(options.url)
  const { configuration } = options
  if (configuration !== undefined && configuration !== null && !isRecord(configuration))
    throw new ConnectionError(makeProblem('configuration', 'A configuration is an object.'))

  const events = createEvents<ConnectionEvents>()
  const settings = { ...options, url }
  let tools: readonly Tool[] = []
  // Assigned once a session is open; notifications that arrive before that have no listener yet.
  let here: { refresh: () => void; check: () => void } | null = null

  const ears: Ears = {
    failed: () => here?.check(),
    notified(method, params) {
      if (method === 'notifications/tools/list_changed') here?.refresh()
      else announce(events, method, params)
    },
  }
  const first = await open(settings, ears)
  // The signal cancels the first attempt only, not later reconnects.
  const { signal: _, ...later } = settings
  let closing = Promise.resolve()
  const hearing = createHearing((line, error) => lines.lost(line, problemOf(error)))
  const lines = createReconnecting(first, {
    open: () => open(later, ears),
    opened: (line) => void begin(line),
    release: (line) => {
      hearing.stop()
      closing = line.close().catch(() => {})
    },
    changed(state) {
      events.emit('state', state)
      if (state.name === 'closed') events.emit('closed', null)
    },
  })

  async function begin(line: Line): Promise<void> {
    await hearing.begin(line).catch((error: unknown) => {
      const problem = problemOf(error)
      // A server that refuses a notification stream is still usable; one that cannot be reached is not.
      if (BREAKS.has(problem.kind)) lines.lost(line, problem)
    })
    if (line !== first) await refreshTools().catch(() => {})
  }

  const request = createRequest(lines, (problem) => settings.onUnauthorized?.(problem))

  async function refreshTools(options?: CallOptions): Promise<readonly Tool[]> {
    const found = await allTools((params) => request('tools/list', params, options))
    tools = found
    events.emit('tools', found)
    return found
  }

  /** Pings after a failure outside of any request; a legacy session that does not respond is replaced. */
  async function check(): Promise<void> {
    if (lines.state.name !== 'open' || lines.last.era === 'modern') return
    await request('ping', {}, { timeoutMs: PING_MS }).catch((error: unknown) => {
      const problem = problemOf(error)
      if (problem.kind === 'timeout') lines.lost(lines.last, problem)
    })
  }

  here = {
    refresh: gathered(() => void refreshTools().catch(() => {})),
    check: gathered(() => void check()),
  }
  void begin(first)
  try {
    await meet(first)
  } catch (error) {
    lines.close()
    throw new ConnectionError(await explained(problemOf(error), settings), { cause: error })
  }

  async function meet({ era, definition }: Line): Promise<void> {
    if (offers(definition, 'tools')) await refreshTools(signalOf(settings))
    // In the modern era no response so far depends on the configuration, and lists may come from a
    // cache. This request depends on it, so a configuration that the server refuses is noticed now.
    if (era === 'modern' && isRecord(configuration) && offers(definition, 'resources'))
      await request('resources/list', {}, signalOf(settings))
  }

  async function subscribe(uri: string): Promise<() => Promise<void>> {
    await hearing.watch(await lines.current(), uri).catch((error: unknown) => {
      throw new ConnectionError(problemOf(error), { cause: error })
    })
    let stopped = false
    return async () => {
      if (stopped || lines.state.name === 'closed') return
      stopped = true
      await hearing.unwatch(await lines.current(), uri)
    }
  }

  return {
    url,
    get era() {
      return lines.last.era
    },
    get protocolVersion() {
      return lines.last.version
    },
    get session() {
      return lines.last.session
    },
    get server() {
      return lines.last.server
    },
    get instructions() {
      return lines.last.instructions
    },
    get capabilities() {
      return capabilitiesIn(lines.last.definition)
    },
    get configSchema() {
      return configSchemaIn(lines.last.definition)
    },
    get supportsPolicy() {
      return supportsPolicyIn(lines.last.definition)
    },
    get definition() {
      return lines.last.definition
    },
    get state() {
      return lines.state
    },
    get tools() {
      return tools
    },
    refreshTools,
    ...asksOver(request),
    request,
    subscribe,
    on: (event, listener) => events.on(event, listener),
    reconnect: () => lines.hurry(),
    async close() {
      lines.close()
      await closing
    },
  }
}

const signalOf = ({ signal }: ConnectOptions) => (signal ? { signal } : {})

/** Debounces: runs the work once, after the last of several calls. */
function gathered(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(work, GATHER_MS)
  }
}

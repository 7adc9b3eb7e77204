/**
 * A connection to an MCP server: one line after another, with what was heard and asked for kept
 * across them.
 *
 * Whoever uses it sees neither eras nor reconnecting. `test/pages/connection.test.ts` drives it
 * against this product and against the official example server.
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

/** Changes of a list come in crowds. */
const GATHER_MS = 100
const PING_MS = 10_000

/** What may befall a stream that is about to be opened, and means that the line is broken. */
const BREAKS: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['unreachable', 'closed', 'timeout'])

/** Connects, or rejects with a {@link ConnectionError}. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const url = addressOf(options.url)
  const { configuration } = options
  if (configuration !== undefined && configuration !== null && !isRecord(configuration))
    throw new ConnectionError(makeProblem('configuration', 'A configuration is an object.'))

  const events = createEvents<ConnectionEvents>()
  const settings = { ...options, url }
  let tools: readonly Tool[] = []
  // Assigned as soon as there is a line; what is heard before that is not for anybody.
  let here: { refresh: () => void; check: () => void } | null = null

  const ears: Ears = {
    failed: () => here?.check(),
    notified(method, params) {
      if (method === 'notifications/tools/list_changed') here?.refresh()
      else announce(events, method, params)
    },
  }
  const first = await open(settings, ears)
  // Whoever gave up waiting for the first line has nothing to say about the next ones.
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
      // A server that cannot be listened to is of use all the same; one that is away is not.
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

  /** Whether the server is still there, after something failed that nobody waited for. */
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
    // In the newer era no answer so far is about the configuration, and lists may come from a cache.
    // So something is asked that depends on it, before anybody believes that it holds.
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

/** One run for everything that was asked within a moment. */
function gathered(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(work, GATHER_MS)
  }
}

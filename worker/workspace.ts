/**
 * One workspace: a shell that gives the store, the search, the sessions and the MCP endpoint their
 * identity.
 *
 * Everything that lasts is in SQLite and R2, so the object may be evicted at any moment. The one
 * alarm serves all that happens later: indexing, then the sweep.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'
import { call, type Surroundings } from './call.ts'
import { createChanges } from './changes/changes.ts'
import { deployedConfig } from './deployed.ts'
import type { Env } from './env.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import { MCP_URL, plainError, plainResult, type PlainRequest } from './mcp/plain.ts'
import { beyondReach } from './mcp/reach.ts'
import { createResources } from './mcp/resources.ts'
import { createServer } from './mcp/server.ts'
import { createStreams, type Streams } from './mcp/streams.ts'
import { createViews } from './mcp/views.ts'
import { createSearch } from './search/search.ts'
import { createCallers, type Callers } from './sessions/callers.ts'
import type { Caller } from './sessions/caller.ts'
import { createSessions } from './sessions/sessions.ts'
import { createWatch, type Watch } from './observe/call.ts'
import { observerOf } from './observe/observer.ts'
import { createR2Objects, createSqliteObjects } from './store/objects.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { Change, Step } from './store/store.ts'
import { TOOLS } from './tools/index.ts'
import { createRoutes } from './transfer/routes.ts'

/** Milliseconds after a change at which its text is indexed, so that a burst is one batch. */
const INDEX_SOON_MS = 200

/** Milliseconds between two batches, for whoever else wants the object. */
const INDEX_PAUSE_MS = 10

/** Milliseconds after a batch that came to nothing, because a search goes on or R2 is not there. */
const INDEX_LATER_MS = 1_000

export class Workspace extends DurableObject<Env> {
  readonly #around: Surroundings
  readonly #callers: Callers
  readonly #streams: Streams
  readonly #endpoint: ReturnType<typeof createEndpoint>
  readonly #route: ReturnType<typeof createRoutes>
  readonly #watch: Watch | null
  /** When the alarm will ring, as far as this life of the object knows. */
  #wake: number | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { storage } = ctx
    const objects = env.FILES
      ? createR2Objects(env.FILES, ctx.id.toString())
      : createSqliteObjects(storage.sql)
    const store = createSqliteStore(storage, objects, (time) => void this.#wakeAt(time))
    const search = createSearch(storage, store)
    const configured = deployedConfig(env)
    if (!configured.ok) throw new Error(configured.error)
    const deployed = configured.value
    const sessions = createSessions(storage.sql, (id) => {
      this.#streams.forget(id)
      this.#endpoint.legacy.ended(id)
    })
    const changes = createChanges(storage.sql, store)
    const readView = createViews(env.ASSETS)
    this.#callers = createCallers(storage.sql, sessions, deployed, () =>
      this.#endpoint.legacy.refresh(),
    )
    this.#streams = createStreams(ctx, (session) => this.#callers.sightOf(session))
    const observer = observerOf(env)
    this.#watch = observer && createWatch(observer, ctx.id.name ?? '', TOOLS)
    this.#around = {
      tools: TOOLS,
      store,
      search,
      changes,
      officeOf: (caller) => this.#callers.officeOf(caller),
      changed: (change, steps) => this.#changed(change, steps),
      ...(this.#watch && { watch: this.#watch }),
    }
    this.#endpoint = createEndpoint({
      sessions,
      streams: this.#streams,
      config: () => this.#callers.config,
      build: (caller, subscriptions) =>
        createServer({
          around: this.#around,
          resources: createResources({ store, changes, readView }, caller.area),
          caller,
          ...(subscriptions && { subscriptions }),
        }),
      quick: (request, caller) => this.#quick(request, caller),
      beyondReach: (message, caller) => beyondReach(message, caller, this.#around),
    })
    this.#route = createRoutes({ around: this.#around, sessions, callers: this.#callers })
  }

  override fetch(request: Request): Promise<Response> {
    return this.#watch
      ? this.#watch.within(request, () => this.#serve(request))
      : this.#serve(request)
  }

  async #serve(request: Request): Promise<Response> {
    const pathname = MCP_URL.test(request.url) ? '/mcp' : new URL(request.url).pathname
    if (pathname !== '/mcp' && pathname !== '/stream') return this.#route(request)
    const coming = this.#callers.of(request)
    const caller = coming instanceof Promise ? await coming : coming
    if (caller instanceof Response) return caller
    return pathname === '/mcp'
      ? this.#endpoint.fetch(request, caller)
      : this.#endpoint.stream(request, caller)
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#streams.receive(socket, message)
  }

  override webSocketClose(socket: WebSocket): void {
    this.#streams.closed(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.#streams.closed(socket)
  }

  override async alarm(): Promise<void> {
    this.#wake = null
    const pause = await this.#index()
    const due = await this.#around.store.sweep(Date.now())
    if (pause !== null) await this.#wakeAt(Date.now() + pause)
    else if (due !== null) await this.#wakeAt(due)
  }

  /** Indexes a batch. Answers after how many milliseconds there will be another, or null. */
  async #index(): Promise<number | null> {
    const { search } = this.#around
    const waiting = search.unindexed()
    try {
      if (!(await search.fill())) return null
    } catch (error) {
      // What cannot be read now must not keep the sweep from its work.
      console.error(error)
    }
    return search.unindexed() < waiting ? INDEX_PAUSE_MS : INDEX_LATER_MS
  }

  /** A plain call, on the same road as every other. */
  async #quick({ id, params, meta }: PlainRequest, caller: Caller): Promise<Response> {
    const { name, arguments: args } = params
    const outcome = await call({ name: String(name), args, meta, caller }, this.#around)
    if (outcome.ok) return plainResult(id, outcome.value)
    return plainError(id, outcome.error.code, outcome.error.message)
  }

  #changed(change: Change, steps: readonly Step[]): void {
    if (steps.length === 0) return
    this.#streams.publish(change, steps)
    void this.#wakeAt(Date.now() + INDEX_SOON_MS)
  }

  /** Sets the alarm, unless it is known to be set for earlier. */
  async #wakeAt(time: number): Promise<void> {
    if (this.#wake !== null && this.#wake <= time) return
    this.#wake = time
    const set = await this.ctx.storage.getAlarm()
    if (set === null || set > time) await this.ctx.storage.setAlarm(time)
  }
}

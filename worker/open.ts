/**
 * An open workspace: store, search, sessions and MCP endpoint, composed over the storage of one object.
 *
 * All state that must last is in SQLite and R2, so the object may be evicted at any moment. One alarm serves
 * all deferred work: indexing, then the sweep.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { createOpener } from './access/workspace.ts'
import { call, type Surroundings } from './call.ts'
import { createChanges } from './changes/changes.ts'
import { deployedConfig } from './deployed.ts'
import type { Env } from './env.ts'
import { readBody } from './mcp/body.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import { MCP_URL, plainError, plainResult, type PlainRequest } from './mcp/plain.ts'
import { challengeOf, insufficientScope } from './mcp/challenge.ts'
import { createServer } from './mcp/server.ts'
import { createStreams, type Streams } from './mcp/streams.ts'
import { createViews } from './mcp/views.ts'
import { createSearch } from './search/search.ts'
import { createCallers } from './sessions/callers.ts'
import type { Caller } from './sessions/caller.ts'
import { TRANSFER_PATH } from './sessions/links.ts'
import { createSessions } from './sessions/sessions.ts'
import { createWatch } from './observe/call.ts'
import { observerOf } from './observe/observer.ts'
import { createR2Objects, createSqliteObjects } from './store/objects.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { Change, Step } from './store/store.ts'
import { TOOLS } from './tools/index.ts'
import { createRoutes } from './transfer/routes.ts'
import { serveTransfer } from './transfer/transfer-link.ts'
import { createWaker } from './waker.ts'

/** Delay (ms) between a change and the indexing of its text, so that a burst is one batch. */
const INDEX_SOON_MS = 200

/** Pause (ms) between two batches, so that requests are served in between. */
const INDEX_PAUSE_MS = 10

/** Delay (ms) after a batch without progress, because a search is running or R2 is unavailable. */
const INDEX_LATER_MS = 1_000

/** What the Durable Object calls on an open workspace. */
export interface OpenWorkspace {
  readonly fetch: (request: Request) => Promise<Response>
  /** Runs deferred work: indexing, then the sweep. */
  readonly alarm: () => Promise<void>
  /** Receives the WebSocket events of the object. */
  readonly streams: Streams
}

/** Opens the workspace of an object. Throws if the deployed configuration is invalid. */
export function openWorkspace(ctx: DurableObjectState, env: Env): OpenWorkspace {
  const { storage } = ctx
  const configured = deployedConfig(env)
  if (!configured.ok) throw new Error(configured.error)
  const waker = createWaker(storage)
  const objects = env.FILES
    ? createR2Objects(env.FILES, ctx.id.toString())
    : createSqliteObjects(storage.sql)
  const store = createSqliteStore(storage, objects, waker.wakeAt)
  const search = createSearch(storage, store)
  const sessions = createSessions(storage.sql, (id) => {
    streams.forget(id)
    endpoint.legacy.ended(id)
  })
  const changes = createChanges(storage.sql)
  const readView = createViews(env.ASSETS)
  const callers = createCallers(storage.sql, sessions, configured.value, () => {
    streams.closeEnded()
  })
  const streams = createStreams(ctx, callers.accessOf)
  const observer = observerOf(env)
  const watch = observer && createWatch(observer, ctx.id.name ?? '', TOOLS)
  const openFor = createOpener({ store, search, changed, isCurrent: callers.isCurrent })
  const around: Surroundings = {
    tools: TOOLS,
    openFor,
    audit: store.audit,
    changes,
    linksFor: (caller, metadata) => ({
      delegate: (wish) => callers.delegateFor(wish, { caller, metadata }),
      transfer: (wish) => callers.transferFor(wish, { caller, metadata }),
    }),
    ...(watch && { watch }),
  }
  const endpoint = createEndpoint({
    sessions,
    streams,
    config: () => callers.config,
    build: (callerOf, subscriptions) =>
      createServer({
        around,
        resources: { changes, readView },
        callerOf,
        ...(subscriptions && { subscriptions }),
      }),
    quick,
    challenge: (message, caller) => challengeOf(message, caller, around),
    wait: callers.wait,
  })
  const route = createRoutes({
    openFor,
    sessions,
    callers,
    audit: store.audit,
    totals: () => ({ ...store.totals, unindexed: search.unindexed() }),
  })

  const transfers = { openFor, sessions, callers, audit: store.audit }

  async function serve(request: Request): Promise<Response> {
    const pathname = MCP_URL.test(request.url) ? '/mcp' : new URL(request.url).pathname
    if (pathname === TRANSFER_PATH) return serveTransfer(request, transfers)
    if (pathname !== '/mcp' && pathname !== '/stream') return route(request)
    // A body may take its time, in which rules change and sessions end, so access is computed after it.
    const body = await readBody(request)
    const coming = callers.of(request)
    const caller = coming instanceof Promise ? await coming : coming
    if (caller instanceof Response) return caller
    return pathname === '/mcp'
      ? endpoint.fetch(request, body, caller)
      : endpoint.stream(request, caller)
  }

  /** Answers a plain call, through the same pipeline as every other. */
  async function quick({ id, params, meta }: PlainRequest, caller: Caller): Promise<Response> {
    const { name, arguments: args } = params
    const outcome = await call({ name: String(name), args, meta, caller }, around)
    if (outcome.ok) return plainResult(id, outcome.value)
    if (outcome.error.lack) return insufficientScope(id, outcome.error.lack)
    return plainError(id, outcome.error.code, outcome.error.message)
  }

  function changed(change: Change, steps: readonly Step[], listed: readonly StorePath[]): void {
    if (steps.length === 0) return
    streams.publish(change, steps, listed)
    waker.wakeAt(Date.now() + INDEX_SOON_MS)
  }

  async function alarm(): Promise<void> {
    waker.rang()
    const pause = await index()
    const due = await store.sweep(Date.now())
    const next = pause === null ? due : Date.now() + pause
    if (next !== null) await waker.setFor(next)
  }

  /** Indexes a batch. Returns the delay (ms) until the next one, or null when nothing is left. */
  async function index(): Promise<number | null> {
    const waiting = search.unindexed()
    try {
      if (!(await search.fill())) return null
    } catch (error) {
      // A file that cannot be read now must not stop the sweep.
      console.error(error)
    }
    return search.unindexed() < waiting ? INDEX_PAUSE_MS : INDEX_LATER_MS
  }

  return {
    fetch: (request) => (watch ? watch.within(request, () => serve(request)) : serve(request)),
    alarm,
    streams,
  }
}

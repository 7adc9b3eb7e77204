/**
 * An open workspace: store, search, sessions and MCP endpoint, composed over the storage of one object.
 *
 * All state that must last is in SQLite and R2, so the object may be evicted at any moment. One alarm serves
 * all deferred work: deliveries to the webhook, indexing, the sweep, and what has expired.
 *
 * @module
 */

import { createOpener } from './access/workspace.ts'
import { actorOf } from './call/audit-note.ts'
import type { CallServices, Waits } from './call/context.ts'
import { createStateSigner } from './call/request-state.ts'
import { createWaits } from './call/waits.ts'
import { createChanges } from './changes/previews.ts'
import { deployedConfig } from './front/deployed-config.ts'
import type { Env } from './env.ts'
import { readBody } from './mcp/message-body.ts'
import { createEndpoint, type Endpoint, type EndpointParts } from './mcp/endpoint.ts'
import { createDirect } from './mcp/direct.ts'
import { MCP_URL } from './mcp/plain-request.ts'
import { challengeOf } from './mcp/challenge.ts'
import { createServer } from './mcp/server.ts'
import { createStreams, type Streams } from './mcp/streams.ts'
import { createViews, type ReadView } from './mcp/views.ts'
import type { Drafts } from './drafts/drafts.ts'
import { MAX_WAIT_SECONDS } from './drafts/limits.ts'
import { openDrafts } from './drafts/open.ts'
import { ownerUrl } from './drafts/status.ts'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
import { createRequests, type Requests } from './requests/requests.ts'
import { createSearch, type Search } from './search/search.ts'
import { createCallers, type Callers } from './sessions/callers.ts'
import type { Caller } from './sessions/caller.ts'
import { TRANSFER_PATH } from './sessions/links.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createWatch } from './observe/call.ts'
import { observerOf } from './observe/observer.ts'
import { createR2Objects, createSqliteObjects, type Objects } from './store/objects.ts'
import { effective } from './store/limits.ts'
import { readSetting } from './store/schema.ts'
import { openTables, type Present } from './store/opening.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { Change, Step, Store } from './store/store.ts'
import { TOOLS } from './tools/index.ts'
import type { Apps } from './apps/apps.ts'
import { openApps } from './apps/open.ts'
import type { AppPages } from './apps/pages.ts'
import { createRoutes } from './api/routes.ts'
import { serveTransfer, type TransferParts } from './api/transfer-link.ts'
import { createWebhook, type Webhook } from './webhook/notices.ts'
import { webhookSettings } from './webhook/settings.ts'
import { createAlarm, type Alarm } from './alarm.ts'

/** Delay (ms) between a change and the indexing of its text, so that a burst is one batch. */
const INDEX_SOON_MS = 1_000

/** Batches of text that one alarm indexes. */
const INDEX_BATCHES = 8

/** Delay (ms) after a batch, in which requests are served: they would wait for all batches. */
const INDEX_TURN_MS = 1

/** Pause (ms) between two alarms with batches. */
const INDEX_PAUSE_MS = 10

/** Delay (ms) after a batch without progress, because a search is running or R2 is unavailable. */
const INDEX_LATER_MS = 1_000

/** Delay (ms) after a failed sweep, because R2 is unavailable. */
const SWEEP_LATER_MS = 60_000

/** What the Durable Object calls on an open workspace. */
export interface OpenWorkspace {
  readonly fetch: (request: Request) => Promise<Response>
  /** Runs deferred work: the webhook, indexing, dropping old versions, the sweep, and what has expired. */
  readonly alarm: () => Promise<void>
  /** Notifies the owner. */
  readonly webhook: Webhook
  /** Receives the WebSocket events of the object. */
  readonly streams: Streams
}

/** The parts of an open workspace that answer requests and the alarm. */
interface WorkspaceContext {
  /** The name of the workspace; empty if the platform does not tell it. */
  readonly name: string
  readonly alarm: Alarm
  readonly webhook: Webhook
  readonly store: Store
  readonly search: Search
  readonly callers: Callers
  readonly drafts: Drafts
  readonly requests: Requests
  readonly passkeys: Passkeys
  readonly services: CallServices
  readonly endpoint: Endpoint
  readonly route: (request: Request) => Promise<Response>
  readonly transfers: TransferParts
}

/** Opens the workspace of an object. Throws if the deployed configuration is invalid. */
export function openWorkspace(ctx: DurableObjectState, env: Env): OpenWorkspace {
  const { storage } = ctx
  const configured = deployedConfig(env)
  if (!configured.ok) throw new Error(configured.error)
  const alarm = createAlarm(storage)
  const { config, has, store } = openStore(ctx, env, alarm)
  const webhook = openWebhook(storage.sql, env, alarm)
  const search = createSearch(storage, store)
  const sessions = createSessions(storage.sql, (id) => {
    streams.forget(id)
    endpoint.legacy.ended(id)
    requests.forget(id)
  })
  const callers = createCallers(storage.sql, sessions, {
    ...{ deployed: configured.value, stored: config },
    changed: (before) => {
      streams.applyRules(before, callers.config)
      wakeForExpiry(waiting, Date.now())
    },
  })
  const streams = createStreams(ctx, callers.accessOf)
  const changed = publishTo(streams, alarm, () => apps)
  const { audit, checkpoints } = store
  const shared = { sql: storage.sql, has, store, search, sessions, callers, audit, changed }
  const { name = '' } = ctx.id
  const { apps, tools, pages } = openApps({
    ...{ ...shared, assets: env.ASSETS, workspace: name, changed: streams.publishTools },
    openFiles: (access) => openFor(access, null).store,
  })
  const passkeys = openPasskeys(ctx, { audit, callers, alarm })
  const noticed = { webhook, alarm, streams, workspace: name, passkeys }
  const drafts = openDrafts({ ...shared, tools: TOOLS, ...noticed })
  const requests = openRequests(storage.sql, { ...shared, streams, alarm, webhook, name })
  const waiting = { callers, drafts, requests, alarm }
  wakeForExpiry(waiting, 0)
  const openFor = createOpener({ ...shared, drafts, requests, isCurrent: callers.isCurrent })
  const watch = openWatch(env, name)
  const services: CallServices = {
    ...{ tools, openFor, audit, requests, takeNews: drafts.takeNews },
    changes: createChanges(storage.sql, alarm.wakeAt),
    linksFor: createLinks(callers, store),
    waits: openWaits(storage.sql, drafts),
    ...(watch && { watch }),
  }
  const sources = { sessions, streams, callers, readView: createViews(env.ASSETS), pages }
  const endpoint = createEndpoint(endpointParts(services, sources))
  const totals = () => ({ ...store.totals, unindexed: search.unindexed() })
  const routed = { openFor, totals, drafts, requests, checkpoints, apps, pages, passkeys, env }
  const route = createRoutes({ ...shared, ...routed })
  const stored = { alarm, webhook, store, search, callers, drafts, requests, passkeys }
  const transfers = { openFor, sessions, callers, audit }
  const context: WorkspaceContext = { ...stored, name, services, endpoint, route, transfers }
  return {
    fetch: (request) =>
      watch ? watch.within(request, () => serve(context, request)) : serve(context, request),
    alarm: () => runAlarm(context),
    webhook,
    streams,
  }
}

function openWatch(env: Env, workspace: string) {
  const observer = observerOf(env)
  return observer && createWatch(observer, workspace, TOOLS)
}

/** A challenge is bound to the id of the object, which no other workspace has. */
function openPasskeys(
  { id, storage }: DurableObjectState,
  { audit, callers, alarm }: Pick<Store, 'audit'> & Pick<WorkspaceContext, 'callers' | 'alarm'>,
): Passkeys {
  const rule = () => callers.config.passkey
  const { sql } = storage
  return createPasskeys({ sql, audit, workspace: id.toString(), wakeAt: alarm.wakeAt, rule })
}

/** Returns the listener of applied changes: it notifies streams, and has their text indexed soon. */
function publishTo(streams: Streams, alarm: Alarm, apps: () => Pick<Apps, 'touched'>) {
  return (change: Change, steps: readonly Step[]): void => {
    if (steps.length === 0) return
    // What an app was before is read from history, for streams alone.
    if (!streams.isEmpty()) {
      streams.publish(change, steps)
      apps().touched(change, steps)
    }
    alarm.wakeAt(Date.now() + INDEX_SOON_MS)
  }
}

/** Opens the store, and returns what was read for it, which other services need as well. */
function openStore(ctx: DurableObjectState, env: Env, { wakeAt }: Alarm) {
  const opening = openTables(ctx.storage)
  const store = createSqliteStore(ctx.storage, createObjects(ctx, env), wakeAt, opening)
  return { config: opening.config, has: opening.has, store }
}

function createObjects(ctx: DurableObjectState, env: Env): Objects {
  return env.FILES
    ? createR2Objects(env.FILES, ctx.id.toString())
    : createSqliteObjects(ctx.storage.sql)
}

/** The front serves nothing while the settings are invalid; deferred work goes on, and notices wait. */
function openWebhook(sql: SqlStorage, env: Env, { wakeAt }: Alarm): Webhook {
  const settings = webhookSettings(env)
  return createWebhook(sql, { settings: settings.ok ? settings.value : null, wakeAt })
}

interface RequestServices {
  readonly has: Present
  readonly sessions: Sessions
  readonly callers: Callers
  readonly streams: Streams
  readonly alarm: Alarm
  readonly webhook: Webhook
  readonly name: string
}

function openRequests(sql: SqlStorage, services: RequestServices): Requests {
  const { has, sessions, callers, streams, alarm, webhook, name } = services
  const listed = () => {
    alarm.wakeAt(Date.now() + INDEX_SOON_MS)
    const url = ownerUrl(readSetting(sql, 'console'), name)
    webhook.notify({ type: 'access.requested', workspace: name, url })
  }
  const allowed = (session: string) => {
    callers.refresh()
    streams.publishListsOf(session)
  }
  const { openRoots } = callers
  const decided = streams.publishDraft
  return createRequests({ sql, has, sessions, allowed, openRoots, listed, decided })
}

function openWaits(sql: SqlStorage, drafts: Drafts): Waits {
  const signer = createStateSigner(sql)
  return createWaits({ drafts, signer, waitMs: MAX_WAIT_SECONDS * 1000 })
}

function createLinks(
  callers: Callers,
  { checkpoints }: Pick<Store, 'checkpoints'>,
): CallServices['linksFor'] {
  return (caller, metadata) => ({
    createCheckpoint: (name) => checkpoints.create(name, actorOf(caller)),
    delegate: (request) => callers.delegateFor(request, { caller, metadata }),
    transfer: (request) => callers.transferFor(request, { caller, metadata }),
  })
}

/** The parts of the workspace that only its MCP endpoint combines with the services of calls. */
interface EndpointSources {
  readonly sessions: Sessions
  readonly streams: Streams
  readonly callers: Callers
  readonly readView: ReadView
  readonly pages: AppPages
}

function endpointParts(
  services: CallServices,
  { sessions, streams, callers, readView, pages }: EndpointSources,
): EndpointParts {
  const resources = { changes: services.changes, readView, apps: pages }
  return {
    sessions,
    streams,
    config: () => callers.config,
    build: (sdk, callerOf, subscriptions) =>
      createServer(sdk, { services, resources, callerOf, ...(subscriptions && { subscriptions }) }),
    sessionCaller: callers.ofSession,
    direct: createDirect(services),
    challenge: (message, caller) => challengeOf(message, caller, services),
    wait: callers.wait,
  }
}

async function serve(context: WorkspaceContext, request: Request): Promise<Response> {
  const { callers, endpoint, route, transfers } = context
  const pathname = MCP_URL.test(request.url) ? '/mcp' : new URL(request.url).pathname
  if (pathname === TRANSFER_PATH) return serveTransfer(request, transfers)
  if (pathname !== '/mcp' && pathname !== '/stream') return route(request)
  // A body may take its time, in which rules change and sessions end, so access is computed after it.
  const body = await readBody(request)
  const coming = callers.of(request)
  const resolved = coming instanceof Promise ? await coming : coming
  if (resolved instanceof Response) return resolved
  const caller = withBase(resolved, request.url, context.name)
  return pathname === '/mcp'
    ? endpoint.fetch(request, body, caller)
    : endpoint.stream(request, caller)
}

/**
 * Adds the beginning of links to a caller whose request has none from the front. The URL is not parsed, because
 * every call comes here.
 */
function withBase(caller: Caller, url: string, name: string): Caller {
  if (caller.base !== '') return caller
  return { ...caller, base: `${url.slice(0, url.indexOf('/', 'https://'.length))}/s/${name}` }
}

/** The parts of a workspace in which something can wait for the owner. */
type WaitingParts = Pick<WorkspaceContext, 'callers' | 'drafts' | 'requests'>

/** Ends what had waited too long at a time. Returns when the next draft and the next request will have, or null. */
function expireWaiting({ callers, drafts, requests }: WaitingParts, now: number) {
  const lifetime = effective(callers.config, 'draft_ttl_seconds') * 1000
  return [drafts.expire(now, lifetime), requests.expire(now, lifetime)]
}

/** Sets the alarm by the time to decide of the rules of now: an earlier alarm was set by those of before. */
function wakeForExpiry(parts: WaitingParts & Pick<WorkspaceContext, 'alarm'>, now: number): void {
  for (const time of expireWaiting(parts, now)) if (time !== null) parts.alarm.wakeAt(time)
}

async function runAlarm(context: WorkspaceContext): Promise<void> {
  const { alarm, store, webhook, passkeys, services } = context
  alarm.rang()
  // A slow receiver must not delay other work, so it is not awaited.
  void webhook.deliver(Date.now())
  const pause = await index(context)
  const isReleasing = store.checkpoints.release()
  const soon = pause ?? (isReleasing ? INDEX_PAUSE_MS : null)
  const times = [
    await sweep(store),
    ...expireWaiting(context, Date.now()),
    passkeys.expire(Date.now()),
    services.changes.expire(Date.now()),
    soon === null ? null : Date.now() + soon,
  ]
  const next = times.filter((time) => time !== null).toSorted((a, b) => a - b)[0]
  if (next !== undefined) await alarm.setFor(next)
}

/** Sweeps. Returns when the next sweep is due, or null. */
async function sweep(store: Store): Promise<number | null> {
  try {
    return await store.sweep(Date.now())
  } catch (error) {
    // An alarm that fails is not repeated if another job has set it for later.
    console.error(error)
    return Date.now() + SWEEP_LATER_MS
  }
}

/** Indexes some batches. Returns the delay (ms) until the next ones, or null when nothing is left. */
async function index({ search }: WorkspaceContext): Promise<number | null> {
  const filled = search.filled()
  try {
    if (!(await fillSome(search))) return null
  } catch (error) {
    // A file that cannot be read now must not stop the sweep.
    console.error(error)
  }
  return search.filled() > filled ? INDEX_PAUSE_MS : INDEX_LATER_MS
}

/** Resolves to whether there is more to index. */
async function fillSome(search: WorkspaceContext['search']): Promise<boolean> {
  for (let batch = 1; batch < INDEX_BATCHES; batch++) {
    if (!(await search.fill())) return false
    await scheduler.wait(INDEX_TURN_MS)
  }
  return search.fill()
}

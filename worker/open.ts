/**
 * An open workspace: store, search, sessions and MCP endpoint, composed over the storage of one object.
 *
 * All state that must last is in SQLite and R2, so the object may be evicted at any moment. One alarm serves
 * all deferred work: deliveries to the webhook, indexing, the sweep, and what has expired.
 *
 * @module
 */

import { createOwnerConfig, type OwnerConfig } from './access/owner-config.ts'
import { createOpener } from './access/workspace.ts'
import type { Config, ConfigProblems } from '#core/config.ts'
import { SESSION_HEADER } from './auth/identity.ts'
import { actorOf } from './call/audit-note.ts'
import type { CallServices, Waits } from './call/context.ts'
import { createStateSigner } from './call/request-state.ts'
import { createWaits } from './call/waits.ts'
import { createChanges } from './changes/changes.ts'
import { deployedConfig } from './front/deployed-config.ts'
import type { Env } from './env.ts'
import { readBody } from './mcp/message-body.ts'
import { createEndpoint, type Endpoint, type EndpointParts } from './mcp/endpoint.ts'
import { createDirect } from './mcp/direct.ts'
import { MCP_URL } from './mcp/plain-request.ts'
import { challengeOf } from './mcp/challenge.ts'
import { createServer } from './mcp/server.ts'
import { createStreams, type Streams } from './mcp/streams.ts'
import { createPageLoader, createViews, type ReadView } from './mcp/views.ts'
import type { Drafts } from './drafts/drafts.ts'
import { MAX_WAIT_SECONDS } from './drafts/limits.ts'
import { elicitationComplete, openDrafts } from './drafts/open.ts'
import { ownerUrl } from './drafts/status.ts'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
import { createRequests, type Requests } from './requests/requests.ts'
import { createSearch } from './search/search.ts'
import { createCallers, type Callers } from './sessions/callers.ts'
import type { Caller } from './sessions/caller.ts'
import { hashSecret, LINK_HEADER, noLink, TRANSFER_PATH } from './sessions/links.ts'
import { makeSessionLink, makeTransferLink, type LinkParts } from './sessions/make-link.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createWatch } from './observe/call.ts'
import { observerOf } from './observe/observer.ts'
import { createR2Objects, createSqliteObjects, type Objects } from './store/objects.ts'
import { readSetting } from './store/schema.ts'
import { openTables, type Present } from './store/opening.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { AppliedSteps, Store } from './store/store.ts'
import { TOOLS } from './tools/index.ts'
import type { Apps } from './apps/apps.ts'
import { openApps } from './apps/open.ts'
import type { AppPages } from './apps/pages.ts'
import { refuseUnreadable } from './owner/config.ts'
import { createRoutes } from './api/routes.ts'
import { serveTransfer, type TransferParts } from './api/transfer-link.ts'
import { createWebhook, type Webhook } from './webhook/notices.ts'
import { webhookSettings } from './webhook/settings.ts'
import { createAlarm, type Alarm } from './alarm.ts'
import { runAlarm, wakeForExpiry } from './deferred-work.ts'

/** Delay (ms) between a change and the indexing of its text, so that a burst is one batch. */
const INDEX_SOON_MS = 1_000

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

/** The parts of an open workspace that answer requests. */
interface RequestParts {
  /** The name of the workspace; empty if the platform does not tell it. */
  readonly name: string
  readonly callers: Callers
  readonly config: OwnerConfig
  readonly endpoint: Endpoint
  readonly route: (request: Request) => Promise<Response>
  readonly transfers: TransferParts
}

/** Opens the workspace of an object. Throws if the deployed configuration is invalid. */
export function openWorkspace(ctx: DurableObjectState, env: Env): OpenWorkspace {
  const { storage } = ctx
  const alarm = createAlarm(storage)
  const { stored, has, store } = openStore(ctx, env, alarm)
  const webhook = openWebhook(storage.sql, env, alarm)
  const search = createSearch(storage, store)
  const sessions = createSessions(storage.sql, (id) => {
    streams.forget(id)
    endpoint.legacy.ended(id)
    requests.forget(id)
  })
  const config = openConfig(storage.sql, env, stored, (before) => {
    callers.refresh()
    streams.applyRules(before, config.current)
    wakeForExpiry(waiting, Date.now())
  })
  const callers = createCallers(sessions, config)
  const streams = createStreams(ctx, callers.accessOf)
  const changed = publishTo(streams, alarm, () => apps)
  const { audit, checkpoints } = store
  const shared = { sql: storage.sql, has, store, search, sessions, callers, config, audit, changed }
  const { name = '' } = ctx.id
  const load = createPageLoader(env.ASSETS)
  const { apps, tools, pages } = openApps({
    ...{ ...shared, load, workspace: name, changed: streams.publishTools },
    openFiles: (access) => openFor(access, null).store,
  })
  const passkeys = openPasskeys(ctx, { audit, config, alarm })
  const noticed = { webhook, alarm, streams, workspace: name, passkeys }
  const drafts = openDrafts({ ...shared, tools: TOOLS, ...noticed })
  const requests = openRequests(storage.sql, { ...shared, streams, alarm, webhook, name })
  const waiting = { config, drafts, requests, alarm }
  wakeForExpiry(waiting, 0)
  const openFor = createOpener({ ...shared, drafts, requests, isCurrent: callers.isCurrent })
  const watch = openWatch(env, name)
  const changes = createChanges(storage.sql, alarm.wakeAt)
  const services: CallServices = {
    ...{ tools, openFor, audit, requests, changes, takeNews: drafts.takeNews },
    linksFor: createLinks({ sessions, config }, store),
    waits: openWaits(storage.sql, drafts),
    ...(watch && { watch }),
  }
  const readView = createViews(load)
  const sources = { sessions, streams, callers, config, drafts, readView, pages }
  const endpoint = createEndpoint(endpointParts(services, sources))
  const totals = () => ({ ...store.totals, unindexed: search.unindexed() })
  const routed = { openFor, totals, drafts, requests, checkpoints, apps, pages, passkeys, env }
  const route = createRoutes({ ...shared, ...routed })
  const transfers = { openFor, sessions, callers, config, audit }
  const served = { name, callers, config, endpoint, route, transfers }
  const deferred = { ...waiting, webhook, store, search, passkeys, changes }
  return {
    fetch: (request) =>
      watch ? watch.within(request, () => serve(served, request)) : serve(served, request),
    alarm: () => runAlarm(deferred),
    webhook,
    streams,
  }
}

function openConfig(
  sql: SqlStorage,
  env: Env,
  stored: string | null,
  changed: (before: Config) => void,
): OwnerConfig {
  const deployed = deployedConfig(env)
  if (!deployed.ok) throw new Error(deployed.error)
  const { config, flags } = deployed.value
  return createOwnerConfig({ sql, deployed: config, flags, changed }, stored)
}

function openWatch(env: Env, workspace: string) {
  const observer = observerOf(env)
  return observer && createWatch(observer, workspace, TOOLS)
}

/** A challenge is bound to the id of the object, which no other workspace has. */
function openPasskeys(
  { id, storage }: DurableObjectState,
  parts: Pick<Store, 'audit'> & { readonly config: OwnerConfig; readonly alarm: Alarm },
): Passkeys {
  const { audit, config, alarm } = parts
  const rule = () => config.current.passkey
  const { sql } = storage
  return createPasskeys({ sql, audit, workspace: id.toString(), wakeAt: alarm.wakeAt, rule })
}

/** Returns the listener of applied changes: it notifies streams, and has their text indexed soon. */
function publishTo(streams: Streams, alarm: Alarm, apps: () => Pick<Apps, 'touched'>) {
  return (applied: readonly AppliedSteps[]): void => {
    const changes = applied.filter(({ steps }) => steps.length > 0)
    if (changes.length === 0) return
    // What an app was before is read from history, for streams alone.
    if (!streams.isEmpty()) {
      streams.publish(changes)
      apps().touched(changes)
    }
    alarm.wakeAt(Date.now() + INDEX_SOON_MS)
  }
}

/** Opens the store, and returns what was read for it, which other services need as well. */
function openStore(ctx: DurableObjectState, env: Env, { wakeAt }: Alarm) {
  const opening = openTables(ctx.storage)
  const store = createSqliteStore(ctx.storage, createObjects(ctx, env), wakeAt, opening)
  return { stored: opening.config, has: opening.has, store }
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
  readonly config: OwnerConfig
  readonly streams: Streams
  readonly alarm: Alarm
  readonly webhook: Webhook
  readonly name: string
}

function openRequests(sql: SqlStorage, services: RequestServices): Requests {
  const { has, sessions, callers, config, streams, alarm, webhook, name } = services
  const listed = () => {
    alarm.wakeAt(Date.now() + INDEX_SOON_MS)
    const url = ownerUrl(readSetting(sql, 'console'), name)
    webhook.notify({ type: 'access.requested', workspace: name, url })
  }
  const allowed = (session: string) => {
    callers.refresh()
    streams.publishListsOf(session)
  }
  const decided = (owner: string) => streams.publishDraft(owner)
  return createRequests({
    sql,
    has,
    sessions,
    allowed,
    openRoots: config.addRoots,
    listed,
    decided,
  })
}

function openWaits(sql: SqlStorage, drafts: Drafts): Waits {
  const signer = createStateSigner(sql)
  return createWaits({ drafts, signer, waitMs: MAX_WAIT_SECONDS * 1000 })
}

function createLinks(
  parts: LinkParts,
  { checkpoints }: Pick<Store, 'checkpoints'>,
): CallServices['linksFor'] {
  return (caller, metadata) => ({
    createCheckpoint: (name) => checkpoints.create(name, actorOf(caller)),
    delegate: (request) => makeSessionLink(parts, request, { caller, metadata }),
    transfer: (request) => makeTransferLink(parts, request, { caller, metadata }),
  })
}

/** The parts of the workspace that only its MCP endpoint combines with the services of calls. */
interface EndpointSources {
  readonly sessions: Sessions
  readonly streams: Streams
  readonly callers: Callers
  readonly config: OwnerConfig
  readonly drafts: Pick<Drafts, 'waitingCalls'>
  readonly readView: ReadView
  readonly pages: AppPages
}

function endpointParts(
  services: CallServices,
  { sessions, streams, callers, config, drafts, readView, pages }: EndpointSources,
): EndpointParts {
  const resources = { changes: services.changes, readView, apps: pages }
  return {
    sessions,
    streams,
    config: () => config.current,
    build: (sdk, callerOf, subscriptions) =>
      createServer(sdk, { services, resources, callerOf, ...(subscriptions && { subscriptions }) }),
    sessionCaller: callers.ofSession,
    direct: createDirect(services),
    challenge: (message, caller) => challengeOf(message, caller, services),
    missed: (session) => drafts.waitingCalls.listDecided(session).map(elicitationComplete),
    wait: callers.wait,
  }
}

async function serve(
  { name, callers, config, endpoint, route, transfers }: RequestParts,
  request: Request,
): Promise<Response> {
  const pathname = MCP_URL.test(request.url) ? '/mcp' : new URL(request.url).pathname
  if (config.problems && !isServedAlways(request, pathname))
    return refuseClosed(request, config.problems, transfers.sessions)
  if (pathname === TRANSFER_PATH) return serveTransfer(request, transfers)
  if (pathname !== '/mcp' && pathname !== '/stream') return route(request)
  // A body may take its time, in which rules change and sessions end, so access is computed after it.
  const body = await readBody(request)
  const coming = callers.of(request)
  const resolved = coming instanceof Promise ? await coming : coming
  if (resolved instanceof Response) return resolved
  const caller = withBase(resolved, request.url, name)
  return pathname === '/mcp'
    ? endpoint.fetch(request, body, caller)
    : endpoint.stream(request, caller)
}

/** Refuses a request while the rules cannot be read. A guessed link is answered as in every other workspace. */
async function refuseClosed(
  request: Request,
  problems: ConfigProblems,
  sessions: Pick<Sessions, 'findBySecret'>,
): Promise<Response> {
  const { headers } = request
  const secret = headers.get(LINK_HEADER)
  if (secret !== null && !sessions.findBySecret(await hashSecret(secret))) return noLink()
  return refuseUnreadable(problems, secret === null && !headers.has(SESSION_HEADER))
}

/**
 * Whether a request is served even while the rules cannot be read: it stores others, or comes from the front alone, which
 * counts an attempt to sign in or ends a grant.
 */
const isServedAlways = ({ method }: Request, pathname: string) =>
  pathname === '/attempt' ||
  (pathname === '/config' && method === 'PUT') ||
  (pathname === '/grant' && method === 'DELETE')

/**
 * Adds the beginning of links to a caller whose request has none from the front. The URL is not parsed, because
 * every call comes here.
 */
function withBase(caller: Caller, url: string, name: string): Caller {
  if (caller.base !== '') return caller
  return { ...caller, base: `${url.slice(0, url.indexOf('/', 'https://'.length))}/s/${name}` }
}

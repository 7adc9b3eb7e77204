/**
 * An open workspace: store, search, sessions and MCP endpoint, composed over the storage of one object.
 *
 * All state that must last is in SQLite and R2, so the object may be evicted at any moment. One alarm serves
 * all deferred work: deliveries to what is outside, indexing, the sweep, and what has expired.
 *
 * @module
 */

import { ownerAccess } from './access/access.ts'
import { createOwnerConfig, type OwnerConfig } from './access/owner-config.ts'
import { createOpener } from './access/workspace.ts'
import type { Access } from './access/access.ts'
import type { Config } from '#core/config.ts'
import { actorOf, type Caller } from './access/caller.ts'
import { draftOwnerOf } from './access/draft-owner.ts'
import type { CallServices, Waits } from './call/context.ts'
import { createStateSigner } from './call/request-state.ts'
import { createWaits } from './call/waits.ts'
import { createChanges } from './changes/changes.ts'
import { createChecksums } from './dav/checksums.ts'
import { createProperties } from './dav/properties.ts'
import { deployedConfig } from './front/deployed-config.ts'
import type { Env } from './env.ts'
import { createEndpoint, type Endpoint, type EndpointParts } from './mcp/endpoint.ts'
import { RESEARCH_NAMES } from './mcp/profile.ts'
import { createDirect } from './mcp/direct.ts'
import { challengeOf } from './mcp/challenge.ts'
import { createServer } from './mcp/server.ts'
import { INSTRUCTIONS } from './mcp/server-info.ts'
import { openSockets } from './mcp/stream-sockets.ts'
import { createStreams, type Streams } from './mcp/streams.ts'
import { createPageLoader, createViews, type ReadView } from './views.ts'
import { createComments } from './comments/comments.ts'
import { createInbox } from './decisions/inbox.ts'
import { summarize, type SummaryParts } from './decisions/summary.ts'
import type { Drafts } from './drafts/drafts.ts'
import { MAX_WAIT_SECONDS } from './drafts/limits.ts'
import { openDrafts } from './drafts/open.ts'
import { createEvents, joinEvents, type Events } from './events.ts'
import { elicitationComplete } from './mcp/url-elicitation.ts'
import { createLeases } from './leases/leases.ts'
import { createPageLinks } from './page-links/page-links.ts'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
import { createRequests } from './requests/requests.ts'
import { createSearch } from './search/search.ts'
import { createCallers } from './sessions/callers.ts'
import { createRecentClients } from './sessions/recent-clients.ts'
import { makeSessionLink, makeTransferLink, type LinkParts } from './sessions/make-link.ts'
import { createSessions } from './sessions/sessions.ts'
import { createWatch } from './call/watch.ts'
import { observerOf } from './observe/observer.ts'
import { createR2Objects, createSqliteObjects, type Objects } from './store/content/objects.ts'
import { openTables, type Opening } from './store/open/opening.ts'
import { createSqliteStore, type SqliteStore } from './store/open/sqlite.ts'
import type { Store } from './store/store.ts'
import { TOOLS } from './tools/index.ts'
import { openApps, type OpenApps } from './apps/open.ts'
import { approvedParts } from './approved/open.ts'
import { createRoutes } from './api/routes.ts'
import { createWaiting } from './api/waiting.ts'
import { createSkills } from './skills/skills.ts'
import { createSkillViews, type SkillViews } from './skills/view.ts'
import { createTrusts, type Trusts } from './trust/trusts.ts'
import { notifierOf } from './notifier/stub.ts'
import { createOutbox, type Outbox } from './outbox/outbox.ts'
import { createOwnerNotices, type OwnerNotices } from './outbox/owner-notices.ts'
import { watchedPaths } from './outbox/watched-paths.ts'
import { webhookSettings } from './outbox/webhook-settings.ts'
import { createAlarm } from './alarm.ts'
import { runAlarm, wakeForExpiry } from './deferred-work.ts'
import { serve } from './serve.ts'

/** What the Durable Object calls on an open workspace. */
export interface OpenWorkspace {
  readonly fetch: (request: Request) => Promise<Response>
  /** Runs deferred work: deliveries, indexing, dropping old versions, the sweep, and what has expired. */
  readonly alarm: () => Promise<void>
  /** Notifies the owner. */
  readonly outbox: Outbox
  /** Receives the WebSocket events of the object. */
  readonly streams: Streams
}

/** Opens the workspace of an object. Throws if the deployed configuration is invalid. */
export function openWorkspace(ctx: DurableObjectState, env: Env): OpenWorkspace {
  const events = createEvents()
  const base = openBase(ctx, env, events)
  const decisions = openDecisions(base, events)
  const answers = openAnswers({ ...base, ...decisions }, events)
  const { alarm, watch } = base
  const { streams, inbox, route, endpoint, research, waiting } = answers

  const outbox = openOutbox({ ...base, ...decisions, inbox })
  const notices = openNotices(base, outbox)
  joinEvents(events, { ...base, ...decisions, ...answers, notices })
  wakeForExpiry({ alarm, inbox }, 0)

  const served = { ...base, ...decisions, endpoint, research, route, waiting }
  const answer = (request: Request) => serve(served, request)
  return {
    fetch: (request) => (watch ? watch.within(request, () => answer(request)) : answer(request)),
    alarm: () => runAlarm({ ...base, ...decisions, inbox, outbox }),
    outbox,
    streams,
  }
}

/** What everything else is opened on: the store, the rules, and who calls. */
type Base = ReturnType<typeof openBase>

function openBase(ctx: DurableObjectState, env: Env, events: Events) {
  const { sql } = ctx.storage
  const alarm = createAlarm(ctx.storage)
  const opening = openTables(ctx.storage)
  const store = openStore(ctx, env, alarm.wakeAt, opening)
  const config = openConfig(sql, env, opening.config, events.rulesChanged.emit)
  const sessions = createSessions(sql, events.sessionEnded.emit)
  const { name = '' } = ctx.id
  return {
    ctx,
    env,
    sql,
    alarm,
    store,
    config,
    sessions,
    /** The name of the workspace; empty if the platform does not tell it. */
    name,
    audit: store.audit,
    callers: createCallers(sessions, config),
    changes: createChanges(sql, alarm.wakeAt),
    properties: createProperties(sql),
    checksums: createChecksums(sql),
    /** The tables that there are. */
    has: opening.has,
    search: createSearch(ctx.storage, store),
    watch: openWatch(env, name),
    clients: createRecentClients(),
  }
}

/** What waits for the owner, and the only way to the files. */
type Decisions = ReturnType<typeof openDecisions>

function openDecisions(base: Base, events: Events) {
  const { ctx, sql, has, sessions, config, callers } = base
  const changed = events.applied.emit
  const passkeys = openPasskeys(base)
  const trusts = openTrusts(base, passkeys)
  const comments = createComments({
    ...{ sql, store: base.store, wakeAt: base.alarm.wakeAt },
    commented: events.commented.emit,
  })
  const drafts = openDrafts({
    ...base,
    hasStream: (session) => openSockets(ctx, session).length > 0,
    changed,
    passkeys,
    tools: TOOLS,
    decided: events.decided.emit,
    settle: comments.settle,
    moved: (draft, to) => {
      comments.move(draft, to)
      events.draftMoved.emit(draft.owner.key)
    },
    notified: events.notified.emit,
    seen: events.seen.emit,
    proposed: events.proposed.emit,
  })
  const requests = createRequests({
    sql,
    has,
    sessions,
    openRoots: config.addRoots,
    allowed: events.sessionAllowed.emit,
    listed: events.accessRequested.emit,
    decided: events.accessDecided.emit,
  })
  const leases = createLeases({ storage: ctx.storage, sessions, wakeAt: base.alarm.wakeAt })
  const { pins } = base.store
  const kept = { storage: ctx.storage, pins, config, wakeAt: base.alarm.wakeAt }
  const pageLinks = createPageLinks(kept)
  const { isCurrent } = callers
  const openFor = createOpener({
    ...base,
    ...{ drafts, trusts, requests, comments, leases, changed, isCurrent },
  })
  // Rules restrict agents: the person sees the whole workspace.
  const openWhole = () => openFor(ownerAccess(config.current), null)
  return {
    passkeys,
    trusts,
    leases,
    pageLinks,
    pins,
    drafts,
    requests,
    comments,
    openFor,
    openWhole,
  }
}

/** What answers requests: the MCP endpoint with its streams, the apps, the skills, and the routes over HTTP. */
function openAnswers(parts: Base & Decisions, events: Events) {
  const { ctx, env, name, store, search, callers, config, openFor } = parts
  const load = createPageLoader(env.ASSETS)
  const approved = { ...parts, openFiles: (access: Access) => openFor(access, null).store }
  const opened = openApps({
    ...approved,
    load,
    workspace: name,
    changed: events.appsChanged.emit,
  })
  const skills = createSkills({
    ...approvedParts(approved),
    has: parts.has.skills,
    changed: events.skillsChanged.emit,
  })
  const streams = createStreams(ctx, callers.accessOf, events.streamClosed.emit)
  const readView = createViews(load)
  const views = createSkillViews(skills)
  const sources = { ...parts, ...opened, skills: views, streams, readView }
  const { endpoint, research } = openEndpoints(sources)
  const totals = () => ({ ...store.totals, unindexed: search.unindexed() })
  const { checkpoints } = store
  const { apps } = opened
  const { drafts: changes, requests } = parts
  const inbox = createInbox(config, { changes, requests, apps, skills })
  const waiting = createWaiting()
  const route = createRoutes({ ...parts, ...opened, skills, checkpoints, inbox, totals, waiting })
  return { apps, skills, inbox, streams, endpoint, research, route, waiting }
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

function openStore(
  ctx: DurableObjectState,
  env: Env,
  wakeAt: (time: number) => void,
  opening: Opening,
): SqliteStore {
  const objects = createObjects(ctx, env)
  const reader = { place: env.EXTRACTOR, markdown: env.MARKDOWN }
  return createSqliteStore(ctx.storage, objects, wakeAt, opening, reader)
}

/** The names that records of calls may have. */
const TOOL_NAMES: ReadonlySet<string> = new Set([...TOOLS.keys(), ...RESEARCH_NAMES])

function openWatch(env: Env, workspace: string) {
  const observer = observerOf(env)
  return observer ? createWatch(observer, workspace, TOOL_NAMES) : undefined
}

/** A challenge is bound to the id of the object, which no other workspace has. */
function openPasskeys({ ctx, sql, audit, config, alarm }: Base): Passkeys {
  const rule = () => config.current.passkey
  return createPasskeys({ sql, audit, workspace: ctx.id.toString(), wakeAt: alarm.wakeAt, rule })
}

function openTrusts({ ctx, audit, sessions, alarm }: Base, passkeys: Passkeys): Trusts {
  const { storage } = ctx
  const workspace = ctx.id.toString()
  return createTrusts({ storage, audit, sessions, passkeys, workspace, wakeAt: alarm.wakeAt })
}

function createObjects(ctx: DurableObjectState, env: Env): Objects {
  return env.FILES
    ? createR2Objects(env.FILES, ctx.id.toString())
    : createSqliteObjects(ctx.storage.sql)
}

/** The front serves nothing while the settings are invalid; deferred work goes on, and notices wait. */
function openOutbox(parts: Pick<Base, 'sql' | 'env' | 'alarm'> & SummaryParts): Outbox {
  const { sql, env, alarm } = parts
  const settings = webhookSettings(env)
  return createOutbox(sql, {
    settings: settings.ok ? settings.value : null,
    // A stub is of no use any more after an error, so each attempt has its own.
    tell: env.NOTIFIER
      ? async (isNews) => notifierOf(env)?.tell(await summarize(parts, isNews))
      : null,
    wakeAt: alarm.wakeAt,
  })
}

function openNotices({ sql, env, name }: Base, outbox: Outbox): OwnerNotices {
  const watched = watchedPaths(env)
  // Without a webhook, nothing is looked for.
  const globs = watched.ok && env.EDGEWISE_WEBHOOK ? watched.value : []
  return createOwnerNotices({ sql, outbox, workspace: name, watched: globs })
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

interface EndpointSources extends Base, Decisions, OpenApps {
  readonly skills: SkillViews
  readonly streams: Streams
  readonly readView: ReadView
}

/** The endpoint of all tools, and that of research, which is opened when it is first used. */
function openEndpoints(sources: EndpointSources) {
  const services = callServices(sources)
  const parts = endpointParts(sources, services)
  let opened: Endpoint | undefined
  const research = async () =>
    (opened ??= (await import('./mcp/open-research.ts')).openResearch(parts, services))
  return { endpoint: createEndpoint(parts), research }
}

function endpointParts(sources: EndpointSources, services: CallServices): EndpointParts {
  const { sessions, streams, callers, config, drafts, readView, pages, skills, changes } = sources
  const resources = { changes, readView, apps: pages, skills }
  const instructionsFor = ({ access }: Pick<Caller, 'access'>) =>
    INSTRUCTIONS + skills.instructions(access)
  return {
    sessions,
    streams,
    config: () => config.current,
    build: (sdk, of) => createServer(sdk, { services, resources, ...of }),
    instructionsFor,
    sessionCaller: callers.ofSession,
    arrive: (caller, isCall) => {
      const owner = draftOwnerOf(caller)
      if (isCall) drafts.arrive(owner)
      else drafts.hear(owner.key)
    },
    direct: createDirect(services, instructionsFor),
    challenge: (message, caller) => challengeOf(message, caller, services),
    missed: (session) => drafts.waitingCalls.listDecided(session).map(elicitationComplete),
    wait: callers.wait,
  }
}

function callServices(sources: EndpointSources): CallServices {
  const { tools, openFor, audit, requests, comments, changes, watch, clients, drafts, sql, store } =
    sources
  return {
    tools,
    openFor,
    audit,
    requests,
    changes,
    watch,
    clients,
    takeNews: drafts.takeNews,
    takeComments: comments.takeNews,
    linksFor: createLinks(sources, store),
    waits: openWaits(sql, drafts),
  }
}

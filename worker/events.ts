/**
 * What happens in a workspace, and who acts on it: the one place that joins the services that cause events to those that
 * listen. A service knows its own events and no listener.
 *
 * `test/worker/events.test.ts` tests the order. The tests of each listener are those of its service.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import type { ThreadHead } from './access/comment.ts'
import type { Draft } from './access/draft.ts'
import type { OwnerConfig } from './access/owner-config.ts'
import type { Alarm } from './alarm.ts'
import type { Waiting } from './api/waiting.ts'
import type { Apps } from './apps/apps.ts'
import type { ChangedFolder } from './approved/approved.ts'
import { wakeForExpiry, type WaitingParts } from './deferred-work.ts'
import type { Properties } from './dav/properties.ts'
import type { DecideParts, DraftDecision } from './drafts/decide.ts'
import type { Drafts } from './drafts/drafts.ts'
import type { Leases } from './leases/leases.ts'
import type { Endpoint } from './mcp/endpoint.ts'
import type { Streams } from './mcp/streams.ts'
import { elicitationComplete } from './mcp/url-elicitation.ts'
import type { Requests } from './requests/requests.ts'
import type { WorkspaceSearch } from './search/search.ts'
import type { Callers } from './sessions/callers.ts'
import type { Skills } from './skills/skills.ts'
import type { AppliedSteps } from './store/store.ts'
import { stepPaths } from './store/write/steps.ts'
import type { Trusts } from './trust/trusts.ts'
import type { OwnerNotices } from './outbox/owner-notices.ts'

/** One kind of event. Its listeners run in the order in which they were added, before `emit` returns. */
export interface EventKind<Facts extends readonly unknown[]> {
  readonly emit: (...facts: Facts) => void
  readonly on: (listener: (...facts: Facts) => void) => void
}

function kind<Facts extends readonly unknown[]>(): EventKind<Facts> {
  const listeners: ((...facts: Facts) => void)[] = []
  return {
    emit: (...facts) => listeners.forEach((listen) => listen(...facts)),
    on: (listener) => void listeners.push(listener),
  }
}

/** The events of a workspace. */
export type Events = ReturnType<typeof createEvents>

/** Creates the events of a workspace, to which nothing listens yet. */
export function createEvents() {
  return {
    /** A session has ended. */
    sessionEnded: kind<[session: string]>(),
    /** The stream of a session was closed. */
    streamClosed: kind<[session: string]>(),
    /** The owner has allowed a session more than before, or less. */
    sessionAllowed: kind<[session: string]>(),
    /** The rules have changed from those of before. */
    rulesChanged: kind<[before: Config]>(),
    /** Changes of one decision were applied to the workspace. */
    applied: kind<[changes: readonly AppliedSteps[]]>(),
    /** Apps in these folders begin or cease to be served. */
    appsChanged: kind<[folders: readonly StorePath[]]>(),
    /** Skills in these folders begin or cease to be served. */
    skillsChanged: kind<[folders: readonly ChangedFolder[]]>(),
    /** A change was applied at once, of which the rules have the owner notified. */
    notified: kind<[]>(),
    /** The owner has seen such changes. */
    seen: kind<[]>(),
    /** A change joined a draft, as its first one or a further one. */
    proposed: kind<[draft: Draft, isFirst: boolean, proposed: AppliedSteps]>(),
    /** Changes of the draft of an owner were decided, or have expired. */
    decided: kind<Parameters<DecideParts['decided']>>(),
    /** The draft of an owner went to another one. */
    draftMoved: kind<[from: string]>(),
    /** A comment came, changed or went. */
    commented: kind<[thread: Pick<ThreadHead, 'reader' | 'anchor'>]>(),
    /** A caller requests access. */
    accessRequested: kind<[]>(),
    /** A request of a caller was decided. */
    accessDecided: kind<[owner: string]>(),
  }
}

/** The services that listen. */
export interface Listeners extends WaitingParts {
  readonly alarm: Alarm
  readonly apps: Pick<Apps, 'touched'>
  readonly skills: Pick<Skills, 'touched'>
  readonly callers: Pick<Callers, 'refresh'>
  readonly config: Pick<OwnerConfig, 'current'>
  readonly drafts: Pick<Drafts, 'hear'>
  readonly endpoint: Pick<Endpoint, 'legacy'>
  readonly leases: Pick<Leases, 'endSession'>
  readonly notices: OwnerNotices
  readonly properties: Pick<Properties, 'applied' | 'sessionEnded'>
  readonly requests: Requests
  readonly search: Pick<WorkspaceSearch, 'isDueAfter'>
  readonly streams: Streams
  readonly trusts: Pick<Trusts, 'endMoved' | 'endSession'>
  readonly waiting: Pick<Waiting, 'wake'>
}

/** Delay (ms) between a change and the indexing of its text, so that a burst is one batch. */
const INDEX_SOON_MS = 1_000

/** Delay (ms) between a proposal and the alarm, which indexes its text and sets the time of its expiry. */
const PROPOSED_SOON_MS = 200

/** Delay (ms) between an access request and the alarm, which sets the time of its expiry. */
const REQUESTED_SOON_MS = 1_000

/** Joins the services of a workspace to its events. */
export function joinEvents(events: Events, services: Listeners): void {
  joinSessions(events, services)
  joinChanges(events, services)
  joinOwner(events, services)
  joinWaiting(events, services)
}

/** What a request for the feed waits for, and what ends its access: it looks itself what has happened. */
function joinWaiting(events: Events, { waiting }: Listeners): void {
  const { applied, decided, rulesChanged, sessionEnded, sessionAllowed } = events
  for (const { on } of [decided, rulesChanged, sessionEnded, sessionAllowed]) on(waiting.wake)
  applied.on((changes) => {
    if (changes.some(({ steps }) => steps.length > 0)) waiting.wake()
  })
}

function joinSessions(events: Events, services: Listeners): void {
  const { callers, config, drafts, endpoint, leases, notices, requests, streams, trusts } = services
  events.sessionEnded.on(services.properties.sessionEnded)
  events.sessionEnded.on(streams.forget)
  events.sessionEnded.on(endpoint.legacy.ended)
  events.sessionEnded.on((session) => {
    if (requests.forget(session)) notices.tell(false)
  })
  events.sessionEnded.on(trusts.endSession)
  events.sessionEnded.on(leases.endSession)

  events.streamClosed.on((session) => void drafts.hear(session))

  events.sessionAllowed.on(callers.refresh)
  events.sessionAllowed.on(streams.publishListsOf)

  events.rulesChanged.on(callers.refresh)
  events.rulesChanged.on((before) => streams.applyRules(before, config.current))
  events.rulesChanged.on(() => wakeForExpiry(services, Date.now()))
}

function joinChanges(
  events: Events,
  { alarm, apps, skills, notices, properties, search, streams }: Listeners,
): void {
  events.applied.on((applied) => {
    const changes = applied.filter(({ steps }) => steps.length > 0)
    if (changes.length === 0) return
    if (search.isDueAfter(changes)) alarm.wakeAt(Date.now() + INDEX_SOON_MS)
    // What an app or a skill was before is read from history, for streams alone.
    if (streams.isEmpty()) return
    streams.publish(changes)
    apps.touched(changes)
    skills.touched(changes)
  })
  events.applied.on(properties.applied)
  const { changed } = notices
  if (changed) events.applied.on(changed)
  events.appsChanged.on(streams.publishTools)
  events.appsChanged.on(() => notices.tell(false))
  events.skillsChanged.on(streams.publishSkills)
  events.skillsChanged.on(() => notices.tell(false))
}

function joinOwner(events: Events, { alarm, notices, streams, trusts }: Listeners): void {
  events.notified.on(() => notices.send('change.applied'))
  events.notified.on(() => notices.tell(true))
  events.seen.on(() => notices.tell(false))

  events.proposed.on(({ owner }, _, { change, steps }) =>
    streams.publishDraft(owner.key, { paths: steps.flatMap(stepPaths), listed: change.listed }),
  )
  events.proposed.on(() => alarm.wakeAt(Date.now() + PROPOSED_SOON_MS))
  events.proposed.on(({ name, owner: { budget } }, isFirst) => {
    if (isFirst) notices.send('draft.waiting', { draft: name, budget })
  })
  events.proposed.on((_, isFirst) => notices.tell(isFirst))

  // Of what was turned down, the workspace may have other files, or none.
  events.decided.on((owner, _, paths) => streams.publishDraft(owner, { paths, listed: paths }))
  events.decided.on((_, calls) => {
    for (const call of calls)
      if (call.isLegacy) streams.send(call.owner, elicitationComplete(call.change))
  })
  events.decided.on((_owner, _calls, _paths, decision) => {
    if (decision) notifyOfDecision(notices, decision)
  })

  events.draftMoved.on(trusts.endMoved)

  events.accessRequested.on(() => alarm.wakeAt(Date.now() + REQUESTED_SOON_MS))
  events.accessRequested.on(() => notices.send('access.requested'))
  events.accessRequested.on(() => notices.tell(true))
  events.commented.on(streams.publishComments)
  events.accessDecided.on((owner) => streams.publishDraft(owner))
  events.accessDecided.on(() => notices.tell(false))
}

function notifyOfDecision(notices: OwnerNotices, { draft, outcome }: DraftDecision): void {
  const { name, owner } = draft
  notices.send('draft.decided', { draft: name, outcome, budget: owner.budget })
  notices.tell(false)
}

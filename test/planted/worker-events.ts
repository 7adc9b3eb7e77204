/**
 * Faults of `worker/events.ts`: each event that a listener no longer hears.
 *
 * @module
 */

import type { Fault } from './fault.ts'

/** A listener that is not joined to its event. `before` is its line, or the start of it. */
const unheard = (
  what: string,
  promise: string,
  before: string,
  tests: Fault['tests'],
  after = '',
): Fault => ({ name: `events: ${what}`, promise, file: 'worker/events.ts', before, after, tests })

const LISTEN = 'test/platform/mcp/listen.test.ts'
const SKILLS = 'test/platform/skills/notifications.test.ts'
const LEGACY = 'test/platform/mcp/legacy.test.ts'
const WEBHOOK = 'test/platform/outbox/outbox.test.ts'
const NOTICES = 'test/worker/outbox/events.test.ts'
const DRAFT_NEWS = 'test/platform/mcp/draft-resource.test.ts'
const REQUESTS = 'test/worker/requests/requests.test.ts'
const DELEGATE = 'test/worker/sessions/delegate.test.ts'
const EXPIRY = 'test/worker/changes/preview-expiry.test.ts'

/** What an owner and an agent rely on when a session ends or is allowed more or less. */
const SESSIONS: readonly Fault[] = [
  unheard(
    'the streams of an ended session stay open',
    'A session that has ended receives nothing more',
    'events.sessionEnded.on(streams.forget)',
    [LISTEN, LEGACY, DELEGATE],
  ),
  unheard(
    'leases of an ended session keep their rows',
    'A lease ends with its session',
    'events.sessionEnded.on(leases.endSession)',
    ['test/worker/leases/tool.test.ts'],
  ),
  unheard(
    'access requests of an ended session still wait',
    'Nothing waits for the owner for a session that has ended',
    'if (requests.forget(session)) notices.tell(false)',
    [REQUESTS, DELEGATE],
  ),
  unheard(
    'a stream that was just closed counts for nothing',
    'A live connection keeps its draft',
    'events.streamClosed.on((session) => void drafts.hear(session))',
    ['test/platform/drafts/take-over.test.ts'],
  ),
  unheard(
    'a session keeps what the owner has taken back',
    'What the owner allowed can be taken back alone, at once',
    'events.sessionAllowed.on(callers.refresh)',
    [REQUESTS],
  ),
  unheard(
    'a session does not hear of files that it may read now',
    'A session is notified when its lists change',
    'events.sessionAllowed.on(streams.publishListsOf)',
    [LISTEN, REQUESTS],
  ),
]

/** What follows from new rules. */
const RULES: readonly Fault[] = [
  unheard(
    'a session keeps the rules of before',
    'New rules hold from the next call on',
    'events.rulesChanged.on(callers.refresh)',
    [REQUESTS, 'test/worker/sessions/sessions.slow.test.ts', DELEGATE],
  ),
  unheard(
    'streams keep the rules of before',
    'A stream that is open reports nothing that new rules hide',
    'events.rulesChanged.on((before) => streams.applyRules(before, config.current))',
    [LISTEN],
  ),
  unheard(
    'what waits keeps its old time',
    'What waits expires at the time of the rules that hold',
    'events.rulesChanged.on(() => wakeForExpiry(services, Date.now()))',
    [EXPIRY, 'test/worker/drafts/decide.test.ts', REQUESTS],
  ),
]

/** What follows from changes. */
const CHANGES: readonly Fault[] = [
  unheard(
    'a changed text is not indexed',
    'Texts are indexed soon after there are enough of them',
    'if (search.isDueAfter(changes)) alarm.wakeAt(Date.now() + INDEX_SOON_MS)',
    ['test/worker/search/index-due.test.ts', 'test/worker/search/index.test.ts'],
  ),
  unheard(
    'a change is not reported',
    'A subscription reports each change of its file',
    'streams.publish(changes)',
    [LISTEN],
  ),
  unheard(
    'a changed app is not reported',
    'A client hears of tools that come and go',
    'apps.touched(changes)',
    [LISTEN, 'test/platform/apps/listing.test.ts'],
  ),
  unheard(
    'new tools are not reported',
    'A client hears of tools that come and go',
    'events.appsChanged.on(streams.publishTools)',
    [LISTEN, 'test/platform/apps/listing.test.ts'],
  ),
  unheard(
    'a changed skill is not reported',
    'A client hears of skills that come and go',
    'skills.touched(changes)',
    [SKILLS],
  ),
  unheard(
    'new skills are not reported',
    'A client hears of skills that come and go',
    'events.skillsChanged.on(streams.publishSkills)',
    [SKILLS],
  ),
]

/** What the owner and a waiting agent hear. */
const OWNER: readonly Fault[] = [
  unheard(
    'the owner hears of no applied change',
    'The owner is notified of each change that the rules say so of',
    "events.notified.on(() => notices.send('change.applied'))",
    [WEBHOOK],
  ),
  unheard(
    'the owner hears of no draft',
    'The owner is notified of a draft that waits',
    "if (isFirst) notices.send('draft.waiting', { draft: name, budget })",
    [WEBHOOK],
  ),
  unheard(
    'the owner hears of no access request',
    'The owner is notified of an access request',
    "events.accessRequested.on(() => notices.send('access.requested'))",
    [WEBHOOK],
  ),
  unheard(
    'the webhook hears of no decision',
    'The webhook is notified of each decision on a draft',
    "notices.send('draft.decided', { draft: name, outcome, budget: owner.budget })",
    [NOTICES],
  ),
  unheard(
    'the webhook hears of no changed file',
    'The webhook is notified when a watched file changes',
    'if (changed) events.applied.on(changed)',
    [NOTICES],
  ),
  unheard(
    'the person hears of no draft',
    'The person is notified of a draft that waits',
    'events.proposed.on((_, isFirst) => notices.tell(isFirst))',
    [NOTICES],
  ),
  unheard(
    'the person hears of no access request',
    'The person is notified of an access request',
    'events.accessRequested.on(() => notices.tell(true))',
    [NOTICES],
  ),
  unheard(
    'the person hears of no applied change',
    'The person is notified of each change that the rules say so of',
    'events.notified.on(() => notices.tell(true))',
    [NOTICES],
  ),
  unheard(
    'what the owner has seen is still counted',
    'Nothing that waits no more is counted',
    'events.seen.on(() => notices.tell(false))',
    [NOTICES],
  ),
  unheard(
    'an access request that was decided is still counted',
    'Nothing that waits no more is counted',
    'events.accessDecided.on(() => notices.tell(false))',
    [NOTICES],
  ),
  unheard(
    'an app that was decided is still counted',
    'Nothing that waits no more is counted',
    'events.appsChanged.on(() => notices.tell(false))',
    [NOTICES],
  ),
  unheard(
    'a skill that was decided is still counted',
    'Nothing that waits no more is counted',
    'events.skillsChanged.on(() => notices.tell(false))',
    [NOTICES],
  ),
  unheard(
    'a draft that was decided is still counted',
    'Nothing that waits no more is counted',
    'if (decision) notifyOfDecision(notices, decision)',
    [NOTICES],
    "if (decision) notices.send('draft.decided', { draft: decision.draft.name, outcome: decision.outcome })",
  ),
  unheard(
    'an agent does not hear of its own proposal',
    'A session hears of its own proposal to a file that it follows',
    'streams.publishDraft(owner.key, { paths: steps.flatMap(stepPaths), listed: change.listed })',
    [DRAFT_NEWS, LISTEN],
    'undefined',
  ),
  unheard(
    'a proposal sets no time of its expiry',
    'A draft that is not decided expires',
    'events.proposed.on(() => alarm.wakeAt(Date.now() + PROPOSED_SOON_MS))',
    [EXPIRY, 'test/worker/drafts/decide.test.ts', 'test/worker/drafts/drafts.test.ts'],
  ),
  unheard(
    'an agent does not hear of a decision',
    'An agent hears of the decision on its draft',
    'events.decided.on((owner, _, paths) => streams.publishDraft(owner, { paths, listed: paths }))',
    [DRAFT_NEWS],
  ),
  unheard(
    'a question at a URL is not completed',
    'A client of the older protocol hears that its question was answered',
    'if (call.isLegacy) streams.send(call.owner, elicitationComplete(call.change))',
    ['test/platform/call/confirm.test.ts'],
    'void [call, elicitationComplete]',
  ),
  unheard(
    'an access request sets no time of its expiry',
    'An access request that is not decided expires',
    'events.accessRequested.on(() => alarm.wakeAt(Date.now() + REQUESTED_SOON_MS))',
    [REQUESTS],
  ),
  unheard(
    'an agent does not hear of a decision on its access request',
    'An agent hears of the decision on its access request',
    'events.accessDecided.on((owner) => streams.publishDraft(owner))',
    [DRAFT_NEWS, REQUESTS],
  ),
]

export const EVENTS: readonly Fault[] = [...SESSIONS, ...RULES, ...CHANGES, ...OWNER]

/**
 * The access requests of one workspace: what callers lack, and what the owner decides.
 *
 * A call lists a request in `call/permit.ts`; only the owner's routes in `owner/requests.ts` decide. What is allowed
 * for a session is stored with it, so it ends with it. `test/worker/requests/requests.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { DraftOwner } from '../access/draft.ts'
import { endDue } from '../decisions/inbox.ts'
import { createDecisionCounts } from '../decisions/counts.ts'
import type { Config } from '#core/config.ts'
import type { Problem } from '../errors/problem.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Present } from '../store/open/opening.ts'
import { MAX_REQUESTED_PATHS, MAX_REQUESTED_SCOPES } from './limits.ts'
import type { AccessRequest, AllowedFor, RequestedCall } from '../access/access-request.ts'
import { createJudging, type JudgingOf } from '../access/judging.ts'
import { missingRoots, wouldPermit, type NewRoot } from '../access/allow-by-rule.ts'
import { createRequestTable, type RequestTable } from './table.ts'

/** The services of access requests. */
export interface RequestsParts {
  readonly sql: SqlStorage
  readonly sessions: Pick<Sessions, 'find' | 'chainOf' | 'allow' | 'takeBack'>
  /** Whether there are requests to read. */
  readonly has?: Pick<Present, 'requests'>
  /** Called with a session that may do more than before, or less. */
  readonly allowed: (session: string) => void
  /** Adds entries to the rules. Returns false if there cannot be more. */
  readonly openRoots: (roots: readonly NewRoot[]) => boolean
  /** Called when a request begins to wait. */
  readonly listed: () => void
  /** Called with the key of a caller when its request was decided. */
  readonly decided: (owner: string) => void
}

/** The access requests of one workspace. */
export type Requests = ReturnType<typeof createRequests>

/** The access requests, as calls use them. */
export type CallRequests = Pick<Requests, 'list' | 'allowedCall' | 'use' | 'takeNews'>

interface RequestsContext extends RequestsParts {
  readonly table: RequestTable
  readonly counts: ReturnType<typeof createDecisionCounts>
  /** Counts the steps of finding out what rules would permit. */
  readonly judgingOf: JudgingOf
}

/** Opens the access requests of a workspace. */
export function createRequests(parts: RequestsParts) {
  const table = createRequestTable(parts.sql, parts.has)
  const context: RequestsContext = {
    ...parts,
    table,
    counts: createDecisionCounts(),
    judgingOf: createJudging(),
  }
  return {
    waiting: table.waiting,
    countWaiting: () => table.waiting().length,
    find: table.find,
    of: table.of,
    hasNews: table.hasNews,
    takeNews: table.takeNews,
    /** Resolves at the next decision for a caller, after `ms`, or when `signal` is aborted. */
    nextDecision: context.counts.next,
    /** Lists a call for the owner. Returns the request, or null if the call is not listed. */
    list: (owner: DraftOwner, call: RequestedCall) => list(context, owner, call),
    allowedCall: (owner: string, tool: string, digest: string) =>
      table.allowedCall(owner, tool, digest, Date.now()),
    use: (request: AccessRequest) => use(context, request),
    allow: (id: string, duration: 'call' | 'session') => allow(context, id, duration),
    /** Allows a request by the rules, with exactly the entries that the owner was shown. */
    allowInRules: (id: string, shown: readonly NewRoot[], config: Config) =>
      allowInRules(context, id, shown, config),
    /** Returns how a request can be allowed. */
    waysOf: (request: AccessRequest, config: Config) => waysOf(context, request, config),
    allowedCalls: () => table.allowedCalls(Date.now()),
    /** Takes back the permission of a call that was not made yet. Null if there is none. */
    takeBackCall: (id: string) => takeBackCall(context, id),
    /** Takes back what a session was allowed: one scope, or all with null. Returns the scopes. */
    takeBackFrom: (session: string, scope: string | null) => takeBackFrom(context, session, scope),
    refuse: (id: string, note: string) => refuse(context, id, note),
    /** Whether the session of a request is over, so that nothing can be allowed any more. */
    hasEnded: (request: AccessRequest) => hasEnded(context, request),
    expire: (now: number, lifetimeMs: number) => expire(context, now, lifetimeMs),
    /** Deletes everything of a session that has ended. Returns whether a request of it waited. */
    forget: table.forget,
  }
}

function list(
  { table, listed }: RequestsContext,
  owner: DraftOwner,
  call: RequestedCall,
): { readonly request: AccessRequest; readonly isNew: boolean } | null {
  const { scopes, paths } = call
  if (scopes.length > MAX_REQUESTED_SCOPES || paths.length > MAX_REQUESTED_PATHS) return null
  const added = table.add(owner, { ...call, scopes: scopes.toSorted() }, Date.now())
  if (added.isNew) listed()
  return added
}

/** Takes back the permission of a call that is made now. Its session has been allowed something from then on. */
function use({ table, sessions, allowed }: RequestsContext, { id, owner }: AccessRequest): void {
  table.use(id)
  const session = owner.session === null ? null : sessions.find(owner.session)
  if (session === null || session.allowed !== undefined || !sessions.allow(session.id, [])) return
  allowed(session.id)
}

function allow(
  context: RequestsContext,
  id: string,
  duration: 'call' | 'session',
): Result<AccessRequest, Problem> {
  const { table, sessions, allowed } = context
  const request = table.find(id)
  if (!request) return err({ reason: 'no_request', request: id })
  if (hasEnded(context, request)) return err({ reason: 'not_allowable', detail: 'ended' })
  if (duration === 'session') {
    const { session } = request.owner
    if (session === null) return err({ reason: 'not_allowable', detail: 'no_session' })
    if (!sessions.allow(session, request.scopes))
      return err({ reason: 'not_allowable', detail: 'full' })
    allowed(session)
  }
  return ok(decide(context, request, { state: 'allowed', allowedFor: duration, note: '' }))
}

function allowInRules(
  context: RequestsContext,
  id: string,
  shown: readonly NewRoot[],
  config: Config,
): Result<AccessRequest, Problem> {
  const request = context.table.find(id)
  if (!request) return err({ reason: 'no_request', request: id })
  if (hasEnded(context, request)) return err({ reason: 'not_allowable', detail: 'ended' })
  const roots = missingRoots(request.scopes, config)
  const isShown = JSON.stringify(roots.map(toText)) === JSON.stringify(shown.map(toText))
  const isPossible = isShown && waysOf(context, request, config).includes('rules')
  if (!isPossible || !context.openRoots(roots))
    return err({ reason: 'not_allowable', detail: 'rules' })
  return ok(decide(context, request, { state: 'allowed', allowedFor: 'rules', note: '' }))
}

const toText = ({ path, immutable }: NewRoot) => [path, immutable ?? null]

function waysOf(context: RequestsContext, request: AccessRequest, config: Config): AllowedFor[] {
  if (hasEnded(context, request)) return []
  const { scopes, owner } = request
  const session = owner.session === null ? null : context.sessions.find(owner.session)
  const chain = session ? context.sessions.chainOf(session) : []
  const roots = missingRoots(scopes, config)
  const byRules = wouldPermit(scopes, roots, { config, chain, judgingOf: context.judgingOf })
  return ['call', ...(session ? ['session' as const] : []), ...(byRules ? ['rules' as const] : [])]
}

function takeBackCall(context: RequestsContext, id: string): AccessRequest | null {
  const call = context.table.findAllowedCall(id, Date.now())
  return call && decide(context, call, TAKEN_BACK)
}

function takeBackFrom(
  context: RequestsContext,
  session: string,
  scope: string | null,
): readonly string[] {
  const { table, sessions, allowed } = context
  const taken = sessions.takeBack(session, scope)
  if (taken.length === 0) return taken
  allowed(session)
  for (const request of table.allowedFor(session))
    if (request.scopes.some((one) => taken.includes(one))) decide(context, request, TAKEN_BACK)
  return taken
}

const TAKEN_BACK = { state: 'taken_back', allowedFor: null, note: '' } as const

function refuse(
  context: RequestsContext,
  id: string,
  note: string,
): Result<AccessRequest, Problem> {
  const request = context.table.find(id)
  if (!request) return err({ reason: 'no_request', request: id })
  return ok(decide(context, request, { state: 'refused', allowedFor: null, note }))
}

function decide(
  { table, counts, decided }: RequestsContext,
  request: AccessRequest,
  decision: Pick<AccessRequest, 'allowedFor' | 'note'> & {
    readonly state: Exclude<AccessRequest['state'], 'waiting'>
  },
): AccessRequest {
  const at = Date.now()
  table.decide(request, { ...decision, at })
  counts.add(request.owner.key)
  decided(request.owner.key)
  return { ...request, ...decision, decided: at }
}

function hasEnded(
  { sessions }: RequestsContext,
  { owner: { session: id } }: AccessRequest,
): boolean {
  const session = id === null ? null : sessions.find(id)
  return id !== null && (session === null || sessions.chainOf(session) === null)
}

/** Ends requests that have waited too long. Returns when the next ones will have, or null. */
function expire(context: RequestsContext, now: number, lifetimeMs: number): number | null {
  const dueOf = ({ opened }: AccessRequest) => opened + lifetimeMs
  return endDue(context.table.waiting(), now, dueOf, (request) =>
    decide(context, request, { state: 'expired', allowedFor: null, note: '' }),
  )
}

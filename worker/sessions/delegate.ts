/**
 * Delegation: creates a link that gives another agent a part of the caller's access, for a limited time.
 *
 * A child session is judged by its whole chain, so it is not compared with its parent here. It inherits every
 * restriction of the call that created it. `test/worker/sessions/delegate.test.ts` has the cases.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import type { Requester } from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { covers, formatScope, type Scope } from '#core/scope.ts'
import { authorize } from '../access/authorize.ts'
import { lastScopes, parseScopes, rootsToKeep, withPolicy } from '../access/ceiling.ts'
import type { Judging } from '../access/judging.ts'
import type { CallMetadata } from '../access/metadata.ts'
import { MAX_DELEGATION_DEPTH, MAX_STORED_METADATA_BYTES } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import { callerOf, type Caller } from '../access/caller.ts'
import { hashSecret, newSecret } from './links.ts'
import {
  OWNER_MADE,
  type Inherited,
  type NewSession,
  type Session,
  type Transfer,
} from '../access/session.ts'
import type { Sessions } from './sessions.ts'

/** A request for a link. */
export interface DelegationRequest {
  readonly label: string
  /** A policy, not parsed yet. */
  readonly policy?: unknown
  /** Scopes as text; absent for those of the caller. */
  readonly scopes?: readonly string[] | undefined
  readonly ttl_seconds: number
  /** The one file that the link is for, in place of MCP. */
  readonly transfer?: Transfer
}

/** A new session and the secret of its link. */
export interface Delegation {
  readonly session: Session
  /** Shown once; only its hash is stored. */
  readonly secret: string
}

/**
 * Creates a link. It inherits the restrictions in `metadata`, which is that of the call. `requester` is the
 * author of the policy; what a model makes uses the share of its caller. Problems are refused arguments, with the code of each.
 */
export async function delegate(
  request: DelegationRequest,
  { caller, metadata }: Delegator,
  sessions: Sessions,
  owner: Config,
  requester: Requester,
): Promise<Result<Delegation, Problem>> {
  const scopes = parseScopes(request.scopes ?? [])
  if (!scopes.ok) return refuse('INVALID_SCOPES', scopes.error)
  const beyond = scopes.value.find((scope) => !isHeld(scope, caller))
  if (beyond)
    return refuse(
      'INVALID_SCOPES',
      `Cannot delegate ${formatScope(beyond)}: you do not have this scope. Use one of your own`,
    )
  const above = caller.session ? (sessions.chainOf(caller.session) ?? []) : []
  if (above.length >= MAX_DELEGATION_DEPTH)
    return refuse(
      'TOO_DEEP',
      `Cannot create the link: sessions are limited to ${MAX_DELEGATION_DEPTH} levels`,
    )
  const inherited = inheritedFrom(caller, metadata)
  if (bytesOf(inherited) > MAX_STORED_METADATA_BYTES) {
    const most = `${MAX_STORED_METADATA_BYTES} bytes`
    return refuse(
      'METADATA_TOO_LARGE',
      `Cannot create the link: configuration and policy of this call have more than ${most}`,
    )
  }
  const kept = keepRoots(inherited, request, { caller, above })
  const budget = requester === 'human' ? OWNER_MADE : caller.budget
  const session = childOf(caller, request, { inherited: kept, budget })
  const proven = validatePolicy({ transfer: null, ...session, id: '', created: 0 }, above, {
    owner,
    requester,
    judging: caller.working.judging,
  })
  if (!proven.ok) return refuse('INVALID_POLICY', proven.error)
  const useless = request.transfer && refusalOfTransfer(request.transfer, proven.value)
  if (useless) return err(useless)
  return ok(await withLink(session, sessions))
}

/** The caller that delegates, and the metadata of its call. */
export interface Delegator {
  readonly caller: Caller
  readonly metadata: CallMetadata
}

function inheritedFrom(
  { configuration }: Caller,
  { policy, denied }: CallMetadata,
): Inherited | null {
  const inherited = {
    ...(configuration !== undefined && { config: configuration }),
    ...(policy !== undefined && { policy }),
    ...(denied.length > 0 && { denied: denied.map(formatScope) }),
  }
  return Object.keys(inherited).length > 0 ? inherited : null
}

/** Adds the roots of this moment to what a session inherits, if it is the first of its chain that a policy restricts. */
function keepRoots(
  inherited: Inherited | null,
  { policy }: DelegationRequest,
  { caller: { working }, above }: { readonly caller: Caller; readonly above: readonly Session[] },
): Inherited | null {
  // A person may send null, which is no policy.
  const isRestricted = (policy ?? inherited?.policy) !== undefined
  const isKept = above.some((session) => session.inherited?.roots)
  return isRestricted && !isKept ? { ...inherited, roots: rootsToKeep(working.area) } : inherited
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** The rules of the owner, the author of a policy, and who counts the steps of its patterns. */
interface Validation {
  readonly owner: Config
  readonly requester: Requester
  readonly judging: Judging | undefined
}

/** Resolves the whole chain, as every later request will, and validates the policy for its real author. */
function validatePolicy(
  session: Session,
  above: readonly Session[],
  { owner, requester, judging }: Validation,
): Result<Caller, string> {
  const judgingOf = judging && (() => judging)
  const without = callerOf([...above, { ...session, policy: null }], owner, null, judgingOf)
  if (!without.ok || session.policy === null) return without
  const read = withPolicy(without.value.working.ceiling, session.policy, requester)
  return read.ok ? callerOf([...above, session], owner, null, judgingOf) : read
}

/** A grant is for one call, so a link can lack what the call that asks for it had. */
function refusalOfTransfer({ path, direction }: Transfer, { access }: Caller): Problem | null {
  const action = direction === 'download' ? 'read' : 'write'
  const permitted = authorize([{ action, text: path }], access)
  return permitted.ok ? null : permitted.error
}

function childOf(
  caller: Caller,
  { label, policy = null, scopes, ttl_seconds, transfer }: DelegationRequest,
  { inherited, budget }: Pick<NewSession, 'inherited' | 'budget'>,
): NewSession {
  const wanted = Date.now() + ttl_seconds * 1000
  return {
    parent: caller.session?.id ?? null,
    principal: caller.principal,
    label,
    config: null,
    policy,
    scopes: scopes ?? lastScopes(caller.working.ceiling),
    inherited,
    budget,
    initialize: null,
    expires: Math.min(wanted, caller.session?.expires ?? Infinity),
    ...(transfer && { transfer }),
  }
}

/** Creates a session and the secret of its link. */
async function withLink(session: NewSession, sessions: Sessions): Promise<Delegation> {
  const secret = newSecret()
  return { session: sessions.make(session, await hashSecret(secret)), secret }
}

function isHeld(scope: Scope, { working }: Caller): boolean {
  return working.ceiling.scopes.every((scopes) => scopes.some((held) => covers(held, scope)))
}

function refuse(code: string, detail: string) {
  return err<Problem>({ reason: 'bad_argument', code, detail })
}

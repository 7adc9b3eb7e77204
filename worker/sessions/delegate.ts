/**
 * Delegation: a caller hands a part of what it may do to somebody else, for a while, as a link.
 *
 * The child is judged by what the whole chain adds up to, so nothing here has to compare it with its
 * parent; what is checked is that the wish is understood, so that nobody hands on less or more than
 * they believe.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { readPolicy, type Requester } from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { covers, type Scope } from '#core/scope.ts'
import { MAX_DELEGATION_DEPTH } from '../limits.ts'
import type { Problem } from '../problem.ts'
import { callerOf, ceilingOf, readScopes, type Caller } from './caller.ts'
import { hashSecret, newSecret } from './links.ts'
import type { NewSession, Session, Sessions } from './sessions.ts'

export interface DelegationWish {
  readonly label: string
  readonly policy?: unknown
  readonly scopes?: readonly string[] | undefined
  readonly ttl_seconds: number
}

export interface Delegation {
  readonly session: Session
  /** Shown once; only a hash of it is kept. */
  readonly secret: string
}

export async function delegate(
  wish: DelegationWish,
  caller: Caller,
  sessions: Sessions,
  base: Config,
  requester: Requester,
): Promise<Result<Delegation, Problem>> {
  const scopes = readScopes(wish.scopes ?? [])
  if (!scopes.ok) return refuse('INVALID_SCOPES', scopes.error)
  const beyond = scopes.value.find((scope) => !isHeld(scope, caller))
  if (beyond) return refuse('INVALID_SCOPES', 'A scope may be handed on only by whoever holds it')
  const policy = wish.policy === undefined ? null : wish.policy
  const read = policy === null ? null : readPolicy(policy, caller.area.rules.read, requester)
  if (read && !read.ok) return refuse('INVALID_POLICY', read.error)

  const above = caller.session ? (sessions.chainOf(caller.session) ?? []) : []
  if (above.length >= MAX_DELEGATION_DEPTH)
    return refuse('TOO_DEEP', `Sessions may stand ${MAX_DELEGATION_DEPTH} deep`)
  const session = childOf(caller, wish, policy)
  const proven = callerOf([...above, { ...session, id: '', created: 0 }], base)
  if (!proven.ok) return refuse('INVALID_POLICY', proven.error)
  return ok(await withLink(session, sessions))
}

function childOf(
  caller: Caller,
  { label, scopes, ttl_seconds }: DelegationWish,
  policy: unknown,
): NewSession {
  const wanted = Date.now() + ttl_seconds * 1000
  return {
    parent: caller.session?.id ?? null,
    principal: caller.principal,
    label,
    config: null,
    policy,
    scopes: scopes ?? ceilingOf(caller),
    initialize: null,
    expires: Math.min(wanted, caller.session?.expires ?? Infinity),
  }
}

/** Makes a session together with the secret of its link. */
export async function withLink(session: NewSession, sessions: Sessions): Promise<Delegation> {
  const secret = newSecret()
  return { session: sessions.make(session, await hashSecret(secret)), secret }
}

function isHeld(scope: Scope, { ceilings }: Caller): boolean {
  return ceilings.every((scopes) => scopes.some((held) => covers(held, scope)))
}

function refuse(code: string, detail: string) {
  return err<Problem>({ reason: 'bad_argument', code, detail })
}

/**
 * The caller: who a request is from, and the access that its chain of sessions leaves.
 *
 * Policies, scopes and configurations only narrow on the way down, so a child can never do more than its
 * parent, at any depth. `_meta` is not read here.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { recordOf } from '#core/json.ts'
import { ok, type Result } from '#core/result.ts'
import { declaresApps, declaresUrlElicitation } from '#core/wire.ts'
import { Access, resolveAccess, type WorkingArea } from './access.ts'
import {
  ownerCeiling,
  parseScopes,
  withAllowed,
  withDenied,
  withKeptRoots,
  withPolicy,
  withScopes,
  type Ceiling,
} from './ceiling.ts'
import { withClientConfig } from './client-config.ts'
import type { JudgingOf } from './judging.ts'
import type { Actor } from '../audit/change-note.ts'
import { MAX_CLIENT_LENGTH } from '../limits.ts'
import { readStoredScopes } from './scopes.ts'
import { nameSession, OWNER_MADE, type Session } from './session.ts'

/** The sender of a request, and what it may use. */
export interface Caller {
  /** On whose behalf the request is made, for example `owner` or `local`. */
  readonly principal: string
  /** The address of the owner in person, where Cloudflare Access has proved it; null for all others. */
  readonly email: string | null
  /** The principal whose share of every limit it uses, or the session that the owner made at the top of its chain. */
  readonly budget: string
  /** The session whose link, or whose `Mcp-Session-Id`, the request came with. */
  readonly session: Session | null
  /** Scopes of a token that came with the request; null without one. */
  readonly token: readonly string[] | null
  /** The configuration in this request; undefined without one. */
  readonly configuration: unknown
  /** The ceiling, and what the client's configuration leaves of it. */
  readonly working: WorkingArea
  /** What its client calls itself in this request, where that is no session: a claim. */
  readonly claimedName?: string
  /** Whether the client shows MCP Apps. */
  readonly showsApps: boolean
  /** The era in which its client asks a person to open a page; null if it cannot. */
  readonly urlElicitation: 'modern' | 'legacy' | null
  /** The access of a request without metadata of its own. */
  readonly access: Access
  /** The beginning of a link to this workspace, from the URL that the caller used. */
  readonly base: string
}

/** Creates the caller of a request without a session. */
export function callerWithoutSession(
  principal: string,
  owner: Config,
  judgingOf?: JudgingOf,
): Caller {
  const ceiling = ownerCeiling(owner)
  return {
    principal,
    email: null,
    budget: principal,
    session: null,
    token: null,
    configuration: undefined,
    showsApps: false,
    urlElicitation: null,
    ...withArea({ ceiling, area: ceiling, judging: judgingOf?.(principal, 'calls') }),
    base: '',
  }
}

/**
 * Computes the caller of a chain of sessions, topmost first, limited to the scopes of a token. The error
 * names the invalid field.
 */
export function callerOf(
  chain: readonly Session[],
  owner: Config,
  token: readonly string[] | null = null,
  judgingOf?: JudgingOf,
): Result<Caller, string> {
  const ceiling = ceilingOf(chain, owner, token)
  if (!ceiling.ok) return ceiling
  const last = chain.at(-1) ?? null
  const session = last && { ...last, ...nameSession(last, chain.at(-2) ?? null) }
  const area = workingArea(ceiling.value, session)
  if (!area.ok) return area
  const budget = budgetOf(chain)
  const judging = judgingOf?.(budget, 'calls')
  return ok({
    principal: session?.principal ?? 'unknown',
    email: null,
    budget,
    session,
    token,
    configuration: undefined,
    showsApps: declaresApps(capabilitiesOf(session)),
    urlElicitation: declaresUrlElicitation(capabilitiesOf(session)) ? 'legacy' : null,
    ...withArea({ ceiling: ceiling.value, area: area.value, judging }),
    base: '',
  })
}

/**
 * The configuration in a legacy `initialize` applies to its session as the client's own; links made from it
 * are bound by it in `underSession`.
 */
function workingArea(ceiling: Ceiling, session: Session | null): Result<Ceiling, string> {
  const config = session?.config ?? undefined
  return config === undefined ? ok(ceiling) : withClientConfig(ceiling, config)
}

/** Applies the configuration in a request to its caller. The error names the field that asks for more. */
export function withConfiguration(caller: Caller, configuration: unknown): Result<Caller, string> {
  const area = withClientConfig(caller.working.area, configuration)
  if (!area.ok) return area
  return ok({ ...caller, configuration, ...withArea({ ...caller.working, area: area.value }) })
}

function withArea(working: WorkingArea): Pick<Caller, 'working' | 'access'> {
  const access = resolveAccess(working)
  if (!access.ok) throw new Error(access.error)
  return { working, access: access.value }
}

/** Returns the client capabilities of a legacy `initialize`. */
function capabilitiesOf(session: Session | null): unknown {
  return recordOf(recordOf(session?.initialize)['params'])['capabilities']
}

function budgetOf([top]: readonly Session[]): string {
  return top ? budgetOfSession(top) : 'unknown'
}

/**
 * Returns the principal whose share of every limit a session uses. What the owner made has a share of its own, and every
 * other session that of its maker, so that no caller gets another share by making links.
 */
export const budgetOfSession = ({ budget, id }: Session): string =>
  budget === OWNER_MADE ? id : budget

function ceilingOf(
  chain: readonly Session[],
  owner: Config,
  token: readonly string[] | null,
): Result<Ceiling, string> {
  let ceiling: Result<Ceiling, string> = ok(ownerCeiling(owner))
  for (const session of chain) {
    ceiling = underSession(ceiling.value, session, session === chain.at(-1))
    if (!ceiling.ok) return ceiling
  }
  ceiling = ok(allowedTo(chain.at(-1), ceiling.value))
  return token === null ? ceiling : withScopes(ceiling.value, token)
}

/** What the owner allowed is for the session of the request, and not for those below it. */
function allowedTo(session: Session | undefined, ceiling: Ceiling): Ceiling {
  if (!session?.allowed || session.transfer) return ceiling
  return withAllowed(ceiling, readStoredScopes(session.allowed), ceiling.folders.length)
}

/** Computes the caller of one call that the owner allowed. No scope of a token is lifted. */
export function withAllowedCall(caller: Caller, texts: readonly string[]): Caller {
  const { working, token } = caller
  const lists = working.ceiling.folders.length - (token === null ? 0 : 1)
  const scopes = readStoredScopes(texts)
  const ceiling = withAllowed(working.ceiling, scopes, lists)
  const area = withAllowed(working.area, scopes, lists)
  return { ...caller, ...withArea({ ...working, ceiling, area }) }
}

function underSession(
  above: Ceiling,
  { inherited, policy, parent, scopes, config }: Session,
  isLast: boolean,
): Result<Ceiling, string> {
  let ceiling: Result<Ceiling, string> = ok(above)
  if (inherited?.config !== undefined) ceiling = withClientConfig(ceiling.value, inherited.config)
  if (!ceiling.ok) return ceiling
  if (inherited?.roots) ceiling = ok(withKeptRoots(ceiling.value, inherited.roots))
  if (inherited?.policy !== undefined)
    ceiling = withPolicy(ceiling.value, inherited.policy, 'human')
  if (!ceiling.ok) return ceiling
  // A session with a parent was created by a model, through `delegate`.
  if (policy !== null)
    ceiling = withPolicy(ceiling.value, policy, parent === null ? 'human' : 'llm')
  if (!ceiling.ok) return ceiling
  if (scopes !== null) ceiling = withScopes(ceiling.value, scopes)
  if (!ceiling.ok) return ceiling
  // The configuration of a legacy session binds the sessions below it as well.
  if (config !== null && !isLast) ceiling = withClientConfig(ceiling.value, config)
  if (!ceiling.ok) return ceiling
  const denied = parseScopes(inherited?.denied ?? [])
  return denied.ok ? ok(withDenied(ceiling.value, denied.value)) : denied
}

/** Names the principal and the session on whose behalf a caller acts. */
export function actorOf({ principal, email, session, budget }: Caller): Actor {
  const client = session?.client
  return {
    principal,
    session: session?.id ?? null,
    label: session?.label ?? null,
    budget,
    ...(client !== undefined && { client: cutClient(client) }),
    ...(email !== null && { email }),
  }
}

/** Cuts the name that a client gives itself, for the audit log. */
export const cutClient = (name: string) => name.slice(0, MAX_CLIENT_LENGTH).toWellFormed()

/**
 * The caller: what a chain of sessions adds up to.
 *
 * Policies, scopes and configurations only narrow on the way down, so a child can never do more than its
 * parent, at any depth. `_meta` is not read here.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { recordOf } from '#core/json.ts'
import { ok, type Result } from '#core/result.ts'
import { readScope } from '#core/scope.ts'
import { declaresApps } from '#core/wire.ts'
import { Access, resolveAccess, type WorkingArea } from '../access/access.ts'
import {
  ownerCeiling,
  withDenied,
  withPolicy,
  withScopes,
  type Ceiling,
} from '../access/ceiling.ts'
import { withClientConfig } from '../access/client-config.ts'
import type { Session } from './sessions.ts'

/** Who is calling, and what they may use. */
export interface Caller {
  readonly principal: string
  /** Whose share the caller uses of what is limited: the principal, or the session at the top of its chain. */
  readonly budget: string
  /** The session whose link, or whose `Mcp-Session-Id`, the request came with. */
  readonly session: Session | null
  /** Scopes of a token that came with the request; null without one. */
  readonly token: readonly string[] | null
  /** The configuration that this request brought; undefined when it brought none. */
  readonly configuration: unknown
  readonly working: WorkingArea
  /** Whether its client shows MCP Apps. */
  readonly showsApps: boolean
  /** The access of a request without any terms of its own. */
  readonly access: Access
  /** The beginning of a link to this workspace, as the caller's own requests came to it. */
  readonly base: string
}

/** The caller that a request has when it comes with no session. */
export function freeCaller(principal: string, owner: Config): Caller {
  const ceiling = ownerCeiling(owner)
  return {
    principal,
    budget: principal,
    session: null,
    token: null,
    configuration: undefined,
    showsApps: false,
    ...withArea(ceiling, ceiling),
    base: '',
  }
}

/**
 * What a chain of sessions, from the top, adds up to, and no more of it than a token's scopes have. The error
 * names the field that is at fault.
 */
export function callerOf(
  chain: readonly Session[],
  owner: Config,
  token: readonly string[] | null = null,
): Result<Caller, string> {
  const ceiling = ceilingOf(chain, owner, token)
  if (!ceiling.ok) return ceiling
  const session = chain.at(-1) ?? null
  const area = workingArea(ceiling.value, session)
  if (!area.ok) return area
  return ok({
    principal: session?.principal ?? 'unknown',
    budget: budgetOf(chain),
    session,
    token,
    configuration: undefined,
    showsApps: declaresApps(capabilitiesOf(session)),
    ...withArea(ceiling.value, area.value),
    base: '',
  })
}

/** A session of the older era has the configuration of its `initialize`, for itself and not for its links. */
function workingArea(ceiling: Ceiling, session: Session | null): Result<Ceiling, string> {
  const config = session?.config ?? undefined
  return config === undefined ? ok(ceiling) : withClientConfig(ceiling, config)
}

/** The caller with a configuration of this request. The error names the field that asks for more. */
export function withConfiguration(caller: Caller, configuration: unknown): Result<Caller, string> {
  const { ceiling } = caller.working
  const area = withClientConfig(caller.working.area, configuration)
  if (!area.ok) return area
  return ok({ ...caller, configuration, ...withArea(ceiling, area.value) })
}

function withArea(ceiling: Ceiling, area: Ceiling): Pick<Caller, 'working' | 'access'> {
  const working = { ceiling, area }
  const access = resolveAccess(working)
  if (!access.ok) throw new Error(access.error)
  return { working, access: access.value }
}

/** What a client of the older era said of itself in `initialize`. */
function capabilitiesOf(session: Session | null): unknown {
  return recordOf(recordOf(session?.initialize)['params'])['capabilities']
}

/** What a session made for a client pays with is its principal's; a link pays for itself. */
function budgetOf(chain: readonly Session[]): string {
  const [top] = chain
  if (!top) return 'unknown'
  return top.initialize === null ? top.id : top.principal
}

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
  return token === null ? ceiling : withScopes(ceiling.value, token)
}

function underSession(
  above: Ceiling,
  { inherited, policy, parent, scopes, config }: Session,
  isLast: boolean,
): Result<Ceiling, string> {
  let ceiling: Result<Ceiling, string> = ok(above)
  if (inherited?.config !== undefined) ceiling = withClientConfig(ceiling.value, inherited.config)
  if (!ceiling.ok) return ceiling
  if (inherited?.policy !== undefined)
    ceiling = withPolicy(ceiling.value, inherited.policy, 'human')
  if (!ceiling.ok) return ceiling
  // What has a parent was made by a model, through `delegate`.
  if (policy !== null)
    ceiling = withPolicy(ceiling.value, policy, parent === null ? 'human' : 'llm')
  if (!ceiling.ok) return ceiling
  if (scopes !== null) ceiling = withScopes(ceiling.value, scopes)
  if (!ceiling.ok) return ceiling
  // Whoever stands below a session of the older era is bound by its configuration as well.
  if (config !== null && !isLast) ceiling = withClientConfig(ceiling.value, config)
  if (!ceiling.ok) return ceiling
  const denied = (inherited?.denied ?? []).flatMap((text) => {
    const scope = readScope(text)
    return scope.ok ? [scope.value] : []
  })
  return ok(withDenied(ceiling.value, denied))
}

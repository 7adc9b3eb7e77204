/**
 * The caller: what a chain of sessions adds up to.
 *
 * Configuration is laid over from the top, policies and scopes only ever narrow on the way down. So
 * a child can never do more than its parent, at any depth, and no `_meta` is looked at here.
 *
 * @module
 */

import { readConfig, type Config } from '#core/config.ts'
import { readPolicy, restrict, rulesOf, type Rules } from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { formatScope, readScope, type Scope } from '#core/scope.ts'
import { baseArea, type Area } from '../area.ts'
import type { Session } from './sessions.ts'

/** Who is calling, and what they may ever touch. */
export interface Caller {
  readonly principal: string
  /** The session whose link, or whose `Mcp-Session-Id`, the request came with. */
  readonly session: Session | null
  /** Each list has to cover what is touched; none at all covers everything. */
  readonly ceilings: readonly (readonly Scope[])[]
  readonly area: Area
  /** The beginning of a link to this workspace, as the caller's own requests came to it. */
  readonly base: string
}

/**
 * The narrowest of a caller's ceilings, for a session that is to stand under it. It need not be that of
 * the caller's own session: a token may say less than its session has.
 */
export function ceilingOf({ ceilings }: Caller): readonly string[] | null {
  return ceilings.at(-1)?.map(formatScope) ?? null
}

/** The caller that a request has when it comes with no session. */
export function freeCaller(principal: string, config: Config): Caller {
  return { principal, session: null, ceilings: [], area: baseArea(config), base: '' }
}

/** What a chain, from the top, adds up to. The error names the field that is at fault. */
export function callerOf(chain: readonly Session[], base: Config): Result<Caller, string> {
  const config = configOf(chain, base)
  if (!config.ok) return config
  const rules = rulesUnder(chain, config.value)
  if (!rules.ok) return rules
  const ceilings = ceilingsOf(chain)
  if (!ceilings.ok) return ceilings
  const session = chain.at(-1) ?? null
  return ok({
    principal: session?.principal ?? 'nobody',
    session,
    ceilings: ceilings.value,
    area: baseArea(config.value, rules.value, ceilings.value),
    base: '',
  })
}

function configOf(chain: readonly Session[], base: Config): Result<Config, string> {
  let config = base
  for (const { config: own } of chain) {
    if (own === null) continue
    const read = readConfig(own, config)
    if (!read.ok) return read
    config = read.value
  }
  return ok(config)
}

function rulesUnder(chain: readonly Session[], config: Config): Result<Rules, string> {
  let rules = rulesOf(config)
  for (const { policy, parent } of chain) {
    if (policy === null) continue
    // What has a parent was made by a model, through `delegate`.
    const read = readPolicy(policy, rules, parent === null ? 'human' : 'llm')
    if (!read.ok) return read
    rules = restrict(rules, read.value)
  }
  return ok(rules)
}

function ceilingsOf(chain: readonly Session[]): Result<Scope[][], string> {
  const ceilings: Scope[][] = []
  for (const { scopes } of chain) {
    if (scopes === null) continue
    const read = readScopes(scopes)
    if (!read.ok) return read
    ceilings.push(read.value)
  }
  return ok(ceilings)
}

export function readScopes(texts: readonly string[]): Result<Scope[], string> {
  const scopes: Scope[] = []
  for (const text of texts) {
    const scope = readScope(text)
    if (!scope.ok) return err(`${JSON.stringify(text)} is no scope: ${scope.error}`)
    scopes.push(scope.value)
  }
  return ok(scopes)
}

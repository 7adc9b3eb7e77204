/**
 * Authorization of a call with what the owner allowed for it; and what it lacks becomes an access request.
 *
 * Only a call beyond its ceiling is listed: what a grant in `_meta` can open is for the person at the host, and a
 * token lacks scopes until its client asks for more. `test/worker/requests/requests.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { resolveAccess, type Access } from '../access/access.ts'
import { authorize } from '../access/authorize.ts'
import { type CallMetadata } from '../access/metadata.ts'
import { resolveSpelled, type SpelledIn } from '../access/spelling.ts'
import { digestOf, type Audit } from '../audit/audit.ts'
import { withoutVersion } from '../audit/decision-note.ts'
import type { Account } from './audit-note.ts'
import { draftOwnerOf } from '../access/draft-owner.ts'
import type { Problem } from '../errors/problem.ts'
import { withAllowedCall, type Caller } from '../access/caller.ts'
import type { Tool } from '../tools/lib/tool.ts'
import type { CallRequests } from '../requests/requests.ts'

/** A call that is to be authorized. */
export interface CallToPermit {
  readonly tool: Tool
  readonly input: unknown
  readonly metadata: CallMetadata
  readonly access: Access
  readonly caller: Caller
  readonly account: () => Account
  /** Opens the workspace with an access of the caller. */
  readonly open: (access: Access) => SpelledIn
}

/** What permits a call: its resolved paths, and the access that covers them. */
export interface Permission {
  readonly places: readonly StorePath[]
  readonly access: Access
  /** Scopes that the owner allowed for this call alone. */
  readonly allowed: readonly string[]
}

/** Authorizes a call, or returns the problem, which says whether the call waits for the owner. */
export function permitCall(
  call: CallToPermit,
  requests: CallRequests | undefined,
  audit: Audit,
): Result<Permission, Problem> {
  const { access } = call
  const first = placesOf(call, access)
  if (first.ok) return ok({ places: first.value, access, allowed: [] })
  if (!requests || lackOf(first.error, call) === null) return first
  const again = permitOnce(call, requests)
  if (again?.ok) return again
  const problem = again?.error ?? first.error
  return err(request(problem, call, requests, audit))
}

function placesOf(
  { tool, input, open }: CallToPermit,
  access: Access,
): Result<StorePath[], Problem> {
  const places = authorize(tool.touches(input), access, resolveSpelled(open(access)))
  // Some changes name no path.
  return places.ok && tool.kind === 'change' && access.readOnly
    ? err({ reason: 'read_only' })
    : places
}

/** Returns the scopes that only the owner can add, or null if the call lacks something else. */
function lackOf(
  problem: Problem,
  { tool, caller, metadata }: Pick<CallToPermit, 'tool' | 'caller' | 'metadata'>,
): readonly string[] | null {
  // Under a policy nothing can be allowed, so a request would not help.
  if (metadata.policy !== undefined || caller.session?.transfer) return null
  // A link would outlive what was allowed for its call, and gets nothing of it.
  if (tool.kind === 'act') return null
  if (problem.reason === 'outside_root') return problem.requested === null ? problem.lacking : null
  return problem.reason === 'insufficient_scope' && caller.token === null ? problem.scopes : null
}

/** Authorizes a call with what the owner allowed for it, once. Null if the owner allowed nothing. */
function permitOnce(
  call: CallToPermit,
  requests: CallRequests,
): Result<Permission, Problem> | null {
  const { tool, metadata, caller } = call
  const { key } = draftOwnerOf(caller)
  const { digest } = identify(call)
  const allowed = requests.allowedCall(key, tool.name, digest)
  if (!allowed) return null
  const { scopes } = allowed
  const access = resolveAccess(withAllowedCall(caller, scopes).working, metadata)
  if (!access.ok) return null
  const places = placesOf(call, access.value)
  if (!places.ok) return places
  // A preview of a change is not the change. Every other call uses the permission up, whatever becomes of it.
  if (tool.kind !== 'change' || !metadata.preview) requests.use(allowed)
  return ok({ places: places.value, access: access.value, allowed: scopes })
}

/**
 * Identifies a call by its arguments and by the paths that they name: a client's configuration sets the folder of
 * relative paths, and may be another one when the call is repeated.
 */
function identify({ tool, input, access, account, open }: CallToPermit) {
  const named = tool.touches(input).map(resolveSpelled(open(access)))
  const paths = [...new Set(named.flatMap((path) => (path.ok ? [path.value] : [])))]
  return { paths, digest: digestOf([account().digest, paths]) }
}

/** Lists the call for the owner, if the owner can allow it. */
function request(
  problem: Problem,
  call: CallToPermit,
  requests: CallRequests,
  audit: Audit,
): Problem {
  const scopes = lackOf(problem, call)
  if (scopes === null) return problem
  const note = call.account()
  const { tool, intent } = note
  const requested = { tool, intent, scopes, ...identify(call) }
  const listed = requests.list(draftOwnerOf(call.caller), requested)
  if (!listed) return problem
  if (listed.isNew) {
    const paths = 'path' in problem ? [problem.path] : []
    const asked = { tool: 'request_access', intent: `Request access: ${intent}` }
    const { id } = listed.request
    audit.record({ ...note, ...asked, ...withoutVersion('proposed', paths), id })
  }
  return problem.reason === 'outside_root' || problem.reason === 'insufficient_scope'
    ? { ...problem, waits: true }
    : problem
}

/**
 * Audit entries of tool calls: who called which tool, with which arguments, and what permitted it.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import type { StorePath } from '#core/path.ts'
import { formatScope } from '#core/scope.ts'
import type { Request } from './call.ts'
import { MAX_AUDIT_SCOPES } from './limits.ts'
import { codeOf, type Problem } from './problem.ts'
import type { Caller } from './sessions/caller.ts'
import { shorten, takeWithin } from './store/audit-entry.ts'
import { digestOf, type Audit, type Fate } from './store/audit.ts'
import { storedIntent, type Actor, type ChangeNote } from './store/note.ts'
import type { CallMetadata } from './access/metadata.ts'
import type { Tool } from './tools/tool.ts'

/** The facts of a call that its change, or its audit entry, stores. */
export type Account = Required<Omit<ChangeNote, 'id' | 'about' | 'scopes_left_out'>> &
  Pick<ChangeNote, 'scopes_left_out'>

/** Describes a call: tool, intent, actor, decision and a digest of the arguments. */
export function accountOf(
  tool: Pick<Tool, 'name' | 'intent'>,
  { args, caller }: Request,
  metadata: CallMetadata,
): Account {
  return {
    tool: tool.name,
    intent: intentOf(tool, args),
    actor: actorOf(caller),
    ...decisionOf(caller, metadata),
    digest: digestOf(args),
  }
}

const intentOf = ({ intent }: Pick<Tool, 'intent'>, args: unknown) =>
  storedIntent(renderIntent(intent, args).text)

/** Names the principal and the session on whose behalf a caller acts. */
export function actorOf({ principal, session, budget }: Caller): Actor {
  return { principal, session: session?.id ?? null, label: session?.label ?? null, budget }
}

/** Longest session name and preview id in a decision, in characters of JSON. */
const MOST = { label: 250, preview: 50 }

/** Lists what decided the call: the configuration first, then the session, grants, policy and preview. */
function decisionOf(
  { session }: Caller,
  { granted, policy, bound }: CallMetadata,
): Pick<Account, 'decision' | 'scopes_left_out'> {
  const scopes = takeWithin(granted.map(formatScope), MAX_AUDIT_SCOPES)
  const more = granted.length - scopes.length
  const grounds = [
    'configuration',
    session && `session ${shorten(session.label, MOST.label)}`,
    scopes.length > 0 && `granted ${scopes.join(', ')}`,
    policy !== undefined && 'policy of the call',
    bound !== null && `preview ${shorten(bound, MOST.preview)}`,
  ]
  const decision = grounds.filter((ground) => typeof ground === 'string').join('; ')
  return { decision, ...(more > 0 && { scopes_left_out: more }) }
}

const DECISIONS: ReadonlySet<Problem['reason']> = new Set([
  'outside_root',
  'insufficient_scope',
  'blocked',
  'immutable',
  'read_only',
  'access_changed',
])

/** Records a refusal in the audit log if a rule or a scope caused it; other problems are not recorded. */
export function noteRefusal(problem: Problem, account: () => Account, audit: Audit): void {
  if (!DECISIONS.has(problem.reason)) return
  const paths = 'path' in problem ? [problem.path] : []
  const { decision, ...note } = account()
  const grounds = `${codeOf(problem)}; ${decision}`
  audit.record({ ...note, ...withoutVersion('refused', paths), id: '', decision: grounds })
}

/** Records a preview in the audit log, under the id of the preview. */
export function notePreview(id: string, account: Account, paths: StorePath[], audit: Audit): void {
  audit.record({ ...account, ...withoutVersion('previewed', paths), id })
}

/** Builds the outcome fields of an audit entry that made no version. */
export function withoutVersion<O extends Fate>(outcome: O, paths: readonly string[]) {
  return { outcome, paths, version: null, at: Date.now() }
}

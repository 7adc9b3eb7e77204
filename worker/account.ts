/**
 * The account that is given of a call: who, what, with which arguments, and what allowed it.
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

export type Account = Required<Omit<ChangeNote, 'id' | 'about' | 'scopes_left_out'>> &
  Pick<ChangeNote, 'scopes_left_out'>

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

export function actorOf({ principal, session, budget }: Caller): Actor {
  return { principal, session: session?.id ?? null, label: session?.label ?? null, budget }
}

/** Characters of JSON that the name of a session, and the id of a preview, have in a decision. */
const MOST = { label: 250, preview: 50 }

/** All that had a say, from what always holds to what this call brought. */
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

/** Notes a refusal, where it was a decision and not a mishap. */
export function noteRefusal(problem: Problem, account: () => Account, audit: Audit): void {
  if (!DECISIONS.has(problem.reason)) return
  const paths = 'path' in problem ? [problem.path] : []
  const { decision, ...note } = account()
  const grounds = `${codeOf(problem)}; ${decision}`
  audit.record({ ...note, ...withoutVersion('refused', paths), id: '', decision: grounds })
}

export function notePreview(id: string, account: Account, paths: StorePath[], audit: Audit): void {
  audit.record({ ...account, ...withoutVersion('previewed', paths), id })
}

/** What an entry tells where no version came of it. */
export function withoutVersion<O extends Fate>(outcome: O, paths: readonly string[]) {
  return { outcome, paths, version: null, at: Date.now() }
}

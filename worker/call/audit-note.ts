/**
 * Audit entries of tool calls: who called which tool, with which arguments, and what permitted it.
 *
 * @module
 */

import { cutMiddle } from '#core/cut-middle.ts'
import type { Ground } from '#core/grounds.ts'
import { renderIntent } from '#core/intent/render.ts'
import { describeValues } from '#core/intent/words.ts'
import { recordOf } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import { formatScope } from '#core/scope.ts'
import { visible } from '#core/visible.ts'
import { CLIENT_INFO_META } from '#core/wire.ts'
import type { Resolve } from '../access/spelling.ts'
import { MAX_INTENT_VALUE_LENGTH } from '../limits.ts'
import type { CallRequest } from './context.ts'
import { codeOf, type Problem } from '../errors/problem.ts'
import { actorOf, cutClient, type Caller } from '../access/caller.ts'
import { digestOf, type Audit } from '../audit/audit.ts'
import { withoutVersion } from '../audit/decision-note.ts'
import { storedIntent, type Actor, type ChangeNote } from '../audit/change-note.ts'
import type { CallMetadata } from '../access/metadata.ts'
import type { Tool } from '../tools/lib/tool.ts'

/** The facts of a call that its change, or its audit entry, stores. */
export type Account = Required<Omit<ChangeNote, 'id' | 'about' | 'approval'>>

/** A call whose arguments were parsed. */
interface ParsedCall {
  readonly tool: Pick<Tool, 'name' | 'intent' | 'touches' | 'shownArguments'>
  readonly input: unknown
  readonly metadata: CallMetadata
  /** Resolves the paths that its arguments name. */
  readonly resolve: Resolve
}

/** Describes a call: tool, intent, actor, decision and a digest of the arguments. */
export function accountOf(
  call: ParsedCall,
  { args, meta, caller }: Pick<CallRequest, 'args' | 'meta' | 'caller'>,
): Account {
  return {
    tool: call.tool.name,
    intent: intentOf(call, args),
    actor: { ...actorOf(caller), ...clientOf(meta) },
    decision: groundsOf(caller, call.metadata),
    digest: digestOf(args),
  }
}

/**
 * Writes the sentence for people. A person decides by it, so its paths are absolute, hidden
 * characters are visible, and no value is so long that it pushes another one out of the sentence.
 */
function intentOf({ tool, input, resolve }: ParsedCall, sent: unknown): string {
  const args = tool.shownArguments?.(recordOf(sent)) ?? sent
  const paths = new Map(tool.touches(input).map((touch) => [touch.text, touch]))
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write)
    if (typeof value !== 'string') return value
    const touch = paths.get(value)
    const path = touch && resolve(touch)
    return withoutMiddle(path?.ok ? path.value : value)
  }
  // A value that the template does not name can be the content of a file, and is not worth searching.
  const named = Object.entries(recordOf(args)).filter(([key]) => tool.intent.source.includes(key))
  const written = named.map(([key, value]) => [key, write(value)] as const)
  const sentence = describeValues(renderIntent(tool.intent, Object.fromEntries(written)))
  return storedIntent(sentence.text)
}

/** Cuts a value so that it fits with the names of its hidden characters, which are longer than these. */
function withoutMiddle(text: string): string {
  for (let most = MAX_INTENT_VALUE_LENGTH; ; most = Math.floor(most / 2)) {
    const cut = cutMiddle(text, most)
    const short = cut ? `${cut.head}…${cut.tail}` : text
    if (visible(short).length <= MAX_INTENT_VALUE_LENGTH + 1) return short
  }
}

/** Returns the name that a client gives itself, if it does. */
function clientOf(meta: CallRequest['meta']): Pick<Actor, 'client'> {
  const { name } = recordOf(meta?.[CLIENT_INFO_META])
  if (typeof name !== 'string' || name === '') return {}
  return { client: cutClient(name) }
}

/** Lists what decided the call: the configuration first, then the session, grants, policy and preview. */
export function groundsOf(
  { session }: Caller,
  { granted, policy, previewId }: CallMetadata,
): Ground[] {
  return [
    { kind: 'configuration' },
    ...when(session && { kind: 'session', label: session.label }),
    ...when(granted.length > 0 && { kind: 'grant', scopes: granted.map(formatScope) }),
    ...when(policy !== undefined && { kind: 'policy' }),
    ...when(previewId !== null && { kind: 'preview', id: previewId }),
  ]
}

const when = (ground: Ground | false | null): Ground[] => (ground ? [ground] : [])

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
  const note = account()
  const decision: Ground[] = [{ kind: 'refused', code: codeOf(problem) }, ...note.decision]
  audit.record({ ...note, ...withoutVersion('refused', paths), id: '', decision })
}

/** Records a call about the caller's draft in the audit log. */
export function noteProposal(account: Account, audit: Audit): void {
  audit.record({ ...account, ...withoutVersion('proposed', []), id: '' })
}

/** Records a call in the audit log that has applied something other than a change of files. */
export function noteAct(account: Account, paths: readonly StorePath[], audit: Audit): void {
  audit.record({ ...account, ...withoutVersion('applied', paths), id: '' })
}

/** Records a preview in the audit log, under the id of the preview. */
export function notePreview(
  id: string,
  account: Account,
  paths: readonly StorePath[],
  audit: Audit,
): void {
  audit.record({ ...account, ...withoutVersion('previewed', paths), id })
}

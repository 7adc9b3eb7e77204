/**
 * Audit entries of tool calls: who called which tool, with which arguments, and what permitted it.
 *
 * @module
 */

import { cutMiddle } from '#core/cut-middle.ts'
import type { Ground } from '#core/grounds.ts'
import { renderIntent } from '#core/intent/render.ts'
import { sayInWords } from '#core/intent/words.ts'
import { recordOf } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import { quoteName } from '#core/quote.ts'
import { formatScope } from '#core/scope.ts'
import { visible } from '#core/visible.ts'
import { CLIENT_INFO_META } from '#core/wire.ts'
import type { Resolve } from '../access/spelling.ts'
import { MAX_CLIENT_LENGTH, MAX_INTENT_VALUE_LENGTH } from '../limits.ts'
import type { CallRequest } from './context.ts'
import { codeOf, type Problem } from '../errors/problem.ts'
import type { Caller } from '../sessions/caller.ts'
import { digestOf, type Audit, type AuditOutcome } from '../audit/audit.ts'
import { storedIntent, type Actor, type ChangeNote } from '../store/change-note.ts'
import type { CallMetadata } from '../access/metadata.ts'
import type { Tool } from '../tools/lib/tool.ts'

/** The facts of a call that its change, or its audit entry, stores. */
export type Account = Required<Omit<ChangeNote, 'id' | 'about' | 'approval'>>

/** A call whose arguments were parsed. */
interface ParsedCall {
  readonly tool: Pick<Tool, 'name' | 'intent' | 'touches'>
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
function intentOf({ tool, input, resolve }: ParsedCall, args: unknown): string {
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
  const sentence = sayInWords(renderIntent(tool.intent, Object.fromEntries(written)))
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

/** Names the principal and the session on whose behalf a caller acts. */
export function actorOf({ principal, session, budget }: Caller): Actor {
  const client = session?.client
  return {
    ...{ principal, session: session?.id ?? null, label: session?.label ?? null, budget },
    ...(client !== undefined && { client: cutClient(client) }),
  }
}

const cutClient = (name: string) => name.slice(0, MAX_CLIENT_LENGTH).toWellFormed()

/** Returns the name that a client gives itself, if it does. */
function clientOf(meta: CallRequest['meta']): Pick<Actor, 'client'> {
  const { name } = recordOf(meta?.[CLIENT_INFO_META])
  if (typeof name !== 'string' || name === '') return {}
  return { client: cutClient(name) }
}

/** Lists what decided the call: the configuration first, then the session, grants, policy and preview. */
function groundsOf({ session }: Caller, { granted, policy, previewId }: CallMetadata): Ground[] {
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

/** Records a preview in the audit log, under the id of the preview. */
export function notePreview(
  id: string,
  account: Account,
  paths: readonly StorePath[],
  audit: Audit,
): void {
  audit.record({ ...account, ...withoutVersion('previewed', paths), id })
}

/** A decision of the owner, or of the authorization server, which applies to no file by itself. */
export interface Decided {
  readonly actor: Actor
  /** The name of the act, in place of a tool. */
  readonly tool: string
  readonly intent: string
  /** What was requested; only its digest is stored. */
  readonly request: unknown
  readonly decision?: readonly Ground[]
  /** The paths that it concerns, which are not changed; default none. */
  readonly paths?: readonly string[]
  /** Default: it was applied. */
  readonly outcome?: AuditOutcome
}

/** Records a decision about the workspace in the audit log; by default one of the owner. */
export function noteDecision(
  { request, decision = BY_OWNER, outcome = 'applied', paths = [], ...note }: Decided,
  audit: Audit,
): void {
  const digest = digestOf(request)
  const intent = storedIntent(note.intent)
  audit.record({ ...note, intent, decision, digest, id: '', ...withoutVersion(outcome, paths) })
}

/** Quotes the note of a decision, to follow its sentence. */
export const quoteNote = (note: string) => (note === '' ? '' : `, with the note ${quoteName(note)}`)

/** The grounds of an act of the owner without a tool. */
export const BY_OWNER: readonly Ground[] = [{ kind: 'owner' }]

/** Builds the outcome fields of an audit entry that made no version. */
export function withoutVersion<O extends AuditOutcome>(outcome: O, paths: readonly string[]) {
  return { outcome, paths, version: null, at: Date.now() }
}

/**
 * Makes a tool call with the user's consent: preview, ask, apply exactly what was shown. `grants.ts`
 * handles missing scopes.
 *
 * It depends only on its arguments: a function that sends and functions that ask. A tool's approval
 * level is never lowered, a stale preview is made again, and every loop is bounded. What an app reads is asked by
 * `askToRead`, which may remember the answer; a tool that does not claim to only read is a change.
 * `test/host/consent/consent.test.ts` covers both sides.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import { recordOf } from '#core/json.ts'
import { CHANGE_META, PREVIEW_META } from '#core/wire.ts'
import { textOf } from '../mcp/parse.ts'
import type { ConnectionProblem } from '../mcp/errors.ts'
import type { CallToolResult } from '../mcp/types.ts'
import { GrantedCall } from './grants.ts'
import { findStoredDenial, resolveTouched } from './denials.ts'
import { errorCodeOf, readPreviewProblem } from './refusal.ts'
import type { DecisionStore } from './stored-decisions.ts'
import {
  type CallFacts,
  type ConsentDialogs,
  type Denied,
  type Done,
  type Outcome,
  type ReadQuestion,
  type Requester,
  type Send,
  type Subject,
  type WantedCall,
} from './types.ts'

/** What a call with consent needs. */
export interface ConsentParts {
  /** The server's URL, under which decisions are stored. */
  readonly server: string
  readonly send: Send
  readonly ask: ConsentDialogs
  readonly decisions: DecisionStore
  /** The lowest approval level that the user has chosen; a tool's own level can only raise it. */
  readonly approval?: ApprovalLevel
  /** An app by default. */
  readonly requester?: Requester
  /** Asks before a call that only reads; absent where the person reads. */
  readonly askToRead?: (question: ReadQuestion, signal: AbortSignal) => Promise<boolean>
  /** Whether the server still lists the tool with these facts; by default they are of now. */
  readonly isCurrent?: () => boolean
  readonly signal?: AbortSignal
}

/** Times that the user sees a new preview because the previous one became stale. */
const MAX_PREVIEWS = 5

/** Returns the stricter of two approval levels. */
export function strictest(a: ApprovalLevel, b: ApprovalLevel): ApprovalLevel {
  return APPROVAL_LEVELS.indexOf(a) >= APPROVAL_LEVELS.indexOf(b) ? a : b
}

/**
 * Makes a tool call, after asking the user where its approval level or its scopes require that.
 *
 * @param facts The tool's facts; `callFactsOf` in `mcp/tool-facts.ts` reads them.
 * @returns How the call ended: done, denied by the user or a stored decision, or given up after too
 *   many rounds.
 * @throws What `send` throws, unless it is a refusal with scopes; and the reason of an aborted
 *   signal.
 */
export async function callWithConsent(
  call: WantedCall,
  facts: CallFacts,
  { approval = 'none', requester = 'app', signal = NEVER, isCurrent = IS, ...parts }: ConsentParts,
): Promise<Outcome> {
  const touched = await resolveTouched(call, facts, { ...parts, signal })
  const denied = findStoredDenial(call.tool, touched, parts)
  if (denied) return denied
  const subject = { call, title: facts.title, intent: facts.intent }
  const granted = new GrantedCall(subject, { ...parts, requester, signal, isCurrent }, touched)
  // A preview changes nothing. A tool without previews ignores the flag and makes the call.
  const previews = facts.preview && isPreview(call)
  const level = previews ? 'none' : strictest(facts.hint, approval)
  if (level === 'review' || level === 'confirm') {
    const { ask } = parts
    return callWithApproval({ subject, level, granted, canPreview: facts.preview, ask, signal })
  }
  const claim = previews ? 'previews' : facts.readOnly ? 'reads' : null
  const { askToRead } = parts
  if (claim && askToRead && !(await askToRead({ ...subject, claim }, signal)))
    return denyByUser('read', null)
  const answer = await granted.send({})
  if (!answer.ok) return answer.error
  if (level === 'notify' && !answer.value.isError) parts.ask.notify(subject, answer.value)
  return done(answer.value, granted)
}

const NEVER = new AbortController().signal

const IS = () => true

/** Only `true`: other servers may not read the text `'true'` as a preview. */
const isPreview = ({ meta }: WantedCall) => meta['preview'] === true

interface ApprovalParts {
  readonly subject: Subject
  readonly level: 'review' | 'confirm'
  readonly granted: GrantedCall
  readonly canPreview: boolean
  readonly ask: ConsentDialogs
  readonly signal: AbortSignal
}

/** Shows the preview, asks, and makes the call; starts over if the preview became stale meanwhile. */
async function callWithApproval(parts: ApprovalParts): Promise<Outcome> {
  const { subject, level, granted, ask, signal } = parts
  let stale = false
  for (let round = 0; ; round++) {
    const requested = await requestPreview(parts)
    if ('outcome' in requested) return requested.outcome
    const { preview, previewProblem } = requested
    const previewId = preview && previewIdOf(preview)
    const question = { ...subject, level, preview, previewId, previewProblem, stale }
    if (!(await ask.approve(question, signal))) return denyByUser('approval', preview)

    const answer = await granted.send(previewId === null ? {} : { [PREVIEW_META]: previewId })
    if (!answer.ok) return answer.error
    const result = answer.value
    if (previewId === null || errorCodeOf(result) !== 'PREVIEW_STALE')
      return { ...done(result, granted), basis: 'approved', preview }
    if (round + 1 === MAX_PREVIEWS) return { status: 'gave-up', reason: 'stale', result }
    stale = true
  }
}

type PreviewOutcome =
  | {
      readonly preview: CallToolResult | null
      readonly previewProblem: ConnectionProblem | null
    }
  | { readonly outcome: Outcome }

/**
 * Gets the preview, if the tool has one. A call that cannot succeed fails here, before the user is
 * asked.
 */
async function requestPreview({ granted, canPreview }: ApprovalParts): Promise<PreviewOutcome> {
  if (!canPreview) return { preview: null, previewProblem: null }
  try {
    const answer = await granted.send({ preview: true })
    if (!answer.ok) return { outcome: answer.error }
    const preview = answer.value
    if (preview.isError) return { outcome: done(preview, granted) }
    if (preview.meta['preview'] === true) return { preview, previewProblem: null }
    // The server made the call although only a preview was requested, so it must not be made again.
    return { outcome: { ...done(preview, granted), basis: 'not-previewed' } }
  } catch (error) {
    const previewProblem = readPreviewProblem(error)
    if (previewProblem) return { preview: null, previewProblem }
    throw error
  }
}

/** Returns the preview id of a preview; null if it has none. */
const previewIdOf = ({ meta }: CallToolResult) => textOf(recordOf(meta[CHANGE_META])['id']) || null

function done(result: CallToolResult, { granted, basis }: GrantedCall): Done {
  return { status: 'done', result, basis, preview: null, granted }
}

const denyByUser = (what: Denied['what'], result: CallToolResult | null): Denied => ({
  status: 'denied',
  by: 'person',
  what,
  scopes: [],
  result,
})

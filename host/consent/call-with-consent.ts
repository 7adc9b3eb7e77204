/**
 * Makes a tool call with the user's consent: preview, ask, apply exactly what was shown. `gate.ts`
 * handles missing scopes.
 *
 * It depends only on its arguments: a function that sends and functions that ask. A tool's approval
 * level is never lowered, a stale preview is made again, and every loop is bounded.
 * `test/host/consent.test.ts` plays both sides.
 *
 * @module
 */

import { decide } from '#core/decide.ts'
import { recordOf } from '#core/json.ts'
import { formatScope, readScope } from '#core/scope.ts'
import { CHANGE_META, PREVIEW_META } from '#core/wire.ts'
import { textOf } from '../connection/read.ts'
import type { CallToolResult, ConnectionProblem } from '../connection/types.ts'
import { createGate, type Gate } from './gate.ts'
import { codeIn, noPreviewIn } from './requested.ts'
import { scopesOfCall } from './touched.ts'
import { toolScope, type RuleBook } from './rules.ts'
import type {
  Asking,
  Attention,
  CallFacts,
  Denied,
  Done,
  Outcome,
  Send,
  Subject,
  WantedCall,
} from './types.ts'

/** What a call with consent needs. */
export interface ConsentParts {
  /** The server's URL, under which decisions are stored. */
  readonly server: string
  readonly send: Send
  readonly ask: Asking
  readonly rules: RuleBook
  /** The lowest approval level that the user has chosen; a tool's own level can only raise it. */
  readonly approval?: Attention
  readonly signal?: AbortSignal
}

/** Times that the user sees a new preview because the previous one became stale. */
const MAX_PREVIEWS = 5

const STRICTNESS: readonly Attention[] = ['none', 'notify', 'review', 'confirm']

/** Returns the stricter of two approval levels. */
export function strictest(a: Attention, b: Attention): Attention {
  return STRICTNESS.indexOf(a) >= STRICTNESS.indexOf(b) ? a : b
}

/**
 * Makes a tool call, after asking the user where its approval level or its scopes require that.
 *
 * @param facts The tool's facts; `callFactsOf` in `connection/facts.ts` reads them.
 * @returns How the call ended: done, denied by the user or a stored rule, or given up after too
 *   many rounds.
 * @throws What `send` throws, unless it is a refusal with scopes; and the reason of an aborted
 *   signal.
 */
export async function callWithConsent(
  call: WantedCall,
  facts: CallFacts,
  { approval = 'none', signal = NEVER, ...parts }: ConsentParts,
): Promise<Outcome> {
  const denied = deniedBefore(call, facts, parts)
  if (denied) return denied
  const subject = { call, title: facts.title, intent: facts.intent }
  const gate = createGate(subject, { ...parts, signal })
  // A preview changes nothing, so it needs no approval.
  const attention = isPreview(call) ? 'none' : strictest(facts.hint, approval)
  if (attention === 'review' || attention === 'confirm') {
    return approved({ subject, attention, gate, canPreview: facts.preview, ask: parts.ask, signal })
  }
  const answer = await gate.send({})
  if (!answer.ok) return answer.error
  if (attention === 'notify' && !answer.value.isError) parts.ask.notify(subject, answer.value)
  return done(answer.value, gate)
}

const NEVER = new AbortController().signal

const isPreview = ({ meta }: WantedCall) => meta['preview'] === true || meta['preview'] === 'true'

interface Approving {
  readonly subject: Subject
  readonly attention: 'review' | 'confirm'
  readonly gate: Gate
  readonly canPreview: boolean
  readonly ask: Asking
  readonly signal: AbortSignal
}

/** Shows the preview, asks, and makes the call; starts over if the preview became stale meanwhile. */
async function approved(parts: Approving): Promise<Outcome> {
  const { subject, attention, gate, ask, signal } = parts
  let stale = false
  for (let round = 0; ; round++) {
    const shown = await shownFirst(parts)
    if ('outcome' in shown) return shown.outcome
    const { preview, previewProblem } = shown
    const previewId = preview && idIn(preview)
    const question = { ...subject, attention, preview, previewId, previewProblem, stale }
    if (!(await ask.approve(question, signal))) return declined(preview)

    const answer = await gate.send(previewId === null ? {} : { [PREVIEW_META]: previewId })
    if (!answer.ok) return answer.error
    const result = answer.value
    if (previewId === null || codeIn(result) !== 'PREVIEW_STALE')
      return { ...done(result, gate), basis: 'approved', preview }
    if (round + 1 === MAX_PREVIEWS) return { status: 'gave-up', reason: 'stale', result }
    stale = true
  }
}

type Shown =
  | {
      readonly preview: CallToolResult | null
      readonly previewProblem: ConnectionProblem | null
    }
  | { readonly outcome: Outcome }

/**
 * Gets the preview, if the tool has one. A call that cannot succeed fails here, before the user is
 * asked.
 */
async function shownFirst({ gate, canPreview }: Approving): Promise<Shown> {
  if (!canPreview) return { preview: null, previewProblem: null }
  try {
    const answer = await gate.send({ preview: true })
    if (!answer.ok) return { outcome: answer.error }
    const preview = answer.value
    if (preview.isError) return { outcome: done(preview, gate) }
    if (preview.meta['preview'] === true) return { preview, previewProblem: null }
    // The server made the call although only a preview was requested, so it must not be made again.
    return { outcome: { ...done(preview, gate), basis: 'not-previewed' } }
  } catch (error) {
    const previewProblem = noPreviewIn(error)
    if (previewProblem) return { preview: null, previewProblem }
    throw error
  }
}

/** The preview id. */
const idIn = ({ meta }: CallToolResult) => textOf(recordOf(meta[CHANGE_META])['id']) || null

function done(result: CallToolResult, { granted, basis }: Gate): Done {
  return { status: 'done', result, basis, preview: null, granted }
}

const declined = (result: CallToolResult | null): Denied => ({
  status: 'denied',
  by: 'person',
  what: 'approval',
  scopes: [],
  result,
})

/** Finds a stored denial for the tool or for what the call touches. */
function deniedBefore(
  { tool, args }: WantedCall,
  { scopes }: CallFacts,
  { server, rules }: Pick<ConsentParts, 'server' | 'rules'>,
): Denied | null {
  const wanted = [...scopesOfCall(scopes, args), toolScope(tool)].flatMap((text) => {
    const scope = readScope(text)
    return scope.ok ? [scope.value] : []
  })
  const verdict = decide(wanted, rules.rememberedFor(server))
  if (verdict.decision !== 'deny') return null
  const denied = verdict.denied.map(formatScope)
  return { status: 'denied', by: 'rule', what: 'scopes', scopes: denied, result: null }
}

/**
 * A call with a person's consent: preview, ask, apply exactly what was shown; and where a scope is
 * missing, `gate.ts` settles it.
 *
 * It is a function of what it is handed: a way to send and ways to ask. A tool's hint is never
 * lowered, what changed after a preview is previewed anew, and every loop has an end.
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

export interface ConsentParts {
  /** The server's URL, under which decisions are remembered. */
  readonly server: string
  readonly send: Send
  readonly ask: Asking
  readonly rules: RuleBook
  /** The least that the person wants to have to do with a call. */
  readonly approval?: Attention
  readonly signal?: AbortSignal
}

/** Times that a person is shown a call anew, because something changed meanwhile. */
const MAX_PREVIEWS = 5

const STRICTNESS: readonly Attention[] = ['none', 'notify', 'review', 'confirm']

export function strictest(a: Attention, b: Attention): Attention {
  return STRICTNESS.indexOf(a) >= STRICTNESS.indexOf(b) ? a : b
}

export async function callWithConsent(
  call: WantedCall,
  facts: CallFacts,
  { approval = 'none', signal = NEVER, ...parts }: ConsentParts,
): Promise<Outcome> {
  const denied = deniedBefore(call, facts, parts)
  if (denied) return denied
  const subject = { call, title: facts.title, intent: facts.intent }
  const gate = createGate(subject, { ...parts, signal })
  // Whoever asks for a preview is shown what would happen already.
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

/** Shows, asks, and makes the call; from the start again when it would do something else by then. */
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

/** The preview, where there is one. What cannot succeed fails here, and nobody need be asked. */
async function shownFirst({ gate, canPreview }: Approving): Promise<Shown> {
  if (!canPreview) return { preview: null, previewProblem: null }
  try {
    const answer = await gate.send({ preview: true })
    if (!answer.ok) return { outcome: answer.error }
    const preview = answer.value
    if (preview.isError) return { outcome: done(preview, gate) }
    if (preview.meta['preview'] === true) return { preview, previewProblem: null }
    // It made the call although only a preview was asked for, so it must not be made again.
    return { outcome: { ...done(preview, gate), basis: 'not-previewed' } }
  } catch (error) {
    const previewProblem = noPreviewIn(error)
    if (previewProblem) return { preview: null, previewProblem }
    throw error
  }
}

/** The id under which the server keeps a preview. */
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

/** A refusal that was decided before, for the tool or for what the call touches. */
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

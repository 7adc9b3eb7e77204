/**
 * Asking: one question at a time, to whoever decides in this page.
 *
 * That is the dialog, unless the page hands the decision to another surface. Every wait has an end,
 * and everything but a clear yes is a no: no answer in time, no surface, a surface that fails, too
 * many questions at once.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { Policy } from './policy.ts'
import { surface } from './surface.ts'
import { untilAborted } from './wait.ts'

/** How long a call waits for a decision, its time in the queue included. */
export const DECISION_MS = 300_000

/** Calls that wait at the same time; what comes beyond is refused at once. */
export const MOST_WAITING = 16

/** For this call, while the page is open, or for some days. */
export type Choice = 'once' | 'session' | 'days'

/** What a person is asked about a call. */
export interface ApprovalRequest {
  readonly origin: string
  readonly tool: string
  readonly title: string
  readonly description: string
  readonly policy: Policy
  /** What the page claims that the call does. */
  readonly intent: RenderedIntent | null
  /** The arguments as they will run, as JSON text. */
  readonly input: string
  /** What the tool's `preview` answered. */
  readonly preview?: unknown
  /** What a server asks for beyond the call. */
  readonly scopes?: readonly string[]
  /** How a yes may be meant. */
  readonly choices: readonly Choice[]
  /** How long `days` is. */
  readonly days: number
}

/**
 * Decides in the place of the dialog. `true` allows once; all that is no yes denies, and nothing
 * (`null`) says that nobody could be asked.
 */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<unknown> | Choice | boolean | null

/** A decision with who made it, or why nobody did. */
export type Verdict =
  | { readonly choice: Choice | null; readonly by: 'person' | 'approver' }
  | { readonly refused: string }

const dialog: Approver = async (request, options) =>
  (await surface())?.ask(request, options) ?? null

let approver: Approver | null = dialog

/** Hands decisions to another surface, or to nobody. Answers how to hand them back. */
export function setApprover(next: Approver | null): () => void {
  const before = approver
  approver = next
  return () => void (approver = before)
}

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Asks when it is its turn. Rejects when the call is aborted, and asks no longer. */
export async function ask(request: ApprovalRequest, aborted: AbortSignal): Promise<Verdict> {
  if (waiting >= MOST_WAITING) return { refused: 'too many calls are waiting for a decision' }
  waiting++
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(DECISION_MS)])
  const turn = inTurn(() => decide(request, signal)).finally(() => waiting--)
  last = turn.catch(() => {})
  try {
    return await untilAborted(turn, signal)
  } catch {
    aborted.throwIfAborted()
    return { refused: signal.aborted ? 'nobody decided in time' : 'asking for leave failed' }
  }
}

async function inTurn<T>(work: () => Promise<T>, before = last): Promise<T> {
  await before
  return work()
}

async function decide(request: ApprovalRequest, signal: AbortSignal): Promise<Verdict> {
  const decider = approver
  if (!decider) return { refused: 'nobody is there to approve it' }
  signal.throwIfAborted()
  const asking = async () => decider(request, { signal })
  const answer = await untilAborted(asking(), signal)
  if (answer === null) return { refused: 'it cannot be shown to anybody here' }
  const choice = answer === true ? 'once' : request.choices.find((choice) => choice === answer)
  return { choice: choice ?? null, by: decider === dialog ? 'person' : 'approver' }
}

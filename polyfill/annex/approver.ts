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
import { bare, locked, newPromise } from './builtins.ts'
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

const dialog: Approver = async (request, options) => {
  const face = await surface()
  return face && (await locked(face.ask(request, options)))
}

let approver: Approver | null = dialog

/** Hands decisions to another surface, or to nobody. Answers how to hand them back. */
export function setApprover(next: Approver | null): () => void {
  const before = approver
  approver = next
  return () => void (approver = before)
}

let waiting = 0
let last: Promise<unknown> = newPromise((resolve) => resolve(null))

/** Asks when it is its turn. Rejects when the call is aborted, and asks no longer. */
export function ask(request: ApprovalRequest, aborted: AbortSignal): Promise<Verdict> {
  return locked(asking(request, aborted))
}

// What these functions answer inherits nothing: a page can make every object a promise of its own.
async function asking(request: ApprovalRequest, aborted: AbortSignal): Promise<Verdict> {
  if (waiting >= MOST_WAITING) return refusal('too many calls are waiting for a decision')
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(DECISION_MS)])
  waiting++
  const turn = locked(inTurn(request, signal, last))
  last = turn
  try {
    return await untilAborted(turn, signal)
  } catch {
    aborted.throwIfAborted()
    return refusal(signal.aborted ? 'nobody decided in time' : 'asking for leave failed')
  }
}

async function inTurn(request: ApprovalRequest, signal: AbortSignal, before: Promise<unknown>) {
  try {
    await before
  } catch {
    // the one before was told
  }
  try {
    return await locked(decide(request, signal))
  } finally {
    waiting--
  }
}

async function decide(request: ApprovalRequest, signal: AbortSignal): Promise<Verdict> {
  const decider = approver
  if (!decider) return refusal('nobody is there to approve it')
  signal.throwIfAborted()
  const answer = await untilAborted(decider(request, bare({ signal })), signal)
  if (answer === null) return refusal('it cannot be shown to anybody here')
  const choice = chosen(answer, request.choices)
  return bare({ choice, by: decider === dialog ? 'person' : 'approver' })
}

const refusal = (refused: string): Verdict => bare({ refused })

function chosen(answer: unknown, choices: readonly Choice[]): Choice | null {
  if (answer === true) return 'once'
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    if (choice !== undefined && choice === answer) return choice
  }
  return null
}

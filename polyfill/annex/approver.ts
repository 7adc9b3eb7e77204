/**
 * Approval: asks the user about one call at a time.
 *
 * The dialog asks, unless the page sets another approver. Every wait is bounded, and everything but
 * an explicit approval is a denial: a timeout, no approver, an approver that fails, too many
 * pending calls.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import { bare, locked, newPromise } from './builtins.ts'
import type { Policy } from './policy.ts'
import { surface } from './surface.ts'
import { untilAborted } from './wait.ts'

/** Time limit of a decision in milliseconds, including the time in the queue. */
export const DECISION_MS = 300_000

/** Most calls that may wait for a decision; further calls are refused at once. */
export const MOST_WAITING = 16

/** Scope of an approval: this call, until the page closes, or a number of days. */
export type Choice = 'once' | 'session' | 'days'

/** A call that needs approval, as an approver receives it. */
export interface ApprovalRequest {
  /** The origin of the page that registered the tool. */
  readonly origin: string
  /** The name of the tool. */
  readonly tool: string
  readonly title: string
  readonly description: string
  /** The approval level that applies to the call. */
  readonly policy: Policy
  /** The page's own description of the call, rendered from the intent template. */
  readonly intent: RenderedIntent | null
  /** The arguments with which the tool will run, as JSON. */
  readonly input: string
  /** The result of the tool's `preview`. */
  readonly preview?: unknown
  /** Scopes that a server requires beyond those of the configuration. */
  readonly scopes?: readonly string[]
  /** The approvals that may be offered. */
  readonly choices: readonly Choice[]
  /** The number of days that the choice `days` stands for. */
  readonly days: number
}

/**
 * Decides about a call instead of the dialog.
 *
 * Returns a choice, `true` to allow the call once, or `null` if the user could not be asked; any
 * other value denies. The signal aborts when the call ends or the time is up.
 */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<unknown> | Choice | boolean | null

/** A decision and its source, or the reason why there is none. */
export type Verdict =
  | { readonly choice: Choice | null; readonly by: 'person' | 'approver' }
  | { readonly refused: string }

const dialog: Approver = async (request, options) => {
  const face = await surface()
  return face && (await locked(face.ask(request, options)))
}

let approver: Approver | null = dialog

/**
 * Replaces the dialog by another approver; with null every call that needs approval is refused.
 *
 * @returns A function that restores the previous approver.
 */
export function setApprover(next: Approver | null): () => void {
  const before = approver
  approver = next
  return () => void (approver = before)
}

let waiting = 0
let last: Promise<unknown> = newPromise((resolve) => resolve(null))

/**
 * Asks for approval when all earlier requests are decided.
 *
 * @returns The decision; a timeout or a failing approver is a refusal.
 * @throws The signal's reason if the call is aborted first.
 */
export function ask(request: ApprovalRequest, aborted: AbortSignal): Promise<Verdict> {
  return locked(asking(request, aborted))
}

// Results of these functions have no prototype: a page could give `Object.prototype` a `then`.
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
    // The failure of the previous request was reported to its own caller.
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

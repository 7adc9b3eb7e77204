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
import { bare, freeze, indexOf, newPromise, own, protect, untilAborted } from './builtins.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { loadDialog } from './dialog-loader.ts'

/** Time limit of a decision in milliseconds, including the time in the queue. */
export const MAX_DECISION_MS = 300_000

/** Maximum number of calls that wait for a decision; further calls are refused at once. */
export const MAX_WAITING = 16

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
  readonly policy: ApprovalLevel
  /** The page's own description of the call, rendered from the intent template. */
  readonly intent: RenderedIntent | null
  /** The arguments with which the tool will run, as JSON. */
  readonly input: string
  /** The result of the tool's `preview`. */
  readonly preview?: unknown
  /** Scopes that a server requires beyond those of the configuration. */
  readonly scopes?: readonly string[] | undefined
  /** The approvals that may be offered. */
  readonly choices: readonly Choice[]
  /** The number of days of the choice `days`. */
  readonly days: number
}

/**
 * Copies a request into a frozen record with every member and no prototype, and freezes its
 * choices. An absent member would be read from `Object.prototype`, where a getter of the page
 * receives the request.
 */
export const sealRequest = (request: ApprovalRequest): ApprovalRequest => {
  freeze(request.choices)
  return freeze(bare({ preview: undefined, scopes: undefined, ...request }))
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

const dialog: Approver = (request, options) => protect(askInDialog(request, options))

async function askInDialog(request: ApprovalRequest, options: { readonly signal: AbortSignal }) {
  const found = await loadDialog()
  return found && (await protect(found.ask(request, options)))
}

let approver: Approver | null = dialog

/**
 * Replaces the dialog by another approver.
 *
 * @param next The approver; null refuses every call that needs approval.
 * @returns A function that restores the previous approver.
 * @example
 * ```ts
 * const restore = setApprover(async ({ tool, input }) => confirm(`Run ${tool} with ${input}?`))
 * ```
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
  return protect(askBounded(sealRequest(request), aborted))
}

// Results of these functions have no prototype: a page could give `Object.prototype` a `then`.
async function askBounded(request: ApprovalRequest, aborted: AbortSignal): Promise<Verdict> {
  if (waiting >= MAX_WAITING) return refuse('too many calls are waiting')
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(MAX_DECISION_MS)])
  waiting++
  const turn = protect(askInTurn(request, signal, last))
  last = turn
  try {
    return await untilAborted(turn, signal)
  } catch {
    aborted.throwIfAborted()
    return refuse(signal.aborted ? 'no decision in time' : 'the approval failed')
  }
}

async function askInTurn(request: ApprovalRequest, signal: AbortSignal, before: Promise<unknown>) {
  try {
    await before
  } catch {
    // The failure of the previous request was reported to its own caller.
  }
  try {
    return await protect(decide(request, signal))
  } finally {
    waiting--
  }
}

async function decide(request: ApprovalRequest, signal: AbortSignal): Promise<Verdict> {
  const decider = approver
  if (!decider) return refuse('no approver is set')
  signal.throwIfAborted()
  const answer = await untilAborted(decider(request, bare({ signal })), signal)
  if (answer === null) return refuse('no dialog can be shown')
  const refused = own(answer, 'refused')
  if (typeof refused === 'string') return refuse(refused)
  const choice = toChoice(answer, request.choices)
  return bare({ choice, by: decider === dialog ? 'person' : 'approver' })
}

const refuse = (refused: string): Verdict => bare({ refused })

/** Returns the choice that an answer names, if it was offered; else null. */
function toChoice(answer: unknown, choices: readonly Choice[]): Choice | null {
  const at = indexOf(choices, answer === true ? 'once' : answer)
  // Without a match, index -1 would read what a page may have put on a prototype.
  return (at >= 0 && choices[at]) || null
}

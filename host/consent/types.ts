/**
 * What a person is asked about a call, and what may come of it.
 *
 * The flow in `call-with-consent.ts` is handed a way to send and ways to ask; the page supplies both.
 * Every question carries what a dialog has to show, so that a dialog decides nothing.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { JsonRecord } from '#core/json.ts'
import type { CallToolResult, ConnectionProblem } from '../connection/types.ts'

/** How much a person has to do with a call, from least to most. */
export type Attention = 'none' | 'notify' | 'review' | 'confirm'

/** A call that wants to be made. */
export interface WantedCall {
  readonly tool: string
  readonly args: JsonRecord
  /** What goes along in `_meta`, such as `policy` and scopes that were typed in. */
  readonly meta: JsonRecord
}

/** What the flow has to know of the tool. `facts.ts` reads it from a definition. */
export interface CallFacts {
  readonly title: string
  readonly intent: RenderedIntent
  /** The tool's own hint, with the default where it has none. */
  readonly hint: Attention
  /** Whether it can show what it would do. */
  readonly preview: boolean
  /** Scopes that every call of it needs. */
  readonly scopes: readonly string[]
}

export type Send = (call: WantedCall) => Promise<CallToolResult>

/** What a question is about. */
export interface Subject {
  readonly call: WantedCall
  readonly title: string
  readonly intent: RenderedIntent
}

/** Shall this be done? */
export interface ApprovalQuestion extends Subject {
  readonly attention: 'review' | 'confirm'
  /** What the call would do; null when that cannot be shown. */
  readonly preview: CallToolResult | null
  /** The id by which the preview is applied; null when the call would be an ordinary one. */
  readonly previewId: string | null
  /** Why there is no preview, when one was tried. */
  readonly previewProblem: ConnectionProblem | null
  /** Asked again, because the files changed after the last preview. */
  readonly stale: boolean
}

/** May it touch this? */
export interface ScopeQuestion extends Subject {
  /** The scopes on which no rule speaks. */
  readonly scopes: readonly string[]
  readonly options: readonly PromptOption[]
  /** The refusal that brought the question up; null before the first call. */
  readonly refusal: CallToolResult | null
}

/** A choice that a prompt offers, from wide to narrow. */
export interface PromptOption {
  /** The scope, or the tool's name when it needs no scope. */
  readonly scope: string
  /** In words: "Write anything", "Write files below /docs". */
  readonly label: string
  /** Whether it covers everything that was asked for. */
  readonly enough: boolean
  /** The narrowest that is enough. */
  readonly suggested: boolean
}

export type Duration = 'call' | 'session' | 'always'

/** What the person said to a {@link ScopeQuestion}. Null scopes: what was asked, as it was asked. */
export interface ScopeAnswer {
  readonly allow: boolean
  readonly scopes: readonly string[] | null
  readonly duration: Duration
}

export interface Asking {
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean>
  grant(question: ScopeQuestion, signal: AbortSignal): Promise<ScopeAnswer>
  /** Tells of a call that was made without asking. */
  notify(subject: Subject, result: CallToolResult): void
}

/** How a call came to be allowed, for the log. */
export type Basis =
  | 'no-question'
  | 'approved'
  | 'rule'
  | 'granted'
  /** The server made the call although only a preview was asked for. */
  | 'not-previewed'

export interface Done {
  readonly status: 'done'
  readonly result: CallToolResult
  readonly basis: Basis
  /** The preview that was applied, as the person saw it. */
  readonly preview: CallToolResult | null
  /** Scopes that went along as grants. */
  readonly granted: readonly string[]
}

export interface Denied {
  readonly status: 'denied'
  readonly by: 'person' | 'rule'
  readonly what: 'approval' | 'scopes'
  /** The scopes that were refused; empty for an approval. */
  readonly scopes: readonly string[]
  /** The last answer of the server, when there was one: a preview or a refusal. */
  readonly result: CallToolResult | null
}

/** It was asked and answered too often; nothing more was done. */
export interface GaveUp {
  readonly status: 'gave-up'
  readonly reason: 'stale' | 'scopes'
  readonly result: CallToolResult
}

export type Outcome = Done | Denied | GaveUp

/** A decision that was remembered. */
export interface Rule {
  readonly id: string
  readonly server: string
  readonly decision: 'allow' | 'deny'
  /** A scope, or `tool:` and the name of a tool that needs none. */
  readonly scope: string
  readonly duration: 'session' | 'always'
  /** Milliseconds since 1970. */
  readonly madeAt: number
  readonly expiresAt: number | null
}

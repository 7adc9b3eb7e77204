/**
 * The questions to the user about a call, and the outcomes.
 *
 * The flow in `call-with-consent.ts` receives functions to send and to ask; the page supplies both.
 * A question carries everything that its dialog shows, so that a dialog decides nothing.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import type { RenderedIntent } from '#core/intent/render.ts'
import type { JsonRecord } from '#core/json.ts'
import type { ConnectionProblem } from '../mcp/errors.ts'
import type { CallToolResult } from '../mcp/types.ts'

/** A call that is about to be made. */
export interface WantedCall {
  readonly tool: string
  readonly args: JsonRecord
  /** The `_meta` of the request, such as `policy` and scopes that the user typed in. */
  readonly meta: JsonRecord
}

/** What the flow needs to know about the tool. `mcp/tool-facts.ts` reads it from a definition. */
export interface CallFacts {
  readonly title: string
  readonly intent: RenderedIntent
  /** The tool's approval level, with the default if it declares none. */
  readonly hint: ApprovalLevel
  /** Whether it can return its change without applying it. */
  readonly preview: boolean
  /** Scopes that every call of it needs. */
  readonly scopes: readonly string[]
  /** Whether the server says that it only reads. */
  readonly readOnly: boolean
}

/** Who makes a call: an app, which all stored denials bind, or the user, who reads their own files. */
export type Requester = 'app' | 'person'

/** Sends a call and returns its result. */
export type Send = (call: WantedCall) => Promise<CallToolResult>

/** What a question is about. */
export interface Subject {
  readonly call: WantedCall
  readonly title: string
  readonly intent: RenderedIntent
}

/** Asks whether the call may be made. */
export interface ApprovalQuestion extends Subject {
  readonly level: 'review' | 'confirm'
  /** The result of the preview; null if there is none. */
  readonly preview: CallToolResult | null
  /** The preview id; null if the call is made without one. */
  readonly previewId: string | null
  /** Why there is no preview, if one was tried. */
  readonly previewProblem: ConnectionProblem | null
  /** Whether it is asked again because the files changed after the last preview. */
  readonly stale: boolean
}

/** Asks whether the call may touch something. */
export interface ScopeQuestion extends Subject {
  /** The scopes for which there is no stored decision. */
  readonly scopes: readonly string[]
  /** Choices, from wide to narrow. */
  readonly options: readonly PromptOption[]
  /** The refusal that requested the scopes; null before the first call. */
  readonly refusal: CallToolResult | null
}

/** A choice of a scope prompt. */
export interface PromptOption {
  /** The scope, or `tool:` and the tool's name if it needs no scope. */
  readonly scope: string
  /** In words, such as "Change anything" or "Change files in /docs". */
  readonly label: string
  /** Whether it covers all requested scopes. */
  readonly enough: boolean
  /** Whether it is the narrowest choice that covers all. */
  readonly suggested: boolean
}

/** How long a decision holds: for one call, as long as the page, or 90 days. */
export type Duration = 'call' | 'session' | 'always'

/** The user's answer to a {@link ScopeQuestion}. Null scopes mean the requested ones. */
export interface ScopeAnswer {
  readonly allow: boolean
  readonly scopes: readonly string[] | null
  readonly duration: Duration
}

/** Asks whether an app may read with a tool. */
export interface ReadQuestion extends Subject {
  /**
   * What the server claims: that the tool only reads, or that a preview of it changes nothing. `protocol` is a request
   * that only reads by the protocol.
   */
  readonly claim: 'reads' | 'previews' | 'protocol'
}

/** The page's dialogs, which ask the user or notify them. */
export interface ConsentDialogs {
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean>
  grant(question: ScopeQuestion, signal: AbortSignal): Promise<ScopeAnswer>
  /** Reports a call that was made without asking. */
  notify(subject: Subject, result: CallToolResult): void
}

/** Why a call was allowed, for the log. */
export type Basis =
  | 'no-question'
  | 'approved'
  | 'stored'
  | 'granted'
  /** The server made the call although only a preview was requested. */
  | 'not-previewed'

/** The call was made; its result may still be an error. */
export interface Done {
  readonly status: 'done'
  readonly result: CallToolResult
  readonly basis: Basis
  /** The preview that the user approved; null if there was none. */
  readonly preview: CallToolResult | null
  /** Scopes sent as grants. */
  readonly granted: readonly string[]
}

/** The call was denied. */
export interface Denied {
  readonly status: 'denied'
  readonly by: 'person' | 'stored'
  readonly what: 'approval' | 'read' | 'scopes'
  /** The denied scopes; empty for the others. */
  readonly scopes: readonly string[]
  /** The server's last result, a preview or a refusal; null if there was none. */
  readonly result: CallToolResult | null
}

/**
 * The call was given up: its preview became stale, or the server requested scopes, too often, or the server has
 * changed the tool since the question was asked.
 */
export interface GaveUp {
  readonly status: 'gave-up'
  readonly reason: 'stale' | 'scopes' | 'changed'
  /** The server's last result; null if it was not asked for one. */
  readonly result: CallToolResult | null
}

/** How a call with consent ended. */
export type Outcome = Done | Denied | GaveUp

/** A stored decision. */
export interface StoredDecision {
  readonly id: string
  readonly server: string
  readonly decision: 'allow' | 'deny'
  /** A scope, or `tool:` and the name of a tool that needs none. */
  readonly scope: string
  readonly duration: 'session' | 'always'
  /** Milliseconds since 1970. */
  readonly madeAt: number
  /** Null for a decision for the session. */
  readonly expiresAt: number | null
}

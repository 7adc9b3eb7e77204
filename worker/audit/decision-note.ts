/**
 * Audit entries of decisions: what the owner did, or the authorization server, without a tool.
 *
 * `test/worker/owner/serve.test.ts` and `test/worker/audit/audit.test.ts` test it.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import { quoteName } from '#core/quote.ts'
import { digestOf, type Audit, type AuditOutcome, type ReviewNote } from './audit.ts'
import { storedIntent, type Actor } from './change-note.ts'

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
  /** The id that takes back what it applied; default none. */
  readonly id?: string
  /** Set for a decision on a draft. */
  readonly review?: ReviewNote
}

/** Records a decision about the workspace in the audit log; by default one of the owner. */
export function noteDecision(
  { request, decision = BY_OWNER, outcome = 'applied', paths = [], id = '', ...note }: Decided,
  audit: Audit,
): void {
  const digest = digestOf(request)
  const intent = storedIntent(note.intent)
  audit.record({ ...note, intent, decision, digest, id, ...withoutVersion(outcome, paths) })
}

/** Quotes the note of a decision, to follow its sentence. */
export const quoteNote = (note: string) => (note === '' ? '' : `, with the note ${quoteName(note)}`)

/** The grounds of an act of the owner without a tool. */
export const BY_OWNER: readonly Ground[] = [{ kind: 'owner' }]

/** Builds the outcome fields of an audit entry that made no version. */
export function withoutVersion<O extends AuditOutcome>(outcome: O, paths: readonly string[]) {
  return { outcome, paths, version: null, at: Date.now() }
}

/**
 * The audit log of this server's workspace, as pages show it: what was done, previewed, downloaded or refused, each with
 * its reasons.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import { readGrounds, type ReadGround } from '#core/grounds.ts'
import type { AuditEntry } from '#core/owner/answers/audit.ts'
import { fetchOwn, readRefusal } from '../connect/http.ts'
import { sendAct } from '../owner/send-act.ts'
import type { Actor } from './changes.ts'

/** An audit entry. */
export interface Entry extends Pick<
  AuditEntry,
  'seq' | 'outcome' | 'id' | 'tool' | 'intent' | 'paths' | 'review'
> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly actor: Actor
  /** The session's label. */
  readonly label: string | null
  /** The name that the client gives itself, which is a claim; null if it gives none. */
  readonly client: string | null
  /** Everything that took part in the decision. */
  readonly grounds: readonly ReadGround[]
}

/** A page of audit entries, newest first. */
export interface EntryPage {
  readonly entries: readonly Entry[]
  /** The sequence number before which the next page starts; null on the last one. */
  readonly next: number | null
}

/** Query parameters of `GET /audit`. */
export type AuditQuery = Readonly<Record<string, string>>

/** Reads a page of the audit log. `base` is the path under which the workspace is served. Rejects as {@link sendAct}. */
export async function readEntries(
  base: string,
  query: AuditQuery,
  signal?: AbortSignal,
): Promise<EntryPage> {
  const { entries, next } = await sendAct(base, 'read_audit', { query, ...(signal && { signal }) })
  return { entries: entries.map(toEntry), next }
}

/**
 * Downloads the whole audit log as JSON Lines.
 *
 * @throws {AnswerError} If the server refuses.
 */
export async function downloadAuditLog(base: string): Promise<Blob> {
  const answer = await fetchOwn(`${base}/audit`, { headers: { accept: 'application/x-ndjson' } })
  if (!answer.ok) throw await readRefusal(answer)
  return answer.blob()
}

function toEntry({ actor, at, decision, ...entry }: AuditEntry): Entry {
  const { principal, session, label, client = null, email } = actor
  const text = describeActor({ label, principal })
  return {
    ...entry,
    at: Date.parse(at),
    label,
    client,
    grounds: readGrounds(decision),
    actor: { text, principal, session, label, email },
  }
}

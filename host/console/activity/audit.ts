/**
 * Reads the audit log of this server's workspace (`GET /audit`) and parses it at the boundary: what
 * was done, previewed, downloaded or refused, each with its reasons.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import { readGrounds, type ReadGround } from '#core/grounds.ts'
import { isRecord, recordOf } from '#core/json.ts'
import type { Actor } from './changes.ts'
import {
  fetchOwn as fetchHere,
  getJson as jsonHere,
  readRefusal as refusalOf,
} from '../connect/http.ts'
import { textIn } from '../ui/storage.ts'

const OUTCOMES = ['applied', 'proposed', 'previewed', 'downloaded', 'refused'] as const

/** What became of a call. */
export type Outcome = (typeof OUTCOMES)[number]

/** An audit entry. */
export interface Entry {
  /** Sequence number in the audit log, ascending. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly outcome: Outcome
  /** The id of the change; empty if there is none. */
  readonly id: string
  readonly tool: string
  readonly intent: string
  readonly actor: Actor
  /** The session's label. */
  readonly label: string | null
  /** The name that the client gives itself, which is a claim; null if it gives none. */
  readonly client: string | null
  /** Everything that took part in the decision. */
  readonly grounds: readonly ReadGround[]
  readonly paths: readonly string[]
}

/** A page of audit entries, newest first. */
export interface EntryPage {
  readonly entries: readonly Entry[]
  /** The sequence number before which the next page starts; null on the last one. */
  readonly next: number | null
}

/** The result of checking the integrity of the audit log. */
export interface Chain {
  readonly entries: number
  /** Older entries that were deleted to make room. */
  readonly dropped: number
  /** Sequence number of the first entry that was altered; null if there is none. */
  readonly broken: number | null
}

/** Query parameters of `GET /audit`. */
export type AuditQuery = Readonly<Record<string, string>>

/**
 * Reads a page of the audit log.
 *
 * @param base The path under which the workspace is served.
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 * @throws {Error} If the response has no entries.
 */
export async function readEntries(
  base: string,
  query: AuditQuery,
  signal?: AbortSignal,
): Promise<EntryPage> {
  const body = await jsonHere(`${base}/audit?${new URLSearchParams(query).toString()}`, signal)
  const { entries, next } = recordOf(body)
  if (!Array.isArray(entries)) throw new Error('The response has no entries')
  return {
    entries: entries.flatMap(readEntry),
    next: typeof next === 'number' ? next : null,
  }
}

/**
 * Checks the integrity of the audit log. The server reads all of it.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 * @throws {Error} If the response has no result.
 */
export async function checkChain(base: string, signal?: AbortSignal): Promise<Chain> {
  const body = await jsonHere(`${base}/audit/check`, signal)
  const { entries, dropped, broken } = recordOf(body)
  if (typeof entries !== 'number') throw new Error('The response has no result')
  return {
    entries,
    dropped: typeof dropped === 'number' ? dropped : 0,
    broken: typeof broken === 'number' ? broken : null,
  }
}

/**
 * Downloads the whole audit log as JSON Lines.
 *
 * @throws {AnswerError} If the server refuses.
 */
export async function downloadAuditLog(base: string): Promise<Blob> {
  const answer = await fetchHere(`${base}/audit`, { headers: { accept: 'application/x-ndjson' } })
  if (!answer.ok) throw await refusalOf(answer)
  return answer.blob()
}

function readEntry(value: unknown): Entry[] {
  if (!isRecord(value)) return []
  const { seq, actor, paths } = value
  const [at, intent] = [textIn(value, 'at'), textIn(value, 'intent')]
  const outcome = OUTCOMES.find((one) => one === value['outcome'])
  if (typeof seq !== 'number' || at === null || intent === null || !outcome) return []
  const principal = textIn(actor, 'principal') ?? 'unknown'
  const label = textIn(actor, 'label')
  const entry = {
    seq,
    outcome,
    intent,
    label,
    client: textIn(actor, 'client'),
    at: Date.parse(at),
    id: textIn(value, 'id') ?? '',
    tool: textIn(value, 'tool') ?? '',
    grounds: readGrounds(value['decision']),
    paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
  }
  const text = describeActor({ label, principal })
  return [{ ...entry, actor: { text, principal, session: textIn(actor, 'session'), label } }]
}

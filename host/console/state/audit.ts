/**
 * The audit, as `/audit` of the own workspace tells of it, read at the door: what was done, what was
 * only previewed, what was refused, each with what decided it.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import type { WorkspaceApi } from '../../connection/workspace-api.ts'
import type { Actor } from './changes.ts'
import { jsonHere, refusalOf } from './here.ts'
import { fetchHere } from './person.ts'
import { textIn } from './storage.ts'

const OUTCOMES = ['applied', 'previewed', 'downloaded', 'refused'] as const

export type Outcome = (typeof OUTCOMES)[number]

export interface Entry {
  readonly seq: number
  readonly at: number
  readonly outcome: Outcome
  /** Of the change; empty where there is none. */
  readonly id: string
  readonly tool: string
  readonly intent: string
  readonly actor: Actor
  /** The name of the session. */
  readonly label: string | null
  /** All that had a say, as the server writes it. */
  readonly decision: string
  readonly paths: readonly string[]
}

export interface EntryPage {
  readonly entries: readonly Entry[]
  /** The number before which the next page begins. */
  readonly next: number | null
}

export interface Chain {
  readonly entries: number
  /** Older entries that made room for newer ones. */
  readonly dropped: number
  /** The first entry that is not what was written; null when all are. */
  readonly broken: number | null
}

export type AuditQuery = Readonly<Record<string, string>>

/** Reads a page of the trail; `base` is where the workspace is. */
export async function readEntries(
  base: string,
  query: AuditQuery,
  signal?: AbortSignal,
): Promise<EntryPage> {
  const body = await jsonHere(`${base}/audit?${new URLSearchParams(query).toString()}`, signal)
  const { entries, next } = recordOf(body)
  if (!Array.isArray(entries)) throw new Error('The server answered something else than the record')
  return {
    entries: entries.flatMap(readEntry),
    next: typeof next === 'number' ? next : null,
  }
}

export async function checkChain(base: string, signal?: AbortSignal): Promise<Chain> {
  const body = await jsonHere(`${base}/audit/check`, signal)
  const { entries, dropped, broken } = recordOf(body)
  if (typeof entries !== 'number') throw new Error('The server does not say how the record is')
  return {
    entries,
    dropped: typeof dropped === 'number' ? dropped : 0,
    broken: typeof broken === 'number' ? broken : null,
  }
}

/** All of it, as JSON Lines. */
export async function wholeTrail(base: string): Promise<Blob> {
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
  const principal = textIn(actor, 'principal') ?? 'somebody'
  const label = textIn(actor, 'label')
  const entry = {
    seq,
    outcome,
    intent,
    label,
    at: Date.parse(at),
    id: textIn(value, 'id') ?? '',
    tool: textIn(value, 'tool') ?? '',
    decision: textIn(value, 'decision') ?? '',
    paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
  }
  const text = label === null ? principal : `${label} for ${principal}`
  return [{ ...entry, actor: { text, principal, session: textIn(actor, 'session') } }]
}

const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Somebody's name as the audit asks for them: a session by its name or id, else a principal. */
export async function actorQuery(name: string, from: WorkspaceApi): Promise<AuditQuery> {
  if (SESSION_ID.test(name)) return { session: name }
  const sessions = await from.sessions()
  const session = sessions.ok ? sessions.value.find(({ label }) => label === name) : undefined
  return session ? { session: session.id } : { principal: name }
}

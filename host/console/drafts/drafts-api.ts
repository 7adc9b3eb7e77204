/**
 * Reads the drafts of this server's workspace (`GET /drafts`) and sends decisions. Every response is parsed at
 * the boundary; everything that an agent wrote in it is untrusted.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { CONSOLE_HEADER } from '../../mcp/address.ts'
import { getJson } from '../connect/http.ts'
import { fetchWithPasskey } from '../passkeys/fetch-with-passkey.ts'
import { textIn } from '../ui/storage.ts'

/** A draft in the list of what waits. Times are in milliseconds since 1970. */
export interface DraftSummary {
  readonly id: string
  readonly actor: string
  readonly principal: string
  readonly session: string | null
  readonly label: string | null
  readonly opened: number
  /** When the newest change joined. */
  readonly touched: number
  readonly expires: number
  /** Number of changes. */
  readonly changes: number
  /** Whether the session has ended that made it. */
  readonly ended: boolean
}

/** All drafts, the one with the newest change first. */
export interface WaitingList {
  /** Number of changes of all drafts, access requests and apps. */
  readonly waiting: number
  /** Number of access requests. */
  readonly requests: number
  /** Number of apps. */
  readonly apps: number
  readonly drafts: readonly DraftSummary[]
}

/** A change of a draft. */
export interface ProposedChange {
  readonly id: string
  readonly tool: string
  readonly intent: string
  readonly at: number
  readonly level: 'review' | 'confirm'
  readonly paths: readonly string[]
  /** Changes and files with the same number depend on each other. */
  readonly group: number
  /** Why it does not fit the workspace any more; null if it does. */
  readonly conflict: { readonly code: string; readonly message: string } | null
}

/** A file that a draft changes; sizes in bytes, null where there is no file. */
export interface ChangedFile {
  readonly path: string
  readonly change: 'added' | 'changed' | 'deleted'
  readonly before: number | null
  readonly after: number | null
  readonly group: number
}

/** A draft as it was shown: the first changes and files, and how many follow. */
export interface DraftContents {
  readonly summary: DraftSummary
  /** Identifies what was shown; a decision names it. */
  readonly revision: string
  readonly changes: readonly ProposedChange[]
  readonly changesLeft: number
  readonly files: readonly ChangedFile[]
  readonly filesLeft: number
}

/** A further page of changes or files. */
export interface Page<T> {
  readonly revision: string
  readonly items: readonly T[]
  readonly left: number
}

/** What a person decides on: everything that the revision shows, or groups or changes of it. */
export interface Choice {
  readonly groups?: readonly number[]
  readonly changes?: readonly string[]
}

/** A decision that was carried out. */
export interface Decided {
  /** The id that takes back everything that was approved; null after turning down. */
  readonly approval: string | null
  readonly decided: number
  /** Number of changes that still wait. */
  readonly left: number
}

/** Why a decision was refused. */
export interface DecisionProblem {
  readonly code: string
  readonly message: string
  /** Whether the decision may have been carried out all the same, because the answer was lost. */
  readonly isUnknown: boolean
}

/**
 * Reads what waits.
 *
 * @param base The path under which the workspace is served.
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function readWaiting(base: string, signal?: AbortSignal): Promise<WaitingList> {
  const body = recordOf(await getJson(`${base}/drafts`, signal))
  const drafts = listOf(body['drafts'], parseSummary)
  const count = (name: string) => countIn(body, name)
  return { waiting: count('waiting'), requests: count('requests'), apps: count('apps'), drafts }
}

/**
 * Reads one draft, with its first changes and files.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 * @throws {Error} If the response has no draft.
 */
export async function readDraft(
  base: string,
  id: string,
  signal?: AbortSignal,
): Promise<DraftContents> {
  const body = await getJson(addressOf(base, id), signal)
  const [summary] = parseSummary(body)
  const revision = textIn(body, 'revision')
  if (!summary || revision === null) throw new Error('The response has no draft')
  const { changes, files } = recordOf(body)
  return {
    summary,
    revision,
    changes: listOf(changes, parseChange),
    changesLeft: countIn(body, 'changes_left_out'),
    files: listOf(files, parseFile),
    filesLeft: countIn(body, 'files_left_out'),
  }
}

/** Reads the page of changes that starts at `offset`. */
export const readChanges = (base: string, id: string, offset: number) =>
  readPage(base, id, 'changes', offset, parseChange)

/** Reads the page of files that starts at `offset`. */
export const readFiles = (base: string, id: string, offset: number) =>
  readPage(base, id, 'files', offset, parseFile)

/** The difference of one file, as the server describes it, and the revision that it belongs to. */
export interface FileDifference {
  readonly revision: string
  readonly file: unknown
}

/**
 * Reads the difference of one file between the workspace and the draft.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function readDifference(
  base: string,
  id: string,
  path: string,
  signal?: AbortSignal,
): Promise<FileDifference> {
  const query = new URLSearchParams({ path }).toString()
  const body = recordOf(await getJson(`${addressOf(base, id)}/diff?${query}`, signal))
  return { revision: textIn(body, 'revision') ?? '', file: body['file'] }
}

/** Sends a decision on what the revision shows. */
export async function sendDecision(
  address: { readonly base: string; readonly id: string; readonly what: 'approve' | 'turn-down' },
  decision: Choice & { readonly revision: string; readonly note?: string },
): Promise<Result<Decided, DecisionProblem>> {
  const { base, id, what } = address
  const headers = { ...CONSOLE_HEADER, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(decision) }
  const answer = await fetchWithPasskey(`${addressOf(base, id)}/${what}`, init).catch(() => null)
  const body: unknown = await answer?.json().catch(() => null)
  if (answer && !answer.ok) return err(readProblem(body, answer.status))
  if (!isRecord(body)) return err(UNREACHABLE)
  const [decided, left] = [countIn(body, 'decided'), countIn(body, 'left')]
  return ok({ approval: textIn(body, 'approval'), decided, left })
}

const UNREACHABLE = {
  code: 'UNREACHABLE',
  message: 'The server did not respond',
  isUnknown: true,
}

function readProblem(body: unknown, status: number): DecisionProblem {
  const message = textIn(body, 'message') ?? `The server returned HTTP ${status}`
  return { code: textIn(body, 'code') ?? 'ERROR', message, isUnknown: status >= 500 }
}

async function readPage<T>(
  base: string,
  id: string,
  what: 'changes' | 'files',
  offset: number,
  parse: (value: unknown) => T[],
): Promise<Page<T>> {
  const body = recordOf(await getJson(`${addressOf(base, id)}/${what}?offset=${offset}`))
  const items = listOf(body[what], parse)
  // A page without items is the last one, whatever the response counts.
  const left = items.length === 0 ? 0 : countIn(body, 'left')
  return { revision: textIn(body, 'revision') ?? '', items, left }
}

const addressOf = (base: string, id: string) => `${base}/drafts/${encodeURIComponent(id)}`

const listOf = <T>(value: unknown, parse: (one: unknown) => T[]): T[] =>
  Array.isArray(value) ? value.flatMap(parse) : []

const countIn = (value: unknown, name: string): number => numberIn(value, name) ?? 0

function numberIn(value: unknown, name: string): number | null {
  const found = recordOf(value)[name]
  return typeof found === 'number' ? found : null
}

function parseSummary(value: unknown): DraftSummary[] {
  const id = textIn(value, 'id')
  if (id === null) return []
  const principal = textIn(value, 'principal') ?? 'unknown'
  return [
    {
      id,
      actor: textIn(value, 'actor') ?? principal,
      principal,
      session: textIn(value, 'session'),
      label: textIn(value, 'label'),
      opened: countIn(value, 'opened'),
      touched: countIn(value, 'touched'),
      expires: countIn(value, 'expires'),
      changes: summarizedChanges(value),
      ended: recordOf(value)['ended'] === true,
    },
  ]
}

/** The number of changes; of a single draft the response lists the changes under the same name. */
function summarizedChanges(value: unknown): number {
  const { changes } = recordOf(value)
  if (!Array.isArray(changes)) return countIn(value, 'changes')
  return changes.length + countIn(value, 'changes_left_out')
}

function parseChange(value: unknown): ProposedChange[] {
  const id = textIn(value, 'id')
  if (id === null || !isRecord(value)) return []
  const { paths, conflict } = value
  const tool = textIn(value, 'tool') ?? ''
  return [
    {
      id,
      tool,
      intent: textIn(value, 'intent') ?? tool,
      at: countIn(value, 'at'),
      // What is unknown counts as the stricter level.
      level: value['level'] === 'review' ? 'review' : 'confirm',
      paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
      group: countIn(value, 'group'),
      conflict: isRecord(conflict) ? parseConflict(conflict) : null,
    },
  ]
}

const parseConflict = (value: unknown) => ({
  code: textIn(value, 'code') ?? 'ERROR',
  message: textIn(value, 'message') ?? '',
})

const KINDS = ['added', 'changed', 'deleted'] as const

function parseFile(value: unknown): ChangedFile[] {
  const path = textIn(value, 'path')
  if (path === null || !isRecord(value)) return []
  const change = KINDS.find((kind) => kind === value['change']) ?? 'changed'
  const [before, after] = [numberIn(value, 'before'), numberIn(value, 'after')]
  return [{ path, change, before, after, group: countIn(value, 'group') }]
}

/**
 * Reads the drafts of this server's workspace (`GET /drafts`) and sends decisions. Every response is parsed at
 * the boundary (`drafts-parse.ts`). `test/pages/console/waiting.test.ts` uses it through the pages.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { CONSOLE_HEADER } from '../../mcp/address.ts'
import { getJson, getJsonWithList } from '../connect/http.ts'
import { fetchWithPasskey } from '../passkeys/fetch-with-passkey.ts'
import { textIn } from '../ui/storage.ts'
import {
  countIn,
  parseChange,
  parseDraft,
  parseFile,
  parsePage,
  parseSingleChange,
  parseWaiting,
  type ChangedFile,
  type DraftContents,
  type Page,
  type SingleChange,
  type WaitingList,
} from './drafts-parse.ts'

/** What a person decides on: everything that the revision shows, or groups or changes of it. */
export interface Choice {
  readonly groups?: readonly number[]
  readonly changes?: readonly string[]
  /** Names what was shown of the groups or changes; an approval of them needs it. */
  readonly digest?: string
  /** Files that are approved although their content cannot be shown as text. */
  readonly unseen?: readonly string[]
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
  return parseWaiting(await getJsonWithList(`${base}/drafts`, 'drafts', signal))
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
  const draft = parseDraft(await getJson(addressOf(base, id), signal))
  if (!draft) throw new Error('The response has no draft')
  return draft
}

/** Where a page of a list begins, and the revision that it belongs to. */
interface PageAt {
  readonly revision: string
  readonly offset: number
}

/** Reads a page of the changes of a revision. The response names another revision if there is that one no more. */
export const readChanges = (base: string, id: string, at: PageAt) =>
  readPage(base, id, 'changes', at, parseChange)

/** Reads a page of the files of a revision, likewise. */
export const readFiles = (base: string, id: string, at: PageAt) =>
  readPage(base, id, 'files', at, parseFile)

/**
 * Reads what one change does on its own.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 * @throws {Error} If the response has no change.
 */
export async function readSingleChange(
  base: string,
  id: string,
  change: string,
  signal?: AbortSignal,
): Promise<SingleChange> {
  const address = `${addressOf(base, id)}/changes/${encodeURIComponent(change)}`
  const shown = parseSingleChange(await getJson(address, signal))
  if (!shown) throw new Error('The response has no change')
  return shown
}

/** The address of the bytes of a file, before or after a draft or one change of it. */
export function addressOfFile(
  base: string,
  id: string,
  file: FileOfDraft,
  side: 'before' | 'after',
): string {
  const query = new URLSearchParams({ ...queryOf(file), side })
  return `${addressOf(base, id)}/file?${query.toString()}`
}

/** A file of a draft as it was listed. */
export interface FileOfDraft {
  readonly file: Pick<ChangedFile, 'path' | 'digest'>
  /** The list: a revision of the draft, or one change of it. */
  readonly of: { readonly revision: string } | Part
}

const queryOf = ({ file: { path, digest }, of }: FileOfDraft) => ({ path, digest, ...of })

/** One change of a draft, alone or together with the earlier ones that it depends on. */
export interface Part {
  readonly change: string
  readonly of: 'own' | 'together'
}

/**
 * Reads the difference of one file between the workspace and the draft, or before and after one change, as the server
 * describes it.
 *
 * @throws {AnswerError} If the server refuses, with 409 if the file is another one by now, or the response is not JSON.
 */
export async function readDifference(
  base: string,
  id: string,
  file: FileOfDraft,
  signal?: AbortSignal,
): Promise<JsonRecord> {
  const query = new URLSearchParams(queryOf(file)).toString()
  const body = recordOf(await getJson(`${addressOf(base, id)}/diff?${query}`, signal))
  return recordOf(body['file'])
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
  { revision, offset }: PageAt,
  parse: (value: unknown) => T[],
): Promise<Page<T>> {
  const query = new URLSearchParams({ revision, offset: `${offset}` }).toString()
  return parsePage(await getJson(`${addressOf(base, id)}/${what}?${query}`), what, parse)
}

const addressOf = (base: string, id: string) => `${base}/drafts/${encodeURIComponent(id)}`

/** The passkeys of this server's workspace (`GET /passkeys`), and what the owner does with them. @module */

import { isRecord, recordOf } from '#core/json.ts'
import { CONSOLE_HEADER } from '../../mcp/address.ts'
import { getJsonWithList, readAnswer } from '../connect/http.ts'
import { textIn } from '../ui/storage.ts'
import { createPasskey } from './ceremony.ts'
import { fetchWithPasskey } from './fetch-with-passkey.ts'

/** Maximum characters of a name; the server refuses longer ones. */
export const MAX_LABEL_LENGTH = 80

/** Runs an act of the person on the page, and returns whether it succeeded. */
export type Act = (work: () => Promise<unknown>) => Promise<boolean>

/** Wraps what is no failure that can be shown. */
export const toFailure = (error: unknown): unknown =>
  isRecord(error) || error instanceof Error ? error : new Error('Unexpected error')

/** A passkey. Times are in milliseconds since 1970. */
export interface PasskeyRow {
  readonly id: string
  readonly label: string
  /** The host name at which browsers use it. */
  readonly host: string
  readonly created: number
  readonly used: number | null
  /** When it will be removed; null if that was not requested. */
  readonly removal: number | null
}

/** What the server says of passkeys. */
export interface PasskeyList {
  readonly passkeys: readonly PasskeyRow[]
  readonly rule: 'none' | 'confirm' | 'all'
  /** The host name of this page, as the server has it. */
  readonly host: string
  /** Whether removing without a passkey asks for the owner's secret. */
  readonly needsSecret: boolean
  /** How long removing without a passkey takes. */
  readonly removalSeconds: number
}

/**
 * Reads the passkeys.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function readPasskeys(base: string, signal?: AbortSignal): Promise<PasskeyList> {
  return parseList(await getJsonWithList(`${base}/passkeys`, 'passkeys', signal))
}

/**
 * Registers a new passkey under a name. Another one is asked for, if there is one.
 *
 * @throws {Error} With a message for the person, if anything fails.
 */
export async function registerPasskey(base: string, label: string): Promise<void> {
  const question = await send(`${base}/passkeys/begin`, 'POST', {})
  const created = await createPasskey(question)
  if (!created.ok) throw new Error(created.error)
  await send(`${base}/passkeys`, 'POST', { label, response: created.value })
}

/** Gives a passkey another name. Rejects like {@link registerPasskey}. */
export const renamePasskey = (base: string, id: string, label: string) =>
  send(addressOf(base, id, '/rename'), 'POST', { label })

/** Removes a passkey at once, with a passkey. Rejects like {@link registerPasskey}. */
export const removePasskey = (base: string, id: string) => send(addressOf(base, id), 'DELETE')

/** Removes a passkey after the waiting time. Rejects like {@link registerPasskey}. */
export const removePasskeyLater = (base: string, id: string, secret: string) =>
  send(addressOf(base, id, '/removal'), 'POST', { secret })

/** Cancels a removal. Rejects like {@link registerPasskey}. */
export const keepPasskey = (base: string, id: string) =>
  send(addressOf(base, id, '/removal'), 'DELETE')

const addressOf = (base: string, id: string, what = '') =>
  `${base}/passkeys/${encodeURIComponent(id)}${what}`

async function send(url: string, method: string, body?: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...CONSOLE_HEADER }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return readAnswer(await fetchWithPasskey(url, { method, headers, ...sent }))
}

const RULES = ['none', 'confirm', 'all'] as const

function parseList(value: unknown): PasskeyList {
  const { passkeys, rule, needs_secret: needsSecret, removal_seconds: seconds } = recordOf(value)
  return {
    passkeys: Array.isArray(passkeys) ? passkeys.flatMap(parseRow) : [],
    rule: RULES.find((one) => one === rule) ?? 'confirm',
    host: textIn(value, 'host') ?? location.hostname,
    needsSecret: needsSecret === true,
    removalSeconds: typeof seconds === 'number' ? seconds : 0,
  }
}

function parseRow(value: unknown): PasskeyRow[] {
  const id = textIn(value, 'id')
  if (id === null || !isRecord(value)) return []
  const timeIn = (name: string) => (typeof value[name] === 'number' ? value[name] : null)
  return [
    {
      id,
      label: textIn(value, 'label') ?? 'Passkey',
      host: textIn(value, 'host') ?? '',
      created: timeIn('created') ?? 0,
      used: timeIn('used'),
      removal: timeIn('removal'),
    },
  ]
}

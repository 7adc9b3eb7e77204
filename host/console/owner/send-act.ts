/**
 * Sends acts of the owner to this server. Addresses, methods and answers are those of `core/owner/`, so a page names the
 * act, and the compiler knows the rest. What the server answers is decoded; a failure is an {@link AnswerError}.
 *
 * `test/host/console/send-act.test.ts` has the cases.
 *
 * @module
 */

import { OWNER_ACTS, type ActName, type ActSegments } from '#core/owner/acts.ts'
import { OWNER_ANSWERS, type Answer } from '#core/owner/answers.ts'
import { CONSOLE_HEADER } from '../../mcp/console-header.ts'
import { AnswerError } from '../ui/errors.ts'
import { readRefusal } from '../connect/http.ts'
import { fetchWithPasskey } from '../passkeys/fetch-with-passkey.ts'

type Texts = Readonly<Record<string, string>>

/** The segments of the path of an act. */
type Segments<Name extends ActName> = Readonly<Record<ActSegments<Name>, string>>

interface Sent {
  readonly query?: Texts
  /** The JSON object that is sent. */
  readonly body?: unknown
  /** Refuses the act with status 412 unless the state has this entity tag. */
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal
}

/** What an act is sent with. Those without segments need none. */
export type ActGiven<Name extends ActName> = [ActSegments<Name>] extends [never]
  ? Sent
  : Sent & { readonly segments: Segments<Name> }

/** An answer, with the entity tag of the state that it shows; null if it has none. */
export interface TaggedAnswer<Name extends ActName> {
  readonly answer: Answer<Name>
  readonly tag: string | null
}

/** Time (ms) after which a request without a signal is given up. */
const TIMEOUT_MS = 30_000

/** Returns the address of an act, for what a browser opens by itself. `base` is the path of the workspace. */
export function urlOfAct<Name extends ActName>(
  base: string,
  name: Name,
  { segments, query = {} }: { readonly segments: Segments<Name>; readonly query?: Texts },
): string {
  return formatUrl(base, name, segments, query)
}

function formatUrl(base: string, name: ActName, segments: Texts, query: Texts): string {
  const path = OWNER_ACTS[name].path.replace(/\{(\w+)\}/g, (_, segment: string) =>
    encodeURIComponent(segments[segment] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return `${base}${path}${search === '' ? '' : `?${search}`}`
}

/**
 * Sends an act, and uses a passkey if the server asks for one.
 *
 * @param base The path under which the workspace is served; empty for the default one.
 * @throws {AnswerError} If the server refuses, or answers anything else.
 * @throws {TypeError} If the server is not reached.
 */
export async function sendAct<Name extends ActName>(
  base: string,
  name: Name,
  given: ActGiven<Name>,
): Promise<Answer<Name>> {
  return (await sendForTag(base, name, given)).answer
}

/** The same, with the entity tag of the answer. */
export async function sendForTag<Name extends ActName>(
  base: string,
  name: Name,
  given: ActGiven<Name>,
): Promise<TaggedAnswer<Name>> {
  const { segments = {}, query = {} }: { readonly segments?: Texts; readonly query?: Texts } = given
  const url = formatUrl(base, name, segments, query)
  const response = await fetchWithPasskey(url, requestOf(name, given))
  if (!response.ok) throw await readRefusal(response)
  return { answer: await readAnswer(name, response), tag: response.headers.get('etag') }
}

function requestOf(name: ActName, { body, ifMatch, signal }: Sent): RequestInit {
  const { method } = OWNER_ACTS[name]
  const headers = {
    ...(method !== 'GET' && CONSOLE_HEADER),
    ...(method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  }
  return {
    method,
    headers,
    signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

async function readAnswer<Name extends ActName>(
  name: Name,
  response: Response,
): Promise<Answer<Name>> {
  const body: unknown =
    response.status === 204 ? null : await response.json().catch(() => undefined)
  const answer = OWNER_ANSWERS[name](body)
  if (answer === undefined)
    throw new AnswerError('The server returned an unreadable response', response.status)
  // The decoder of the act made it.
  return answer as Answer<Name>
}

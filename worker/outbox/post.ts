/**
 * One POST to a receiver.
 *
 * The address of a webhook or a channel is a variable of the operator and therefore trusted, also where it is not a public
 * name; that of a device is checked before it is given here. The receiver is never trusted: its redirects are not followed,
 * so it cannot make this server send requests to other addresses, its body is not read, and it has a time to answer.
 * `test/platform/outbox/outbox.test.ts`, `test/worker/notifier/chat.test.ts` and `test/worker/notifier/push.test.ts` test it.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { isLocalName } from '../http.ts'
import { MAX_NOTICE_ATTEMPT_MS } from './limits.ts'

/** The platform's `fetch`, kept before sign-in replaces it by one that refuses this machine (`auth/owner-gate.ts`). */
export const platformFetch: typeof fetch = globalThis.fetch

/** What is sent. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** What a receiver has answered. */
export interface Answer {
  readonly isOk: boolean
  readonly status: number
  /** Seconds that it asks to wait, if it does. */
  readonly retryAfter?: number
}

/** Sends a message once. Never rejects; null for a receiver that is not reached, or does not answer in time. */
export async function postOnce(
  url: string,
  { headers, body }: Post,
  send: typeof fetch,
): Promise<Answer | null> {
  try {
    const response = await send(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(MAX_NOTICE_ATTEMPT_MS),
    })
    await response.body?.cancel()
    const { ok: isOk, status } = response
    return { isOk, status, ...readRetryAfter(response.headers) }
  } catch {
    return null
  }
}

/** Reads `Retry-After` by RFC 9110, 10.2.3: seconds, or a date. */
function readRetryAfter(headers: Headers): Pick<Answer, 'retryAfter'> {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? { retryAfter: Math.ceil(seconds) } : {}
}

/** Reads the address of a receiver. The error says what it must be, without a value: it may contain a secret. */
export function readReceiver(address: string): Result<string, string> {
  const url = URL.parse(address)
  return url && isAllowed(url)
    ? ok(url.href)
    : err('it must be an https URL without a user name, or http on localhost')
}

/** Only to this machine may a message travel in clear text. `fetch` refuses a URL with a user name or a password. */
function isAllowed({ protocol, hostname, username, password }: URL): boolean {
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocalName(hostname))
  return isSafe && username === '' && password === ''
}

/**
 * Sends requests that may need a passkey: where the server asks for one, the person uses it, and the same request
 * is sent again with the answer.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { PASSKEY_HEADER } from '#core/wire.ts'
import { fetchOwn } from '../connect/http.ts'
import { usePasskey } from './ceremony.ts'

/** How long (ms) the second request may take; the first one may have used up its time for the person. */
const TIMEOUT_MS = 30_000

/**
 * Like `fetch`, for requests to this server whose body can be sent twice. Without a passkey, the response is the
 * refusal with the reason in its message.
 */
export const fetchWithPasskey: typeof fetch = async (input, init) => {
  const answer = await fetchOwn(input, init)
  if (answer.status !== 403) return answer
  const refusal = recordOf(
    await answer
      .clone()
      .json()
      .catch(() => null),
  )
  if (refusal['code'] !== 'PASSKEY_REQUIRED') return answer
  const used = await usePasskey(refusal['passkey'])
  if (!used.ok)
    return Response.json({ code: 'PASSKEY_NOT_USED', message: used.error }, { status: 403 })
  const headers = new Headers(init?.headers)
  headers.set(PASSKEY_HEADER, used.value)
  return fetchOwn(input, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
}

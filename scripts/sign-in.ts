/**
 * Signs in as the owner through the sign-in form, as a browser does; the cookie is kept in memory
 * only. The secret comes from the environment, because command lines are visible to all users of
 * the machine.
 *
 * @module
 */

import { ImportError, reasonOf } from './import-error.ts'

/** Headers that authenticate requests as the owner's. */
export type Proof = Readonly<Record<string, string>>

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Signs in.
 *
 * @returns The headers for later requests.
 * @throws {ImportError} Without a secret, over plain HTTP to another machine, or if the server
 *   refuses.
 */
export async function signIn(server: URL, secret: string | undefined): Promise<Proof> {
  if (!secret)
    throw new ImportError(
      `${server.origin} has an owner. Set EDGEWISE_OWNER_SECRET to the secret to sign in with`,
    )
  if (server.protocol !== 'https:' && !LOCAL.has(server.hostname))
    throw new ImportError(`The secret is not sent to ${server.origin}, because that is not https`)
  const answer = await submit(server, secret)
  const cookie = cookiesOf(answer)
  if (answer.status === 303 && cookie !== '') return { cookie, 'x-edgewise-console': '1' }
  throw new ImportError(refusal(answer))
}

async function submit({ origin }: URL, secret: string): Promise<Response> {
  const body = new URLSearchParams({ secret, to: '/' })
  const headers = { origin, connection: 'close' }
  try {
    const how = { method: 'POST', redirect: 'manual' } as const
    const answer = await fetch(`${origin}/signin`, { ...how, headers, body })
    await answer.body?.cancel()
    return answer
  } catch (error) {
    const reason = reasonOf(error instanceof Error ? error.cause : error)
    throw new ImportError(`Cannot sign in at ${origin}: ${reason}`, { cause: error })
  }
}

/** Returns the cookies of a response as a `cookie` header. */
function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .join('; ')
}

function refusal({ status, headers }: Response): string {
  const wait = headers.get('retry-after')
  if (status === 429) return `Too many attempts to sign in. Try again in ${wait} seconds`
  if (status === 401) return 'The server does not take the secret in EDGEWISE_OWNER_SECRET'
  return `Cannot sign in: the server answers with status ${status}`
}

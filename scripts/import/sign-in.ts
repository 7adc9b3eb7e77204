/**
 * Signs in as the owner through the sign-in form, as a browser does; the cookie is kept in memory
 * only. The secret comes from the environment, because command lines are visible to all users of
 * the machine.
 *
 * @module
 */

import { UserError, describeSystemError } from '../errors.ts'

/** Headers that authenticate requests as the owner's. */
export type Credentials = Readonly<Record<string, string>>

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Signs in.
 *
 * @returns The headers for later requests.
 * @throws {UserError} Without a secret, over plain HTTP to another machine, or if the server
 *   refuses.
 */
export async function signIn(server: URL, secret: string | undefined): Promise<Credentials> {
  if (!secret)
    throw new UserError(
      `Cannot sign in at ${server.origin}: no secret is set. Set EDGEWISE_OWNER_SECRET to the owner's secret`,
    )
  if (server.protocol !== 'https:' && !LOCAL.has(server.hostname))
    throw new UserError(
      `Cannot send the secret to ${server.origin}: it does not use HTTPS. Use its https address`,
    )
  const response = await submit(server, secret)
  const cookie = readCookies(response)
  if (response.status === 303 && cookie !== '') return { cookie, 'x-edgewise-console': '1' }
  throw new UserError(describeRefusal(response))
}

async function submit({ origin }: URL, secret: string): Promise<Response> {
  const body = new URLSearchParams({ secret, to: '/' })
  const headers = { origin, connection: 'close' }
  try {
    const how = { method: 'POST', redirect: 'manual' } as const
    const response = await fetch(`${origin}/signin`, { ...how, headers, body })
    await response.body?.cancel()
    return response
  } catch (error) {
    const reason = describeSystemError(error instanceof Error ? error.cause : error)
    throw new UserError(`Cannot sign in at ${origin}: ${reason}. Try again`, { cause: error })
  }
}

/** Returns the cookies of a response as a `cookie` header. */
function readCookies({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .join('; ')
}

function describeRefusal({ status, headers }: Response): string {
  const wait = headers.get('retry-after')
  if (status === 429)
    return `Cannot sign in: there were too many attempts. Try again in ${wait} seconds`
  if (status === 401)
    return 'Cannot sign in: the secret in EDGEWISE_OWNER_SECRET is wrong. Correct it'
  return `Cannot sign in: the server responded with status ${status}. Check its address`
}

/**
 * Requests of `npm run passkeys` to the server, as its owner. Every refusal is a {@link UserError}.
 *
 * @module
 */

import { OWNER_ANSWERS } from '#core/owner/answers.ts'
import type { PasskeyList } from '#core/owner/answers/passkeys.ts'
import { recordOf } from '#core/json.ts'
import { describeStranger, describeSystemError, UserError } from '../errors.ts'
import { signIn, type Credentials } from '../import/sign-in.ts'
import { commandFor } from '../invocation.ts'

/** The passkeys of a workspace. */
export interface PasskeyServer {
  readonly list: () => Promise<PasskeyList>
  /** Has a passkey removed after the waiting time. */
  readonly removeLater: (id: string) => Promise<PasskeyList>
}

/**
 * Opens the passkeys of a workspace, and signs in if the server requires it.
 *
 * @throws {UserError} If the server refuses or cannot be reached.
 */
export async function openPasskeys(base: string, secret = ''): Promise<PasskeyServer> {
  const url = `${base}/passkeys`
  const isOpen = (await send(url, {})).status !== 401
  const credentials: Credentials = isOpen ? {} : await signIn(new URL(base), secret)
  const body = JSON.stringify(isOpen ? {} : { secret })
  const headers = { ...credentials, 'content-type': 'application/json' }
  return {
    list: async () => readList(await send(url, { headers: credentials })),
    removeLater: async (id) =>
      readList(
        await send(`${url}/${encodeURIComponent(id)}/removal`, { method: 'POST', headers, body }),
      ),
  }
}

interface Sent {
  readonly method?: string
  readonly headers?: Credentials
  readonly body?: string
}

async function send(url: string, init: Sent): Promise<Response> {
  try {
    // Redirects are not followed: the credentials are for this server only.
    const headers = { ...init.headers, connection: 'close' }
    return await fetch(url, { ...init, headers, redirect: 'manual' })
  } catch (error) {
    const reason = describeSystemError(error instanceof Error ? error.cause : error)
    throw new UserError(
      `Cannot reach ${new URL(url).origin}: ${reason}. Start the server with ${commandFor('start')}`,
    )
  }
}

async function readList(response: Response): Promise<PasskeyList> {
  const body: unknown = await response.json().catch(() => null)
  const list = response.ok ? OWNER_ANSWERS.list_passkeys(body) : undefined
  if (list) return list
  const { message } = recordOf(body)
  throw new UserError(
    typeof message === 'string'
      ? `The server refused: ${message}`
      : describeStranger(response.status, response.headers.get('location')),
  )
}

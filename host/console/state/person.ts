/**
 * Authentication of the console's user: whether this server has an owner, whether the browser is
 * signed in, and signing in and out. No script can read the cookie, so its state is known only from
 * responses.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { CONSOLE_HEADER } from '../../connection/address.ts'
import { say } from './toast.ts'

/** Whether this server requires signing in; null until known. */
export const hasOwner = signal<boolean | null>(null)

/** Whether the server has returned 401 since the last successful response. */
export const isSignedOut = signal(false)

/** Finds out whether signing in is required: if so, a page requested without the cookie is a redirect. */
export async function findOwner(): Promise<void> {
  const answer = await fetch('/', AS_A_STRANGER).catch(() => null)
  if (answer?.type === 'opaqueredirect') hasOwner.value = true
  else if (answer?.ok) hasOwner.value = false
}

const AS_A_STRANGER: RequestInit = {
  credentials: 'omit',
  redirect: 'manual',
  cache: 'no-store',
  headers: { accept: 'text/html' },
}

/** Updates the signed-in state from the status of a response. */
export function heard(status: number | null): void {
  if (status === 401) isSignedOut.value = true
  else if (status !== null && status < 400) isSignedOut.value = false
}

/** Like `fetch`, for requests to this server. A 401 becomes a response with a message for the user. */
export const fetchHere: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  heard(answer.status)
  return answer.status === 401 ? Response.json(SIGN_IN, { status: 401 }) : answer
}

/** The server's own 401 response is a JSON-RPC error, whatever the path. */
const SIGN_IN = { code: 'UNAUTHORIZED', message: 'Sign in first' } as const

/** Checks whether the cookie is valid again, for example after signing in in another tab. */
export const lookAgain = () => void fetchHere('/status').catch(() => null)

/** Returns the address of the sign-in page, which leads back to the current page. */
export function signInLink(): string {
  const { pathname, search, hash } = location
  return `/signin?${new URLSearchParams({ to: pathname + search + hash }).toString()}`
}

/** Signs out and reloads the page. */
export async function signOut(): Promise<void> {
  const how = { method: 'POST', headers: CONSOLE_HEADER, redirect: 'manual' } as const
  const answer = await fetch('/signout', how).catch(() => null)
  if (answer?.ok || answer?.type === 'opaqueredirect') location.reload()
  else say('You are still signed in: the server did not answer', { tone: 'danger' })
}

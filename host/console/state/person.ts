/**
 * The person at the console: whether this server has an owner whose browser this is, whether it is
 * still signed in, and the ways out and back in. The cookie itself is out of reach of any script, so
 * all that is known of it is how the server answers.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { CONSOLE_HEADER } from '../../connection/address.ts'
import { say } from './toast.ts'

/** Whether everybody has to sign in here; null as long as it is not known. */
export const hasOwner = signal<boolean | null>(null)

/** Whether the server has told this browser to sign in, since it last let it in. */
export const isSignedOut = signal(false)

/** Where people sign in, a page that is asked for without the cookie leads there. */
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

/** What the server's answer says of the cookie. */
export function heard(status: number | null): void {
  if (status === 401) isSignedOut.value = true
  else if (status !== null && status < 400) isSignedOut.value = false
}

/** Like `fetch`, for requests to this very server; whoever is stopped at its door reads why. */
export const fetchHere: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  heard(answer.status)
  return answer.status === 401 ? Response.json(SIGN_IN, { status: 401 }) : answer
}

/** What the door says is in the words of MCP, whatever was asked for. */
const SIGN_IN = { code: 'UNAUTHORIZED', message: 'Sign in first' } as const

/** Asks whether the cookie is good again, as it is when somebody has signed in in another tab. */
export const lookAgain = () => void fetchHere('/status').catch(() => null)

/** Where to sign in, and from there back to what is shown now. */
export function signInLink(): string {
  const { pathname, search, hash } = location
  return `/signin?${new URLSearchParams({ to: pathname + search + hash }).toString()}`
}

/** Leaves, and shows what anybody sees who has not signed in. */
export async function signOut(): Promise<void> {
  const how = { method: 'POST', headers: CONSOLE_HEADER, redirect: 'manual' } as const
  const answer = await fetch('/signout', how).catch(() => null)
  if (answer?.ok || answer?.type === 'opaqueredirect') location.reload()
  else say('You are still signed in: the server did not answer', { tone: 'danger' })
}

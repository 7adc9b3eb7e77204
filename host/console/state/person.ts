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

/** A server whose people sign in says so at a well-known place. */
export async function findOwner(): Promise<void> {
  const answer = await fetch('/.well-known/oauth-protected-resource').catch(() => null)
  hasOwner.value = answer === null ? null : answer.ok
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

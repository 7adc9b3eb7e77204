/**
 * Authentication of the console's user: whether this server has an owner, and signing in and out.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { CONSOLE_HEADER } from '../../mcp/console-header.ts'
import { fetchOwn } from './http.ts'
import { basePath } from './workspace.ts'
import { turnOffBeforeSignOut } from '../notifications/device.ts'
import { showToast } from '../ui/toasts.tsx'

/** Whether this server requires signing in; null until known. */
export const hasOwner = signal<boolean | null>(null)

/** Finds out whether signing in is required: if so, a page requested without the cookie is a redirect. */
export async function findOwner(): Promise<void> {
  const answer = await fetch('/', WITHOUT_COOKIE).catch(() => null)
  if (answer?.type === 'opaqueredirect') hasOwner.value = true
  else if (answer?.ok) hasOwner.value = false
}

const WITHOUT_COOKIE: RequestInit = {
  credentials: 'omit',
  redirect: 'manual',
  cache: 'no-store',
  headers: { accept: 'text/html' },
}

/** Checks whether the cookie is valid again, for example after signing in in another tab. */
export const checkSignIn = () => void fetchOwn('/status').catch(() => null)

/** Returns the address of the sign-in page, which leads back to the current page. */
export function buildSignInUrl(): string {
  const { pathname, search, hash } = location
  return `/signin?${new URLSearchParams({ to: pathname + search + hash }).toString()}`
}

/** Signs out and reloads the page. This device gets no notifications after it. */
export async function signOut(): Promise<void> {
  await turnOffBeforeSignOut(basePath.peek())
  const how = { method: 'POST', headers: CONSOLE_HEADER, redirect: 'manual' } as const
  const answer = await fetch('/signout', how).catch(() => null)
  if (answer?.ok || answer?.type === 'opaqueredirect') location.reload()
  else showToast('Cannot sign out: the server did not respond', { tone: 'danger' })
}

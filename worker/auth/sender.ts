/**
 * Senders: in whose share an attempt or a costly request counts, see `attempts.ts`.
 * `test/worker/auth/devices.test.ts` tests it.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { readCookie } from './cookies.ts'

/** The address of a sender, or what is known of it. */
export interface Sender {
  readonly from: string
  readonly isKnown: boolean
}

/**
 * Returns the client address that Cloudflare reports. On a machine of one's own a client could write any address into
 * that header, so that all of them are one there, `here`.
 */
export function addressOf(request: Request, env: Pick<Env, 'DISK'>): string {
  const address = env.DISK ? null : request.headers.get('cf-connecting-ip')
  return address ?? 'here'
}

/** Returns the sender of a request: a browser that has signed in before, or its address. */
export async function senderOf(request: Request, env: Env): Promise<Sender> {
  const device = await readCookie(request, env, 'device')
  if (device !== null) return { from: `device ${device}`, isKnown: true }
  return { from: addressOf(request, env), isKnown: false }
}

/**
 * Returns the grant whose code or token a form has, so that no stranger can keep its client out; otherwise the sender of
 * the request.
 */
export async function identifySender(
  request: Request,
  env: Env,
  form: URLSearchParams | null,
): Promise<Sender> {
  const token = form?.get('refresh_token') ?? form?.get('code') ?? form?.get('token') ?? ''
  const from = `grant:${token.split(':').slice(0, 2).join(':')}`
  const isKnown = token !== '' && Boolean(await env.OAUTH_KV?.get(from))
  return isKnown ? { from, isKnown } : senderOf(request, env)
}

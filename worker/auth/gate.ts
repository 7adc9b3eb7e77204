/**
 * Authentication: decides who a request comes from, or answers it.
 *
 * Without an owner only requests of this machine are served, and none that was forwarded to it. A deployed Worker without an owner serves
 * nothing and answers what to set. The code for sign-in is loaded only when an owner is configured.
 *
 * @module
 */

import { type Env, hasOwner } from '../env.ts'
import { forwardingHeader, isLocal } from '../http.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Identity } from '../sessions/identity.ts'

const LOCAL: Identity = { kind: 'local' }

/** Returns the identity of a request, or the response that refuses it: a page, a challenge or an error. */
export function authenticate(
  request: Request,
  env: Env,
  context: ExecutionContext,
): MaybePromise<Identity | Response> {
  return hasOwner(env)
    ? authenticateLate(request, env, context)
    : (refuseUnowned(request, env) ?? LOCAL)
}

/** Returns the 503 of a request that needs an owner while none is configured, or null. */
export function refuseUnowned(request: Request, env: Env): Response | null {
  if (hasOwner(env)) return null
  if (!isLocal(request)) return notConfigured('no owner is configured')
  const header = forwardingHeader(request)
  if (header === null) return null
  return notConfigured(
    `no owner is configured, and its header ${header} shows that it was forwarded`,
  )
}

async function authenticateLate(request: Request, env: Env, context: ExecutionContext) {
  const { authenticateByOwner } = await import('./owner-gate.ts')
  return authenticateByOwner(request, env, context)
}

function notConfigured(reason: string): Response {
  const message =
    `Cannot serve this request: ${reason}. Set EDGEWISE_OWNER_SECRET ` +
    '(npx wrangler secret put EDGEWISE_OWNER_SECRET), or EDGEWISE_ACCESS for Cloudflare Access.'
  const headers = { 'cache-control': 'no-store' }
  return Response.json({ code: 'NOT_CONFIGURED', message }, { status: 503, headers })
}

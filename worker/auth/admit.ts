/**
 * The door: whether anybody may come in at all, and who it is that does.
 *
 * Without an owner this machine alone may ask. Away from it, a Worker that has no owner yet serves
 * nothing and says what to set. What signing in needs is loaded only where there is an owner.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { hasOwner, isLocal } from '../guard.ts'
import type { Identity } from './identity.ts'

const LOCAL: Identity = { kind: 'local' }

/** Somebody who may come in, or the answer: a page, a challenge, a refusal. */
export async function admit(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Identity | Response> {
  if (hasOwner(env)) {
    const { admission } = await import('./admission.ts')
    return admission(request, env, context)
  }
  return isLocal(request) ? LOCAL : notConfigured()
}

function notConfigured(): Response {
  const message =
    'This workspace has no owner yet, so it serves nothing. Set EDGEWISE_OWNER_SECRET ' +
    '(npx wrangler secret put EDGEWISE_OWNER_SECRET), or EDGEWISE_ACCESS for Cloudflare Access'
  return Response.json({ code: 'NOT_CONFIGURED', message }, { status: 503 })
}

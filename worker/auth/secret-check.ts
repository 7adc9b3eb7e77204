/**
 * Checks the owner's secret within the rate limit of sign-in, wherever it is asked for.
 *
 * The default workspace counts attempts, so the rate limit holds wherever an attempt comes from.
 * `test/worker/access/closed.test.ts` tests it through sign-in.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { isOwnerSecret } from './owner.ts'
import { senderOf } from './sender.ts'

/** What came of a check: `wait` is in seconds. */
export type SecretCheck =
  | { readonly is: 'right' | 'wrong' }
  | { readonly is: 'too_many'; readonly wait: number }

/** Compares a text with the owner's secret, and counts the attempt if it is not right. */
export async function checkSecret(given: string, request: Request, env: Env): Promise<SecretCheck> {
  const wait = Number(await attempts(request, env, 'POST'))
  if (wait > 0) return { is: 'too_many', wait }
  if (!(await isOwnerSecret(given, env))) return { is: 'wrong' }
  await attempts(request, env, 'DELETE')
  return { is: 'right' }
}

/** Counts an attempt (POST) or takes its count back after a success (DELETE), in the default workspace. */
async function attempts(request: Request, env: Env, method: 'POST' | 'DELETE') {
  const { from, isKnown } = await senderOf(request, env)
  const counter = env.WORKSPACE.get(env.WORKSPACE.idFromName('default'))
  const url = `https://workspace/attempt?from=${encodeURIComponent(from)}${isKnown ? '&known' : ''}`
  return (await counter.fetch(url, { method })).text()
}

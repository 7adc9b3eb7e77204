/**
 * Single use of codes and refresh tokens, decided by the workspace that they open, and of consents.
 *
 * The key-value store of the authorization server has no compare-and-set, so two concurrent uses would both
 * succeed. A Durable Object handles one use at a time.
 *
 * A code may be used once. A refresh token may be used once, and again for {@link MAX_REFRESH_RETRY_SECONDS}:
 * a client whose response was lost has no other token, and two processes of one client may renew at the same
 * moment. After that time, or once its successor is used, it is refused, which ends the grant (RFC 9700,
 * section 4.14.2).
 *
 * @module
 */

import * as z from 'zod'
import { MAX_REFRESH_RETRY_SECONDS, MAX_REFRESH_USES } from '../limits.ts'

const Use = z.strictObject({
  session: z.string(),
  /** The hash of the refresh token; null for the code of the grant, of which there is one. */
  refresh: z.string().nullable(),
  isRefused: z.boolean(),
})

type Use = z.infer<typeof Use>

/** The uses of one grant. */
interface Uses {
  readonly at: number
  readonly code: boolean
  /** Hashes of refresh tokens with the time of their first use, in order. */
  readonly refreshes: readonly (readonly [hash: string, at: number])[]
}

const PREFIX = 'uses:'

/** Age (ms) at which uses are deleted; longer than an unused grant lives. */
const FORGET_MS = 60 * 24 * 60 * 60 * 1000

/** Answers 204 if a use is accepted, else 409. */
export async function settleUse(request: Request, kv: SyncKvStorage): Promise<Response> {
  const use = Use.parse(await request.json())
  return new Response(null, { status: settle(kv, use, Date.now()) ? 204 : 409 })
}

/** Records a use of a grant and returns whether it is accepted. `now` is in milliseconds since 1970. */
export function settle(
  kv: SyncKvStorage,
  { session, refresh, isRefused }: Use,
  now: number,
): boolean {
  const known = kv.get<Uses>(PREFIX + session) ?? { at: now, code: false, refreshes: [] }
  const next = refresh === null ? useCode(known) : useRefresh(known, refresh, now)
  if (!next || isRefused) return next !== null
  if (refresh === null) forgetOld(kv, now)
  kv.put(PREFIX + session, { ...next, at: now })
  return true
}

const useCode = (uses: Uses): Uses | null => (uses.code ? null : { ...uses, code: true })

function useRefresh(uses: Uses, hash: string, now: number): Uses | null {
  const at = uses.refreshes.findIndex(([used]) => used === hash)
  if (at < 0) {
    const refreshes = [...uses.refreshes, [hash, now] as const].slice(-MAX_REFRESH_USES)
    return { ...uses, refreshes }
  }
  const isLast = at === uses.refreshes.length - 1
  const first = uses.refreshes[at]?.[1] ?? 0
  return isLast && now - first <= MAX_REFRESH_RETRY_SECONDS * 1000 ? uses : null
}

function forgetOld(kv: SyncKvStorage, now: number): void {
  const old = [...kv.list<Uses>({ prefix: PREFIX })].filter(([, { at }]) => now - at > FORGET_MS)
  for (const [key] of old) kv.delete(key)
}

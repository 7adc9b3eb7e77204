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
 * Each refresh token has a mark: its number in the grant and a secret of the grant. The last {@link MAX_REFRESH_USES}
 * uses are remembered; a token with a mark of a lower number counts as used.
 *
 * @module
 */

import * as z from 'zod'
import { MAX_REFRESH_RETRY_SECONDS, MAX_REFRESH_USES } from '../limits.ts'

const Use = z.strictObject({
  session: z.string(),
  /** The hash of the refresh token; null for the code of the grant, of which there is one. */
  refresh: z.string().nullable(),
  /** The mark of the refresh token; null without one. */
  mark: z.string().nullable(),
  isRefused: z.boolean(),
})

type Use = z.infer<typeof Use>

/** The uses of one grant. */
interface Uses {
  readonly at: number
  readonly code: boolean
  /** Hashes of refresh tokens in the order of their first use, with its time and how many were given before it. */
  readonly refreshes: readonly (readonly [hash: string, at: number, given?: number])[]
  /** How many refresh tokens were given; each has its number, and {@link secret}, in its mark. */
  readonly given?: number
  /** Known only to those who had a refresh token of the grant. */
  readonly secret?: string
}

const PREFIX = 'uses:'

/** Age (ms) at which uses are deleted; longer than an unused grant lives. */
const FORGET_MS = 60 * 24 * 60 * 60 * 1000

/** Answers the mark of the next refresh token if a use is accepted, else 409. */
export async function answerUse(request: Request, kv: SyncKvStorage): Promise<Response> {
  const mark = settle(kv, Use.parse(await request.json()), Date.now())
  return new Response(mark, { status: mark === null ? 409 : 200 })
}

/**
 * Records a use of a grant. Returns the mark of the next refresh token, or null if the use is not accepted. `now` is in
 * milliseconds since 1970.
 */
export function settle(
  kv: SyncKvStorage,
  { session, refresh, mark, isRefused }: Use,
  now: number,
): string | null {
  const known = kv.get<Uses>(PREFIX + session) ?? { at: now, code: false, refreshes: [] }
  const { given = 0, secret = crypto.randomUUID() } = known
  const next = refresh === null ? useCode(known) : useRefresh(known, { hash: refresh, mark, now })
  if (next === null) return null
  const number = given + 1
  if (!isRefused) kv.put(PREFIX + session, { ...next, at: now, given: number, secret })
  if (!isRefused && refresh === null) forgetOld(kv, now)
  return `${number}.${secret}`
}

const useCode = (uses: Uses): Uses | null => (uses.code ? null : { ...uses, code: true })

interface Refresh {
  readonly hash: string
  readonly mark: string | null
  readonly now: number
}

function useRefresh(uses: Uses, { hash, mark, now }: Refresh): Uses | null {
  const at = uses.refreshes.findIndex(([used]) => used === hash)
  if (at < 0 && isForgotten(uses, mark)) return null
  if (at < 0) {
    const use = [hash, now, uses.given ?? 0] as const
    return { ...uses, refreshes: [...uses.refreshes, use].slice(-MAX_REFRESH_USES) }
  }
  const isLast = at === uses.refreshes.length - 1
  const first = uses.refreshes[at]?.[1] ?? 0
  return isLast && now - first <= MAX_REFRESH_RETRY_SECONDS * 1000 ? uses : null
}

/** Whether a token that is not remembered was given before the first use that is. */
function isForgotten({ refreshes, secret }: Uses, mark: string | null): boolean {
  const [number, own] = mark?.split('.') ?? []
  const [, , before = 0] = refreshes[0] ?? []
  return refreshes.length === MAX_REFRESH_USES && own === secret && Number(number) <= before
}

function forgetOld(kv: SyncKvStorage, now: number): void {
  const old = [...kv.list<Uses>({ prefix: PREFIX })].filter(([, { at }]) => now - at > FORGET_MS)
  for (const [key] of old) kv.delete(key)
}
